/** The files that `maycrawl audit` writes by its options. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestFolder } from '../../support/folder.ts';
import { readWorkbook } from '../../support/read-workbook.ts';
import { runHere } from '../../support/run-here.ts';

const folder = createTestFolder('targets');
/** Nothing listens there. */
const URL = 'http://127.0.0.1:1/';

test('an audit writes a workbook without a second command', async () => {
  const file = join(folder, 'audit.xlsx');
  const { code, stderr } = await runHere(['audit', URL, '--xlsx', file, '--timeout', '1s']);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`wrote ${file}\n`)]);
  const names = readWorkbook(readFileSync(file)).map(({ name }) => name);
  expect(names).toEqual(['Summary', 'Segments', 'Findings', 'Broken links', 'URLs']);
});

test('--junit without --fail-on is refused before the crawl', async () => {
  const file = join(folder, 'audit.xml');
  const { code, stderr } = await runHere(['audit', URL, '--junit', file]);
  expect([code, stderr, existsSync(file)]).toEqual([2, 'maycrawl: --junit requires --fail-on\n', false]);
});

test.skipIf(!existsSync('/proc/self'))(
  'a folder that cannot be created is an error: below /proc, recursive creation would never end',
  async () => {
    for (const args of [
      ['--out', '/proc/no/such'],
      ['--xlsx', '/proc/no/such/audit.xlsx'],
    ]) {
      const { code, stderr } = await runHere(['audit', URL, ...args, '--timeout', '1s']);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^maycrawl: cannot .*\/proc\/no/m);
    }
  },
);
