/** `kill -9` of a census and of a merge at any moment: the run after it has the bytes of an undisturbed one, and no temporary file remains. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { BIN, run } from '../../support/run.ts';
import { findWriter, readCensus, readFolder, writeCrawl } from '../support/crawl.ts';

/** The number of kills of each command; the soak run has more. */
const KILLS = Number(process.env['KILLS'] ?? 1);
const SLICES = 4;

let folder: string;
let judge: readonly string[];
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-kill-census-'));
  judge = ['judge', '--manifest', writeCrawl(at('crawl'), 24, 200), '--agents', 'GPTBot,CCBot,Googlebot'];
  await runCensus(...judge, '--out', at('whole'));
  for (let slice = 1; slice <= SLICES; slice++)
    await runCensus(...judge, '--slice', `${slice}/${SLICES}`, '--out', at('parts'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function runCensus(...args: string[]): Promise<void> {
  expect(await run(['census', ...args])).toMatchObject({ code: 0 });
}

/** Runs the command, and kills it some milliseconds after it began to write. @returns whether it was killed before its end. */
async function runAndKill(args: readonly string[], out: string, delay: number): Promise<boolean> {
  const child = spawn(process.execPath, [BIN, 'census', ...args], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (findWriter(out) !== child.pid && child.exitCode === null) await setTimeout(1);
  const kill = setTimeout(delay).then(() => child.kill('SIGKILL'));
  const [, signal] = await ended;
  await kill;
  return signal === 'SIGKILL';
}

test.each(['judge', 'merge'] as const)(
  `a census %s that is killed ${KILLS} times has the files of an undisturbed one`,
  async (name) => {
    const random = createRandom(KILLS);
    const out = at(`killed-${name}`);
    const args = [...(name === 'judge' ? judge : ['merge', at('parts')]), '--out', out];
    const whole = readCensus(at('whole'));
    /** Runs the command to its end. @returns its time in milliseconds. */
    const complete = async (): Promise<number> => {
      const start = performance.now();
      await runCensus(...args);
      const time = performance.now() - start;
      for (const [file, bytes] of Object.entries(readCensus(out)))
        expect(whole[file]?.equals(bytes), file).toBe(true);
      rmSync(out, { recursive: true });
      return time;
    };
    const duration = await complete();
    let unfinished = 0;
    // A run can be complete before its kill.
    for (let kills = 0, runs = 0; kills < KILLS || unfinished === 0; runs++) {
      expect(runs).toBeLessThan(20 * (KILLS + 1));
      if (await runAndKill(args, out, random() * duration)) {
        kills++;
        if (readFolder(out).some((file) => file.endsWith('.tmp'))) unfinished++;
        // Half of the runs continue what several killed ones left.
        if (random() < 0.5) await complete();
      } else await complete();
    }
    await complete();
  },
  1_800_000,
);
