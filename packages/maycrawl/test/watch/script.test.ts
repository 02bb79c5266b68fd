import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refetchRobotsTxt } from '../../src/fetch/fetch.ts';
import { openWatchDatabase, type WatchDatabase } from '../../src/watch/database.ts';
import { Ledger } from '../../src/watch/ledger.ts';
import { Outbox } from '../../src/watch/outbox.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import { work } from '../../src/watch/worker.ts';
import { findPostgres, startPostgres, type TestDatabase } from '../support/postgres.ts';
import { serve } from '../support/server.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const BASE = 'User-agent: *\nDisallow: /cart\n';

/** What the site answers, for how many hours, and what is expected to be said then: kind, severity, and a part of the text. */
interface Step {
  readonly answer: string | number | 'hang' | 'reset' | 'redirect' | 'circle';
  readonly hours: number;
  readonly events: readonly (readonly [kind: string, severity: string, text: RegExp])[];
}

const STEPS: readonly Step[] = [
  { answer: BASE, hours: 3, events: [['first', 'info', /watched from now on; the file has 30 bytes/]] },
  { answer: `# shop\n${BASE}`, hours: 2, events: [['formatting', 'info', /formatting only/]] },
  {
    answer: `${BASE}Sitemap: https://h.example/s.xml\n`,
    hours: 1,
    events: [['records', 'notice', /sitemaps or other records/]],
  },
  {
    answer: `${BASE}Disallow: /shop/\n`,
    hours: 2,
    events: [
      [
        'blocked',
        'critical',
        /newly blocked: \/shop\/ for Googlebot and \d+ others; 2 of your 3 URLs newly blocked/,
      ],
    ],
  },
  {
    answer: BASE,
    hours: 1,
    events: [
      ['allowed', 'notice', /newly allowed: \/shop\/ for Googlebot.*; 2 of your 3 URLs newly allowed/],
    ],
  },
  {
    answer: 'User-agent: *\nDisallow: /\n',
    hours: 1,
    events: [['root-blocked', 'critical', /newly blocked: \/ for/]],
  },
  {
    answer: 404,
    hours: 3,
    events: [['disappeared', 'warning', /the file disappeared \(status 404\): everything is open/]],
  },
  { answer: BASE, hours: 2, events: [['appeared', 'warning', /there is a file now/]] },
  { answer: 503, hours: 3, events: [['unreachable', 'warning', /unreachable \(status 503\)/]] },
  { answer: BASE, hours: 2, events: [['recovered', 'notice', /reachable again; the file is as it was/]] },
  {
    answer: 500,
    hours: 40,
    events: [
      ['unreachable', 'warning', /at 12 h Google falls back to the last file|the last file still holds/],
      ['outage-continues', 'critical', /unreachable for \d+ h/],
    ],
  },
  { answer: `${BASE}Disallow: /b\n`, hours: 2, events: [['recovered', 'warning', /reachable again/]] },
  { answer: 'hang', hours: 2, events: [['unreachable', 'warning', /unreachable/]] },
  { answer: BASE, hours: 2, events: [['recovered', 'notice', /newly allowed: \/b/]] },
  { answer: 'reset', hours: 1, events: [['unreachable', 'warning', /unreachable/]] },
  { answer: 'redirect', hours: 2, events: [['recovered', 'notice', /the file is as it was/]] },
  { answer: 'circle', hours: 2, events: [['disappeared', 'warning', /everything is open/]] },
  {
    answer: '<!doctype html><title>x</title>',
    hours: 2,
    events: [['appeared', 'critical', /there is a file now/]],
  },
  {
    answer: `${BASE}${'# x\n'.repeat(150_000)}`,
    hours: 2,
    events: [['blocked', 'warning', /newly blocked: \/cart/]],
  },
  { answer: 410, hours: 2, events: [['disappeared', 'warning', /status 410/]] },
];

function answerWith(answer: Step['answer'], url: string, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (answer === 'reset') response.destroy();
  else if (answer === 'circle') response.writeHead(302, { location: '/robots.txt' }).end();
  else if (answer === 'redirect' && url === '/robots.txt')
    response.writeHead(301, { location: '/moved' }).end();
  else if (typeof answer === 'number') response.writeHead(answer).end();
  else response.writeHead(200, { 'cache-control': 'max-age=60' }).end(answer === 'redirect' ? BASE : answer);
}

const postgres = await findPostgres();

describe.each(['SQLite', 'PostgreSQL'])('%s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  let server: TestDatabase | undefined;
  let database: WatchDatabase;
  beforeAll(async () => {
    if (kind === 'PostgreSQL' && postgres !== undefined) server = await startPostgres(postgres);
    database = await openWatchDatabase((await server?.create('watch')) ?? join(folder, 'watch.sqlite'));
  }, 60_000);
  afterAll(async () => {
    await database.db.destroy();
    await server?.destroy();
    rmSync(folder, { recursive: true });
  });

  test.skipIf(kind === 'PostgreSQL' && postgres === undefined)(
    'a site that goes through twenty states: versions, events, severities and messages',
    async () => {
      let step = STEPS[0] as Step;
      const site = await serve(({ url = '' }, response) => answerWith(step.answer, url, response));
      const [ledger, outbox] = [new Ledger(database), new Outbox(database)];
      let now = START;
      const urls = await ledger.keepText('urls.txt', '/shop/a\n/shop/b\n# comment\n/about\n');
      const settings: SiteSettings = { every: HOUR, agents: [], urls, notify: ['log', 'feed:x'] };
      await ledger.addSites([site.origin], settings, () => START);
      const told: { target: string; title: string }[] = [];
      const run = (): Promise<void> =>
        work({
          ...{
            ledger,
            outbox,
            userAgent: 'test',
            publicOnly: false,
            timeout: 100,
            fetcher: refetchRobotsTxt,
          },
          signal: new AbortController().signal,
          now: () => now,
          sleep: async () => {},
          once: true,
          random: () => 0,
          deliver: async (target, { alerts }) => {
            told.push(...alerts.map(({ title }) => ({ target, title })));
            return { kind: 'delivered' };
          },
          onError: (what, error) => {
            throw new Error(what, { cause: error });
          },
        });
      let seen = 0;
      for (const each of STEPS) {
        step = each;
        for (let hour = 0; hour < each.hours; hour++) {
          await run();
          // Beyond the jitter, so that it is due.
          now += 1.1 * HOUR;
        }
        const events = (await ledger.events(1_000, site.origin)).reverse().slice(seen);
        seen += events.length;
        expect(events.map((event) => [event.kind, event.severity])).toEqual(
          each.events.map(([name, severity]) => [name, severity]),
        );
        for (const [index, event] of events.entries())
          expect(`${event.title}\n${event.text}`).toMatch(each.events[index]?.[2] as RegExp);
      }
      const versions = (await ledger.versions(site.origin)).reverse();
      expect(versions.map(({ number }) => number)).toEqual(versions.map((_, index) => index + 1));
      expect(versions.map((version) => version.kind)).toEqual([
        ...['found', 'found', 'found', 'found', 'found', 'found', 'absent', 'found', 'unreachable', 'found'],
        ...[
          'unreachable',
          'found',
          'unreachable',
          'found',
          'unreachable',
          'found',
          'absent',
          'found',
          'found',
          'absent',
        ],
      ]);
      // The same content is kept once.
      const { length } = await database.db.selectFrom('watch_contents').select('hash').execute();
      expect(length).toBe(new Set(versions.flatMap(({ hash }) => hash ?? [])).size + 1);
      const checks = versions.reduce((sum, version) => sum + Number(version.checks), 0);
      expect(checks).toBe(STEPS.reduce((sum, { hours }) => sum + hours, 0));
      // Each event is told once to each target, in order.
      const titles = (await ledger.events(1_000)).reverse().map(({ title }) => title);
      for (const target of ['log', 'feed:x'])
        expect(told.filter((each) => each.target === target).map(({ title }) => title)).toEqual(titles);
      expect(await outbox.counts()).toEqual({ waiting: 0, dropped: 0 });
      await site.close();
    },
    120_000,
  );
});
