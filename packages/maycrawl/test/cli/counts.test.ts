import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const watch = (...words: string[]) =>
  runHere(['watch', ...words, '--database', join(folder, 'watch.sqlite')]);

test.each([
  ['https://one.example', '1 site, 1 due'],
  ['https://two.example', '2 sites, 2 due'],
])('watch status after adding %s begins with "%s"', async (origin, words) => {
  expect(await watch('add', origin, '--every', '36h')).toMatchObject({ code: 0 });
  const { stdout } = await watch('status');
  expect(stdout).toMatch(new RegExp(`^${words}, the next at \\S+\n0 messages to deliver, 0 discarded\n`));
});

test('watch list shows intervals in words', async () => {
  expect((await watch('list')).stdout).toContain('1 day 12 hours');
});
