/** Slices of a census by the command, and their merge: the bytes are those of one run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../support/run.ts';
import { CENSUS_FILES, readCensus, writeCrawl } from '../support/crawl.ts';

let folder: string;
let judge: readonly string[];
const at = (...names: string[]): string => join(folder, ...names);

async function runCensus(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['census', ...args]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  return stderr;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-slices-'));
  judge = [
    'judge',
    '--manifest',
    writeCrawl(at('crawl'), 23, 40),
    '--agents',
    'GPTBot,CCBot',
    '--read-as',
    'all',
  ];
  await runCensus(...judge, '--out', at('whole'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// merge.test.ts has other numbers of slices, without the command.
test('3 slices, each other one in another folder', async () => {
  const folders = [at('odd'), at('even')];
  for (const slice of [3, 2, 1]) {
    // Threads do not change the bytes.
    const threads = String(slice - 1);
    const out = folders[(slice - 1) % 2] as string;
    await runCensus(...judge, '--slice', `${slice}/3`, '--out', out, '--threads', threads);
  }
  const merge = ['merge', ...folders, '--out', at('merged')];
  expect(await runCensus(...merge)).toMatch(/^maycrawl: 920 captures, 460 distinct files, written to /);
  const [merged, whole] = [readCensus(at('merged')), readCensus(at('whole'))];
  for (const name of CENSUS_FILES) expect(merged[name]?.equals(whole[name] as Buffer), name).toBe(true);
  expect(await runCensus(...merge)).toMatch(/ is complete: 920 captures/);
});
