// The endpoint of `watch run`: health, readiness and metrics.
import { renameSync } from 'node:fs';
import { request } from 'node:http';
import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { SiteRepository } from '../../../src/watch/storage/site-repository.ts';
import { startEndpoint } from '../../support/monitor-endpoint.ts';
import { createFile, createSettings, recordCheck } from '../../support/recorded-checks.ts';
import { describeKinds, openTestDatabase } from '../../support/watch-databases.ts';

const NOW = Date.UTC(2026, 0, 1);
const SITE = 'https://secret.example';
const TARGET = 'https://hooks.example/token';

/** Returns the values of metrics by name and labels, except for those of buckets. */
function readValues(text: string): Record<string, number> {
  const lines = text.matchAll(/^(maycrawl_watch_(?!\w+_(?:bucket|sum))\S+) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
}

describeKinds((withDatabase) => {
  test('the metrics have what the database contains, and what the monitor did, without names of sites', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([SITE, `${SITE}:8443`], createSettings([TARGET]), () => NOW - 90_000);
      await recordCheck(database, SITE, NOW, createFile(1));
      await database.db.run(sql`update watch_sites set due_at = ${NOW + 1} where origin = ${SITE}`);
      const { metrics, get } = await startEndpoint({ database, now: () => NOW });
      metrics.countActivity({ kind: 'check', result: 'changed', milliseconds: 40 });
      metrics.countActivity({ kind: 'delivery', result: 'postponed' });
      metrics.countActivity({ kind: 'pass' });
      metrics.countEvents([{ kind: 'first', severity: 'info' }]);
      metrics.countEvents([{ kind: `damaged ${SITE}`, severity: SITE }]);
      metrics.countError();
      metrics.countAudit();
      metrics.countLogReading();
      const { status, text } = await get('/metrics');
      expect(status).toBe(200);
      expect(readValues(text)).toMatchObject({
        'maycrawl_watch_check_seconds_count{result="changed"}': 1,
        'maycrawl_watch_check_seconds_count{result="failed"}': 0,
        'maycrawl_watch_deliveries_total{result="postponed"}': 1,
        'maycrawl_watch_deliveries_total{result="dropped"}': 0,
        'maycrawl_watch_events_total{kind="first",severity="info"}': 1,
        'maycrawl_watch_events_total{kind="other",severity="other"}': 1,
        maycrawl_watch_errors_total: 1,
        maycrawl_watch_audits_total: 1,
        maycrawl_watch_log_readings_total: 1,
        maycrawl_watch_last_pass_timestamp_seconds: NOW / 1000,
        maycrawl_watch_sites: 2,
        maycrawl_watch_due_sites: 1,
        maycrawl_watch_lag_seconds: 90,
        maycrawl_watch_waiting_alerts: 1,
        maycrawl_watch_dropped_alerts: 0,
      });
      expect(text).not.toMatch(/secret|hooks/);
      expect((await get('/readyz')).status).toBe(200);
    }));
});

test('a monitor that completes nothing is unhealthy until it does', async () => {
  const database = await openTestDatabase();
  let time = 0;
  const { metrics, get } = await startEndpoint({ database, stallTime: 300_000, clock: () => time });
  time = 300_000;
  expect((await get('/healthz')).status).toBe(200);
  time = 300_001;
  const { status, text } = await get('/healthz');
  expect(status).toBe(503);
  expect(JSON.parse(text)).toMatchObject({
    code: 'not-ready',
    detail: 'no check, delivery or pass was completed for 300 seconds',
  });
  metrics.countActivity({ kind: 'check', result: 'failed', milliseconds: 1 });
  expect((await get('/healthz')).status).toBe(200);
});

test('without its database a monitor is not ready, and its metrics lack what the database contains', async () => {
  const database = await openTestDatabase();
  const { get } = await startEndpoint({ database, databaseFiles: [database.path] });
  expect((await get('/readyz')).status).toBe(200);
  expect((await get('/metrics')).text).toContain('\nmaycrawl_watch_sites 0\n');
  renameSync(database.path, `${database.path}.gone`);
  expect((await get('/readyz')).status).toBe(503);
  renameSync(`${database.path}.gone`, database.path);
  expect((await get('/readyz')).status).toBe(200);
  await database.db.exec('alter table watch_sites rename to other');
  expect((await get('/readyz')).status).toBe(503);
  const { status, text } = await get('/metrics');
  expect(status).toBe(200);
  expect(text).toContain('# TYPE maycrawl_watch_sites gauge');
  expect(text).not.toMatch(/^maycrawl_watch_(?:sites|lag)/m);
  await database.db.exec('alter table other rename to watch_sites');
  expect((await get('/metrics')).text).toContain('\nmaycrawl_watch_sites 0\n');
});

test('the endpoint serves its own hosts, and no other route', async () => {
  const database = await openTestDatabase();
  const { address, get } = await startEndpoint({ database, hosts: ['monitor.example'] });
  const getStatus = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(`${address}/metrics`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
  expect(await getStatus('monitor.example:9464')).toBe(200);
  expect(await getStatus('attacker.example')).toBe(421);
  for (const path of ['/', '/v1/decide', '/openapi.json', '/watch.html'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  const posted = await fetch(`${address}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(posted.status).toBe(405);
});
