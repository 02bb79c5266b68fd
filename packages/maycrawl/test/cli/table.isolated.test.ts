import stringWidth from 'string-width';
import { expect, test, vi } from 'vitest';
import { printTable } from '../../src/cli/output/table.ts';

vi.mock('string-width', { spy: true });

function print(rows: readonly string[][]): string {
  const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  printTable(['a', 'b'], rows);
  const text = spy.mock.calls.map(([line]) => line).join('');
  spy.mockRestore();
  return text;
}

test('columns on a terminal are as wide as their widest cell, up to 60', () => {
  expect(
    print([
      ['日本', 'x'],
      ['\u001b[31mabc\u001b[39m', 'y'],
    ]),
  ).toBe('a     b\n日本  x\n\u001b[31mabc\u001b[39m   y\n');
  expect(
    print([
      ['x'.repeat(70), 'y'],
      ['z', 'y'],
    ]),
  ).toBe(`a${' '.repeat(61)}b\n${'x'.repeat(70)}  y\nz${' '.repeat(61)}y\n`);
});

test('string-width measures each short cell with other than ASCII characters once, because its time is quadratic in the length', () => {
  vi.mocked(stringWidth).mockClear();
  const long = 'é'.repeat(1_000_000);
  expect(print([[long, 'é']])).toBe(`a${' '.repeat(61)}b\n${long}  é\n`);
  expect(vi.mocked(stringWidth).mock.calls).toEqual([['é']]);
});
