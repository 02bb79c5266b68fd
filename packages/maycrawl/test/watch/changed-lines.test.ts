import { expect, test } from 'vitest';
import { describeChangedLines } from '../../src/watch/analysis/changed-lines.ts';

test.each([
  ['equal files', 'a\n', 'a\n', []],
  ['a changed line', 'a\nb\nc\n', 'a\nx\nc\n', ['line 2: "b" is "x" now']],
  ['an added line', 'a\nc\n', 'a\nb\nc\n', ['added, line 2: "b"']],
  ['a removed line', 'a\nb\nc\n', 'a\nc\n', ['removed, line 2: "b"']],
  ['a repeated line', 'a\nb\n', 'a\nb\nb\n', ['added, line 3: "b"']],
  ['a line that is no longer repeated', 'a\na\na\n', 'a\na\n', ['removed, line 3: "a"']],
  ['other line ends', 'a\r\nb\n', 'a\nb\n', ['only line ends or the byte order mark differ']],
  ['a byte order mark', '\ufeffa\n', 'a\n', ['only line ends or the byte order mark differ']],
  ['lines at both ends', 'a\nb\nc\n', 'x\nb\ny\n', ['line 1: "a" is "x" now', 'line 3: "c" is "y" now']],
])('%s', (_name, before, after, lines) => {
  expect(describeChangedLines(Buffer.from(before), Buffer.from(after))).toEqual(lines);
});

test('at most five lines are quoted, and the others are counted', () => {
  const added = Array.from({ length: 7 }, (_, index) => `Disallow: /${index}\n`).join('');
  expect(describeChangedLines(Buffer.from('a\n'), Buffer.from(`a\n${added}`))).toEqual([
    ...Array.from({ length: 5 }, (_, index) => `added, line ${index + 2}: "Disallow: /${index}"`),
    'and 2 more lines',
  ]);
});
