/** Scheduled audits of a site on loopback on a clock of their own: every event, read as its owner reads it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import { readRunPoints } from '../../../src/audit/report/trend/read-trend.ts';
import { AuditRepository } from '../../../src/watch/audits/audit-repository.ts';
import { workAudits } from '../../../src/watch/audits/audit-worker.ts';
import { RunFolder } from '../../../src/watch/audits/run-folder.ts';
import { Outbox } from '../../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../../src/watch/storage/site-repository.ts';
import { type AuditedState, sendDay, WEEK } from '../../support/audited-week.ts';
import { createTestFolder } from '../../support/folder.ts';
import { openTestDatabase } from '../../support/watch-databases.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 1, 3);

const path = createTestFolder('week');

test('the days of a site have the expected events', async () => {
  const database = await openTestDatabase();
  let current = WEEK[0] as AuditedState;
  let counts = new Map<string, number>();
  const site = await serve(({ url = '' }, reply) => {
    const count = (counts.get(url) ?? 0) + 1;
    counts.set(url, count);
    sendDay(current, url, count, reply);
  });
  const { origin } = site;
  let now = START;
  const repository = new SiteRepository(database);
  await repository.addSites([origin], { every: DAY, agents: [], notify: ['log'] }, () => START);
  const audits = new AuditRepository(database);
  const plan = { agents: ['Googlebot', 'GPTBot'] };
  await audits.schedule(
    [origin],
    () => ({ every: DAY, start: `${origin}/`, plan, alertUrls: 1, errorShare: 10, keepRuns: 4 }),
    START,
  );
  const days: object[] = [];
  const expected: object[] = [];
  let known = 0;
  for (const [day, state] of WEEK.entries()) {
    [current, counts] = [state, new Map()];
    now = START + day * DAY;
    await workAudits({
      ...{ repository: audits, folder: new RunFolder(path), userAgent: 'test', timeout: 300_000 },
      ...{ signal: new AbortController().signal, now: () => now, once: true },
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
      onError: (what, error) => {
        throw new Error(what, { cause: error });
      },
    });
    const events = await repository.events(1_000, origin);
    for (const { title, text } of events) expect(text, title).not.toBe('');
    days.push({
      name: state.name,
      events: events
        .slice(0, events.length - known)
        .map((each) => [
          each.severity,
          each.kind,
          each.title.replace(`${origin}: `, '').replaceAll(origin, 'SITE'),
        ])
        .sort(),
    });
    expected.push({ name: state.name, events: state.events.map((each) => [...each]).sort() });
    known = events.length;
  }
  expect(days).toEqual(expected);
  await site.close();
  expect(await new Outbox(database).counts()).toEqual({ waiting: known, dropped: 0 });
  // The trend has every run; the files of four remain, and of the last one whose results count.
  const points = await readRunPoints(path);
  expect(points.map(({ state }) => state)).toEqual(
    WEEK.map(({ events }, day) =>
      events.some(([, each]) => each === 'audit-incomplete') || day === 6 ? 'unfinished' : 'complete',
    ),
  );
  const kept = points.filter(({ name: run }) => readdirSync(join(path, run)).includes('run.sqlite'));
  expect(kept.map(({ name: run }) => run)).toEqual(points.slice(-4).map(({ name: run }) => run));
  expect(
    points
      .at(-1)
      ?.changes.map(({ title }) => title.replaceAll(origin, 'SITE'))
      .sort(),
  ).toEqual(
    WEEK.at(-1)
      ?.events.map(([, , title]) => title)
      .sort(),
  );
  expect(points.map(({ comparedWith }) => points.findIndex(({ name: run }) => run === comparedWith))).toEqual(
    [-1, 0, 1, 2, 3, -1, -1, 4, -1, 7, 9, 10, 11],
  );
});
