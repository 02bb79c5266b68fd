/** Which runs of scheduled audits stay. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunPoint } from '../../../src/api/audits-api.ts';
import { createRunName, RunFolder } from '../../../src/watch/audits/run-folder.ts';

const START = 'https://shop.example/';
const DAY = 86_400_000;
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'maycrawl-run-folder-'));
});
afterEach(() => rmSync(path, { recursive: true }));

/** Writes the files of a run. @param day - of its start. @param state - `null`: it has not ended. */
function writeRun(day: number, state: RunPoint['state'] | null, start: string = START): string {
  const at = Date.UTC(2026, 0, 1) + day * DAY;
  const name = createRunName(start, at);
  mkdirSync(join(path, name));
  writeFileSync(join(path, name, 'run.sqlite'), '');
  if (state === null) return name;
  const time = new Date(at).toISOString();
  const point: RunPoint = {
    ...{ starts: [start], startedAt: time, endedAt: time, state, ending: '', agents: [] },
    ...{ comparedWith: null, changes: [] },
  };
  writeFileSync(join(path, name, 'summary.json'), JSON.stringify(point));
  writeFileSync(join(path, name, 'report.html'), 'report');
  return name;
}

test('the last runs stay, and the last complete one; of others the summaries stay', async () => {
  const complete = [1, 2].map((day) => writeRun(day, 'complete'));
  const unfinished = [3, 4, 5].map((day) => writeRun(day, 'unfinished'));
  const folder = new RunFolder(path);
  expect(await folder.prune(START, 2)).toBe(2);
  const has = (name: string): boolean => folder.has(name);
  expect([...complete, ...unfinished].map(has)).toEqual([false, true, false, true, true]);
  for (const name of [...complete, ...unfinished]) expect(existsSync(folder.getSummary(name))).toBe(true);
});

test('runs that never ended are deleted when they are older than all runs that stay', async () => {
  const old = writeRun(1, null);
  const [kept, newest] = [writeRun(2, 'complete'), writeRun(3, 'complete')];
  const [open, other] = [writeRun(4, null), writeRun(1, null, 'https://other.example/')];
  mkdirSync(join(path, 'notes'));
  const folder = new RunFolder(path);
  expect(await folder.prune(START, 3)).toBe(0);
  expect(await folder.prune(START, 2)).toBe(1);
  expect(readdirSync(path).sort()).toEqual([kept, newest, open, other, 'notes'].sort());
  expect(readdirSync(path)).not.toContain(old);
});
