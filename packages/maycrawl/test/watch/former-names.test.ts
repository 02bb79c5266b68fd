import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/database';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toEventReport } from '../../src/watch/event-report.ts';
import { readSettings } from '../../src/watch/site.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { insertInto } from '../../src/watch/storage/rows.ts';
import type { EventRow, SiteRow } from '../../src/watch/storage/tables.ts';
import { FORMER_COLUMNS } from '../support/former-columns.ts';

const ORIGIN = 'https://example.com';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-former-names-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('severities, aspects and codes of a version 2 database are read under their current names', async () => {
  const path = join(folder, 'watch.sqlite');
  const created = await openWatchDatabase(path);
  // cspell:disable -- the names of version 2
  const severity = { blocked: 'critical', 'tests-mended': 'notice', first: 'warning' };
  const site = {
    ...{ origin: ORIGIN, due_at: 0, checks: 1, policy: 'outage-allows', version: 1, attempts: 0 },
    settings: JSON.stringify({ every: 60_000, agents: [], notify: [], severity }),
  };
  await created.db.run(insertInto('watch_sites', [site]));
  const event = { origin: ORIGIN, version: 1, at: 0, title: '', text: '', throttled: 1 };
  const details = JSON.stringify({
    ...{
      aspects: ['tests-mended', 'first'],
      holds: 'outage-allows',
      tests: { broken: ['a'], mended: ['b'] },
    },
    changes: [{ crawlers: ['Googlebot'], direction: 'blocked', example: '/b' }],
  });
  const stored = [
    { id: '1', kind: 'tests-mended', severity: 'notice', details },
    // cspell:enable
    { id: '2', kind: 'root-blocked', severity: 'critical', details: '{}' },
    {
      ...{ id: '3', kind: 'unreachable', severity: 'warning' },
      details: JSON.stringify({ aspects: ['unreachable'], since: 5, reason: 'status 503' }),
    },
  ];
  for (const each of stored) await created.db.run(insertInto('watch_events', [{ ...event, ...each }]));
  await created.db.exec(`
    drop table maycrawl_migrations; update watch_schema set version = 2;
    ${FORMER_COLUMNS}`);
  await created.db.close();

  const { db } = await openWatchDatabase(path);
  const { policy, settings } = (await db.get<SiteRow>(sql`select * from watch_sites`)) as SiteRow;
  const events = await db.all<EventRow>(sql`select * from watch_events order by id`);
  await db.close();
  expect(policy).toBe('outage-expired');
  expect(readSettings(ORIGIN, settings).severity).toEqual({
    ...{ blocked: 'error', 'tests-fixed': 'info', first: 'warning' },
  });
  expect(events.map(toEventReport)).toMatchObject([
    {
      ...{ kind: 'tests-fixed', severity: 'info', throttled: true },
      details: {
        ...{
          aspects: ['tests-fixed', 'first'],
          policy: { kind: 'allow-all', reason: 'outage-expired' },
          tests: { broken: ['a'], fixed: ['b'] },
        },
        changes: [{ agents: ['Googlebot'], direction: 'blocked', example: '/b' }],
      },
    },
    { kind: 'root-blocked', severity: 'error', details: {} },
    {
      ...{ kind: 'unreachable', severity: 'warning' },
      details: { aspects: ['unreachable'], since: 5, message: 'status 503' },
    },
  ]);
});
