import { expect, test } from 'vitest';
import { GroupCursor } from '../../../src/syntax/group-cursor.ts';

/** Returns the group of each line: `a` is a user-agent line, `e` ends a list, and other lines are skipped. */
function numberLines(lines: string): number[] {
  const cursor = new GroupCursor();
  return [...lines].map((line) => {
    if (line === 'a') cursor.readAgent();
    if (line === 'e') cursor.endList();
    return cursor.group;
  });
}

test.each([
  ['aaee', [0, 0, 0, 0]],
  ['aeaea', [0, 0, 1, 1, 2]],
  ['a.a.e.a', [0, 0, 0, 0, 0, 0, 1]],
  ['e.aea', [-1, -1, 0, 0, 1]],
])('the lines %s belong to the groups %j', (lines, groups) => {
  expect(numberLines(lines)).toEqual(groups);
});

test('only the first of consecutive user-agent lines starts a group', () => {
  const cursor = new GroupCursor();
  expect([cursor.readAgent(), cursor.readAgent()]).toEqual([true, false]);
  cursor.endList();
  expect([cursor.readAgent(), cursor.readAgent()]).toEqual([true, false]);
});
