import { rawSql, sql } from '@maycrawl/client/internal';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSiteReport } from '../../src/serve/watch/site.ts';
import { readSites } from '../../src/serve/watch/sites.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createSettings } from '../support/recorded-checks.ts';
import { runHere } from '../support/run-here.ts';
import { openTestDatabase } from '../support/watch-databases.ts';

const NOW = Date.UTC(2026, 10, 22);
const DAMAGED = 'https://damaged.example';
const INTACT = 'https://intact.example';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeEach(async () => {
  database = await openTestDatabase();
  await new SiteRepository(database).addSites([DAMAGED, INTACT], createSettings([]), () => NOW);
});

const damage = async (column: string, value: string): Promise<void> => {
  const assignment = rawSql(`${column} = ${value}`);
  await database.db.run(sql`update watch_sites set ${assignment} where origin = ${DAMAGED}`);
};

describe.each([
  ['checked_at', '9e15'],
  ['throttled_at', "'soon'"],
  ['set_aside_at', '-9000000000000000'],
  ['due_at', '0.5'],
  ['checks', '-1'],
])('a site whose column %s is %s', (column, value) => {
  test('is reported with its column, and the other sites are checked', async () => {
    await damage(column, value);
    const reported: string[] = [];
    const claimed = await new SiteRepository(database).claimDue('a', NOW, 10, (origin, error) =>
      reported.push(`${origin}: ${error.message}`),
    );
    expect(claimed.map(({ origin }) => origin)).toEqual([INTACT]);
    const again = await new SiteRepository(database).claimDue('b', NOW, 10, (origin) =>
      reported.push(origin),
    );
    expect(again).toEqual([]);
    expect(reported).toEqual([
      `${DAMAGED}: the site ${DAMAGED} is damaged in the database (${column}): remove the site, and add it again`,
    ]);
  });

  test('does not prevent the pages of the monitor from listing all sites', async () => {
    await damage(column, value);
    const { sites } = await readSites(database, { limit: 10 }, new AbortController().signal);
    expect(sites.length).toBe(2);
    const context = { repository: new SiteRepository(database), outbox: new Outbox(database) };
    expect(await createSiteReport(context, DAMAGED, NOW)).toMatchObject({ origin: DAMAGED });
  });
});

test('watch list names the damaged column in one line, and lists the other sites', async () => {
  await damage('checked_at', '9e15');
  const { code, stdout, stderr } = await runHere(['watch', 'list', '--database', database.path]);
  expect(stderr).toMatch(/^maycrawl: the site https:\/\/damaged\.example is damaged .*\(checked_at\).*\n$/);
  expect(stdout).toContain(INTACT);
  expect(code).toBe(2);
});

test('a history with times that no date can represent counts as no stored history', async () => {
  const outage = { since: 9e15, lastAt: NOW, failures: 1, code: 'network', status: null, reason: 'x' };
  const json = JSON.stringify({ ...outage, retryAt: null, saysNotFound: false, hops: [], timings: {} });
  await damage('outage', `'${json}'`);
  const claimed = await new SiteRepository(database).claimDue('a', NOW, 10);
  expect(claimed.find(({ origin }) => origin === DAMAGED)?.history).toEqual({ response: null, outage: null });
});
