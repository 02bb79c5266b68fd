/** Events about the crawlers of an access log, and what workers do with a log. */
import { appendFileSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { LogRepository } from '../../../src/watch/logs/log-repository.ts';
import type { LogSettings } from '../../../src/watch/logs/log-settings.ts';
import { readWatchedLog } from '../../../src/watch/logs/log-state.ts';
import { type LogWorkerOptions, workLogs } from '../../../src/watch/logs/log-worker.ts';
import { readTimeline } from '../../../src/watch/logs/site-timeline.ts';
import type { WatchDatabase } from '../../../src/watch/storage/database.ts';
import { LEASE_TIME } from '../../../src/watch/storage/rows.ts';
import { SiteRepository } from '../../../src/watch/storage/site-repository.ts';
import { createTestFolder } from '../../support/folder.ts';
import { createSettings, recordCheck } from '../../support/recorded-checks.ts';
import { describeKinds, withLeaseTime } from '../../support/watch-databases.ts';
import { formatLogLine, WrittenLog } from '../../support/watched-log.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 10);
const SITE = 'https://a.example';

interface Parts {
  readonly database: WatchDatabase;
  readonly logs: LogRepository;
  readonly log: WrittenLog;
  /** Reads the log at a time. @returns the kinds, severities and titles of the new events. */
  readonly read: (time: number, options?: Partial<LogWorkerOptions>) => Promise<string[]>;
}

describeKinds((withDatabase) => {
  /** Runs work with a log of a site whose robots.txt disallows /private. */
  async function withLog(
    work: (parts: Parts) => Promise<void>,
    settings: Partial<LogSettings> = {},
  ): Promise<void> {
    await withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([SITE], createSettings(['log']), () => START - 7 * DAY);
      await recordCheck(database, SITE, START - 7 * DAY, Buffer.from('User-agent: *\nDisallow: /private\n'));
      await database.db.run(sql`delete from watch_events`);
      const log = new WrittenLog(join(createTestFolder('watched-log'), 'access.log'));
      const logs = new LogRepository(database);
      await logs.add({ origin: SITE, path: log.path }, { every: DAY, ...settings }, START);
      const read = async (time: number, options: Partial<LogWorkerOptions> = {}): Promise<string[]> => {
        const titles: string[] = [];
        await workLogs({
          ...{ repository: logs, signal: new AbortController().signal, now: () => time, once: true },
          ...{ sleep: async () => {}, readTimeline: (origin) => readTimeline(database, origin) },
          onRead: (_origin, _path, events) => {
            for (const { kind, severity, title } of events)
              titles.push(`${kind} ${severity} ${title.replace(`${SITE}: `, '').replace(log.path, 'LOG')}`);
          },
          ...options,
        });
        return titles;
      };
      await work({ database, logs, log, read });
    });
  }

  test('the first reading names the crawlers, and later ones a new crawler once', () =>
    withLog(async ({ log, read }) => {
      log.append('GPTBot', START - HOUR, 3);
      appendFileSync(log.path, formatLogLine(START - HOUR, 'Firefox', '/visitor'));
      expect(await read(START)).toEqual([
        'log-first info the access log LOG is read from now on: 3 of 4 requests are of 1 crawler',
      ]);
      log.append('Bytespider', START + HOUR, 2);
      log.append('GPTBot', START + HOUR);
      expect(await read(START + DAY)).toEqual([
        'crawler-new info a new crawler in the access log: Bytespider',
      ]);
      log.append('Bytespider', START + DAY + HOUR);
      expect(await read(START + 2 * DAY)).toEqual([]);
    }));

  test('a crawler that begins to violate the rules is reported once, with the rule', () =>
    withLog(async ({ log, read }) => {
      log.append('GPTBot', START - HOUR);
      await read(START);
      const violate = (time: number): void =>
        appendFileSync(log.path, formatLogLine(time, 'GPTBot', '/private/a'));
      violate(START + HOUR);
      violate(START + HOUR);
      expect(await read(START + DAY)).toEqual([
        'crawler-violates warning GPTBot begins to violate the robots.txt: 2 requests for URLs that line 2 of version 1 disallows (/private)',
      ]);
      violate(START + DAY + HOUR);
      expect(await read(START + 2 * DAY)).toEqual([]);
    }));

  test('a violation of a verified crawler is an error, and spoofed requests are none', async () => {
    const ranges = createTestFolder('ranges');
    mkdirSync(join(ranges, 'GPTBot'));
    const list = { creationTime: '2026-10-01T00:00:00Z', prefixes: [{ ipv4Prefix: '192.0.2.0/24' }] };
    writeFileSync(join(ranges, 'GPTBot', '2026-10-01.json'), JSON.stringify(list));
    await withLog(
      async ({ log, read }) => {
        appendFileSync(log.path, formatLogLine(START - HOUR, 'GPTBot', '/private', '198.51.100.1'));
        expect(await read(START)).toEqual([expect.stringContaining('log-first')]);
        appendFileSync(log.path, formatLogLine(START + HOUR, 'GPTBot', '/private', '192.0.2.7'));
        expect(await read(START + DAY)).toEqual([
          expect.stringMatching(/^crawler-violates error GPTBot begins to violate/),
          'crawler-new info a new crawler in the access log: GPTBot',
        ]);
      },
      { ranges },
    );
  });

  test('the rules count that a crawler had read in an earlier reading', () =>
    withLog(async ({ database, log, read }) => {
      appendFileSync(log.path, formatLogLine(START - 2 * HOUR, 'GPTBot', '/robots.txt'));
      await read(START);
      await recordCheck(database, SITE, START + HOUR, Buffer.from('User-agent: *\nDisallow: /\n'));
      // It still has the version that allows the URL.
      appendFileSync(log.path, formatLogLine(START + 2 * HOUR, 'GPTBot', '/a'));
      expect(await read(START + DAY)).toEqual([]);
      appendFileSync(log.path, formatLogLine(START + DAY + HOUR, 'GPTBot', '/robots.txt'));
      expect(await read(START + 2 * DAY)).toEqual([]);
      appendFileSync(log.path, formatLogLine(START + 2 * DAY, 'GPTBot', '/a'));
      expect(await read(START + 3 * DAY)).toEqual([
        expect.stringContaining('line 2 of version 2 disallows (/)'),
      ]);
    }));

  test('a crawler that no longer fetches the robots.txt is reported once, until it fetches it again', () =>
    withLog(async ({ log, read }) => {
      const fetch = (time: number): void =>
        appendFileSync(log.path, formatLogLine(time, 'GPTBot', '/robots.txt'));
      fetch(START - HOUR);
      log.append('GPTBot', START - HOUR);
      await read(START);
      log.append('GPTBot', START + 12 * HOUR);
      expect(await read(START + DAY)).toEqual([]);
      log.append('GPTBot', START + 2 * DAY - HOUR);
      const expected =
        'crawler-without-robots info GPTBot no longer fetches the robots.txt: its last fetch was at 2026-11-09T23:00:00Z';
      expect(await read(START + 2 * DAY)).toEqual([expected]);
      log.append('GPTBot', START + 3 * DAY - HOUR);
      expect(await read(START + 3 * DAY)).toEqual([]);
      fetch(START + 4 * DAY - HOUR);
      await read(START + 4 * DAY);
      log.append('GPTBot', START + 6 * DAY);
      expect(await read(START + 6 * DAY)).toEqual([
        expect.stringContaining('its last fetch was at 2026-11-13T23'),
      ]);
    }));

  test('requests that have risen fivefold are reported from a hundred on, also after a longer pause', () =>
    withLog(async ({ log, read }) => {
      log.append('GPTBot', START - DAY, 20);
      log.append('Bytespider', START - DAY, 2);
      await read(START);
      log.append('GPTBot', START + HOUR, 99);
      expect(await read(START + DAY)).toEqual([]);
      log.append('GPTBot', START + DAY + HOUR, 495);
      log.append('Bytespider', START + DAY + HOUR, 99);
      expect(await read(START + 2 * DAY)).toEqual([
        'crawler-rise warning the requests of GPTBot have risen: 495 since the last reading, 5 times as many; at most 99 before in such a time',
      ]);
      // Five days, at 495 a day.
      log.append('GPTBot', START + 3 * DAY, 2_475);
      expect(await read(START + 7 * DAY)).toEqual([]);
    }));

  test('the requests of an early reading are compared with those of a whole interval', () =>
    withLog(async ({ database, log, read }) => {
      log.append('GPTBot', START - DAY, 20);
      await read(START);
      log.append('GPTBot', START + HOUR, 99);
      expect(await read(START + DAY)).toEqual([]);
      // In an hour more than five times as many as in an hour of the day before, but not as in that day.
      await database.db.run(sql`update watch_logs set due_at = ${START}`);
      log.append('GPTBot', START + DAY + MINUTE, 400);
      expect(await read(START + DAY + HOUR)).toEqual([]);
      await database.db.run(sql`update watch_logs set due_at = ${START}`);
      log.append('GPTBot', START + DAY + HOUR + MINUTE, 495);
      expect(await read(START + DAY + 2 * HOUR)).toEqual([
        expect.stringContaining('495 since the last reading, 5 times as many; at most 99 before'),
      ]);
    }));

  test('a missing log is reported once, and its return too; no line is lost', () =>
    withLog(async ({ database, log, logs, read }) => {
      log.append('GPTBot', START - HOUR);
      await read(START);
      log.append('GPTBot', START + HOUR);
      renameSync(log.path, `${log.path}.saved`);
      const missing = 'log-incomplete warning the access log LOG: cannot read';
      expect(await read(START + DAY)).toEqual([expect.stringContaining(missing)]);
      expect((await logs.list())[0]?.failure).toContain('it does not exist');
      expect(await read(START + 2 * DAY)).toEqual([]);
      renameSync(`${log.path}.saved`, log.path);
      expect(await read(START + 3 * DAY)).toEqual([
        'log-complete info the access log LOG is read completely again',
      ]);
      expect((await logs.list())[0]).toMatchObject({ failure: null, due_at: START + 4 * DAY });
      expect(await countRequests(database)).toEqual(log.counts);
    }));

  test('lines that may be missing, and lines that cannot be read, are reported', () =>
    withLog(async ({ log, read }) => {
      log.append('GPTBot', START - HOUR);
      await read(START);
      unlinkSync(log.path);
      writeFileSync(log.path, formatLogLine(START + HOUR, 'GPTBot', '/a'));
      expect(await read(START + DAY)).toEqual([
        'log-incomplete warning the access log LOG: lines since 2026-11-10T00:00:00Z may be missing: the file was replaced or emptied, and no rotated file beside it continues it',
      ]);
      appendFileSync(log.path, 'no line of a log\n'.repeat(20));
      expect(await read(START + 2 * DAY)).toEqual([]);
      expect(await read(START + 3 * DAY)).toEqual([expect.stringContaining('log-complete')]);
      appendFileSync(log.path, 'no line of a log\n'.repeat(20));
      expect(await read(START + 4 * DAY)).toEqual([
        'log-incomplete warning the access log LOG: 20 of 20 lines cannot be read; set their format with --format',
      ]);
    }));

  test('events are delivered as others are, with the severities of the site', () =>
    withLog(async ({ database, log, read }) => {
      await new SiteRepository(database).addSites(
        [SITE],
        { ...createSettings(['log']), severity: { 'crawler-new': 'error' }, notifyFrom: { log: 'error' } },
        () => START,
      );
      await read(START);
      log.append('GPTBot', START + HOUR);
      expect(await read(START + DAY)).toEqual([expect.stringContaining('crawler-new error')]);
      const rows = await database.db.all<{ kind: string }>(
        sql`select kind from watch_outbox join watch_events on id = event`,
      );
      expect(rows).toEqual([{ kind: 'crawler-new' }]);
    }));

  test('a log that one worker reads is not read by another one until the lease has expired', () =>
    withLog(async ({ database, log }) => {
      let time = START;
      const logs = new LogRepository(withLeaseTime(database, () => time));
      const claimed = await logs.claim('crashed', START);
      expect(claimed?.path).toBe(log.path);
      time += LEASE_TIME - 1;
      expect(await logs.claim('other', START)).toBeUndefined();
      time++;
      const other = await logs.claim('other', START);
      expect(other?.path).toBe(log.path);
      if (claimed === undefined || other === undefined) throw new Error('nothing was claimed');
      // What the first worker has read does not count.
      const result = { at: START, log: null, failure: 'late', impacts: [], dueAt: START + DAY };
      await logs.record(claimed, result);
      expect((await logs.list())[0]).toMatchObject({ failure: null, lease_owner: 'other', due_at: START });
      await logs.record(other, { ...result, failure: null });
      expect((await logs.list())[0]).toMatchObject({ lease_owner: null, due_at: START + DAY });
    }));

  test('a log of another machine is not read', () =>
    withLog(async ({ database, log }) => {
      const other = new LogRepository(database, 'other');
      expect(await other.claim('worker', START)).toBeUndefined();
      await other.add({ origin: SITE, path: log.path }, { every: DAY }, START);
      expect(await other.claim('worker', START)).toMatchObject({ path: log.path });
      expect(await other.remove(log.path)).toBe(1);
    }));

  test('a stopped reading is repeated, and a removed site has no logs', () =>
    withLog(async ({ database, log, logs, read }) => {
      log.append('GPTBot', START - HOUR, 3);
      const stop = new AbortController();
      const readStopped = async (origin: string): ReturnType<typeof readTimeline> => {
        stop.abort(new Error('stopped'));
        return readTimeline(database, origin);
      };
      expect(await read(START, { signal: stop.signal, readTimeline: readStopped })).toEqual([]);
      expect((await logs.list())[0]).toMatchObject({ state: null, lease_owner: null, due_at: START });
      await read(START);
      expect(await countRequests(database)).toEqual(log.counts);
      await new SiteRepository(database).removeSites([SITE]);
      expect(await logs.list()).toEqual([]);
    }));

  test('what is stored has a limit: of a thousand and more names that the catalogue does not know, the latest stay', () =>
    withLog(async ({ database, log, read }) => {
      for (let each = 0; each < 900; each++) log.append(`Old${each}bot`, START - HOUR);
      await read(START);
      for (let each = 0; each < 900; each++) log.append(`New${each}bot`, START + HOUR);
      log.append('GPTBot', START + HOUR);
      expect(await read(START + DAY)).toEqual([
        'crawler-new info 901 new crawlers in the access log: GPTBot and 900 others',
      ]);
      const names = [...(await countRequests(database)).keys()];
      expect(names.length).toBe(1_001);
      expect(names.filter((name) => name.startsWith('New')).length).toBe(900);
    }));
});

/** Counts the stored requests by crawler. */
async function countRequests({ db }: WatchDatabase): Promise<Map<string, number>> {
  const row = await db.get<{ state: string }>(sql`select state from watch_logs`);
  const log = readWatchedLog(row?.state ?? null);
  return new Map(log?.crawlers.map(([name, { requests }]) => [name, requests]));
}
