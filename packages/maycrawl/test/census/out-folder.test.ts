import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);
const judge = (...args: string[]) => run(['census', 'judge', ...args]);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-out-'));
  writeFileSync(at('a.example.txt'), 'User-agent: *');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('its folder can be in that of the inputs: the same command has the same inputs', async () => {
  mkdirSync(at('own'));
  cpSync(at('a.example.txt'), at('own', 'a.example.txt'));
  for (const message of ['1 capture, 1 distinct file, written to', 'is complete: 1 capture, 1 distinct file'])
    expect(await judge(at('own'), '--agents', 'GPTBot', '--out', at('own'))).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(message),
    });
});

test('a folder that is a file, or without a name, is refused in one line', async () => {
  const judgeTo = (out: string) =>
    runHere(['census', 'judge', at('a.example.txt'), '--agents', 'GPTBot', '--out', out]);
  expect(await judgeTo(at('a.example.txt'))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^[^\n]*it is a file, not a folder\n$/),
  });
  expect(await judgeTo('')).toMatchObject({
    code: 2,
    stderr: 'maycrawl: --out: the name is empty\n',
  });
});

test('a report never replaces a file of its census', async () => {
  expect(await judge(at('a.example.txt'), '--agents', 'GPTBot', '--out', at('kept'))).toMatchObject({
    code: 0,
  });
  for (const name of ['captures.parquet', 'files.parquet', 'census.json']) {
    const before = readFileSync(at('kept', name));
    const result = await runHere(['census', 'report', at('kept'), '--out', at('kept', name)]);
    expect(result).toMatchObject({
      code: 2,
      stderr: `maycrawl: --out: ${at('kept', name)} is a file of a census\n`,
    });
    expect(readFileSync(at('kept', name))).toEqual(before);
  }
});
