import { expect, test } from 'vitest';
import { formatList } from '../../../src/bytes/lists.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('the names %j in a sentence', (names, text) => {
  expect(formatList(names)).toBe(text);
});
