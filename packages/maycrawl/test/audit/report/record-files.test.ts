import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { UrlReporter } from '../../../src/audit/report/url-report.ts';
import { writeReports } from '../../../src/audit/report/write-report.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { makeRun } from '../../support/audit-runs.ts';
import { SHOP } from '../../support/audit-site.ts';
import { createTestFolder } from '../../support/folder.ts';

const folder = createTestFolder('files');
const at = (name: string): string => join(folder, name);
const OPTIONS = { name: 'run' };
let run: RunStore;

beforeAll(async () => {
  run = await makeRun(at('run.sqlite'), SHOP);
  await writeReports(run, { csv: at('alone.csv') }, OPTIONS);
  await writeReports(run, { ndjson: at('alone.ndjson') }, OPTIONS);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  run.close();
});

const read = (name: string): string => readFileSync(at(name), 'utf8');

test('CSV and NDJSON of one call are equal to those of two, and each record is created once', async () => {
  const report = vi.spyOn(UrlReporter.prototype, 'report');
  await writeReports(run, { csv: at('both.csv'), ndjson: at('both.ndjson') }, OPTIONS);
  expect(read('both.csv')).toBe(read('alone.csv'));
  expect(read('both.ndjson')).toBe(read('alone.ndjson'));
  expect(report).toHaveBeenCalledTimes(read('alone.ndjson').trimEnd().split('\n').length);
});

test('pipes are written one after the other, as their reader may read them', async () => {
  const [csv, ndjson] = [at('csv-pipe'), at('ndjson-pipe')];
  execFileSync('mkfifo', [csv, ndjson]);
  const written = writeReports(run, { csv, ndjson }, OPTIONS);
  expect(await readFile(csv, 'utf8')).toBe(read('alone.csv'));
  expect(await readFile(ndjson, 'utf8')).toBe(read('alone.ndjson'));
  expect((await written).files).toEqual([csv, ndjson]);
});

test('if one of two files cannot be written, both stay as they were, and the error names it', async () => {
  const place = at('unwritable');
  mkdirSync(place);
  writeFileSync(join(place, 'urls.csv'), 'before');
  writeFileSync(join(place, 'file'), '');
  const ndjson = join(place, 'file', 'urls.ndjson');
  await expect(writeReports(run, { csv: join(place, 'urls.csv'), ndjson }, OPTIONS)).rejects.toMatchObject({
    path: ndjson,
  });
  expect(readdirSync(place).sort()).toEqual(['file', 'urls.csv']);
  expect(readFileSync(join(place, 'urls.csv'), 'utf8')).toBe('before');
});
