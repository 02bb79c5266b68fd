/** Slices of a census by the command, and their merge: the bytes are those of one run, with any number of slices. */
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

// merge.test.ts has 30 slices.
test.each([3])('%i slices, each other one in another folder', async (count) => {
  const folders = [at(`odd-${count}`), at(`even-${count}`)].slice(0, count);
  for (let slice = count; slice >= 1; slice--) {
    const [odd, even = odd] = folders;
    const out = (slice % 2 === 1 ? odd : even) as string;
    // Threads do not change the bytes.
    const threads = String(slice % 3);
    await runCensus(...judge, '--slice', `${slice}/${count}`, '--out', out, '--threads', threads);
  }
  const merge = ['merge', ...folders, '--out', at(`merged-${count}`)];
  expect(await runCensus(...merge)).toMatch(/^maycrawl: 920 captures, 460 distinct files, written to /);
  const [merged, whole] = [readCensus(at(`merged-${count}`)), readCensus(at('whole'))];
  for (const name of CENSUS_FILES) expect(merged[name]?.equals(whole[name] as Buffer), name).toBe(true);
  expect(await runCensus(...merge)).toMatch(/ is complete: 920 captures/);
});
