import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Sqlite } from '../../../client/test/support/sqlite.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import type { StoredFacts, StoredRobots } from '../../src/audit/run/run-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-former-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Changes a file to the format of an earlier version. */
function change(path: string, statements: string): void {
  const database = new Sqlite(path);
  database.exec(statements);
  database.close();
}

const FACTS: StoredFacts = {
  ...{
    status: 200,
    type: 'text/html',
    location: null,
    base: 'http://a/',
    title: null,
    robots: [],
    canonicals: [],
  },
  ...{ alternates: [], seriesLinks: [{ rel: 'next', url: 'http://a/2' }], refresh: null, isTruncated: true },
};

test('a page stored by an earlier version is read with the current names', async () => {
  const path = join(folder, 'pages.sqlite');
  const run = await openRun(path, 'new');
  await run.addStarts(['http://a/'], () => ({ state: 'waiting' }));
  const key = (await run.findKey('http://a/')) as number;
  const outcome = { kind: 'page', facts: FACTS, digest: 'd' } as const;
  const page = { key, at: 1, milliseconds: 2, bytes: 3, outcome };
  await run.record([{ kind: 'fetched', page, depth: 0, hops: 0, named: [] }], () => ({ state: 'waiting' }));
  const { seriesLinks, isTruncated, ...rest } = FACTS;
  const former = JSON.stringify({ ...rest, neighbours: seriesLinks, isCut: isTruncated });
  change(path, `update pages set facts = '${former}'`);
  expect(await run.page(key)).toEqual(page);
  expect(run.findDamage()).toBeUndefined();
  await run.close();
});

test('an outage stored by an earlier version is read with the current code', async () => {
  const path = join(folder, 'codes.sqlite');
  const run = await openRun(path, 'new');
  const robots: StoredRobots = {
    ...{ origin: 'http://a', policy: { kind: 'allow-all', reason: 'outage-expired' }, isGiven: false },
    ...{ code: null, message: null, fetchedAt: 1, body: null },
  };
  await run.putRobots(robots);
  const verdict = { key: 0, agent: 0, reason: 'outage-expired', line: 0, reasons: 0, hidden: 0 };
  await run.putVerdicts([{ ...verdict, isAllowed: true, isIndexable: true }]);
  change(path, "update robots set used = 'outage-allows'; update verdicts set because = 'outage-allows'");
  expect([await run.robots('http://a'), await run.allRobots()]).toEqual([robots, [robots]]);
  expect(await run.verdict(0, 0)).toMatchObject(verdict);
  expect(run.findDamage()).toBeUndefined();
  await run.close();
});
