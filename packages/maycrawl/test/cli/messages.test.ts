import { expect, test, vi } from 'vitest';
import { FORMATS } from '../../src/cli/commands/lint/finding-formats.ts';
import { CHECK_FORMATS } from '../../src/cli/commands/verify/verify-formats.ts';
import { tell } from '../../src/cli/output/terminal.ts';

const NAME = 'a\x1b[31m,b:c.txt';
const SHOWN = 'file=a\\x1b[31m%2Cb%3Ac.txt';

test('control characters in names of files do not reach annotations of GitHub, nor end their properties', () => {
  const github = FORMATS.get('github');
  if (github === undefined || !('each' in github)) throw new Error('there is no such format');
  const finding = {
    ...{ code: 'empty-rule', severity: 'info', message: 'm', line: 1, column: 1, length: 1 },
  } as never;
  expect(github.each({ name: NAME, findings: [finding] }, 0)).toContain(`${SHOWN},line=1`);
  const checked = { crawler: 'a', expected: 'allow', target: '/%', holds: false, message: 'm' } as const;
  expect(CHECK_FORMATS.get('github')?.('r.txt', NAME, [checked])).toBe(
    `::error ${SHOWN}::a: allow /%25 (m)\n`,
  );
});

test('of a long message the middle is omitted', () => {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    tell(`start${'x'.repeat(100_000)}end`);
    const [text] = spy.mock.calls[0] as [string];
    expect(text).toMatch(/^maycrawl: startx+ \.\.\. x+end\n$/);
    expect(text.length).toBeLessThan(2_100);
  } finally {
    spy.mockRestore();
  }
});
