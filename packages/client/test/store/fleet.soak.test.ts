import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { startClientProcess } from '../support/client-processes.ts';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import { HAS_REDIS, startRedis } from '../support/redis-server.ts';
import { serve, type TestServer } from '../support/server.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';
/** The sizes of the fleet. */
const [ORIGINS, CALLERS] = [
  Number(process.env['FLEET_ORIGINS'] ?? 200),
  Number(process.env['FLEET_CALLERS'] ?? 1_000),
];
const PROCESSES = 4;

const programs = await findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-fleet-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens an empty place for a store, and ends it. */
type Open = () => Promise<{ readonly place: string; readonly close: () => Promise<void> }>;
let files = 0;
const STORES: readonly (readonly [name: string, isThere: boolean, open: Open])[] = [
  ['SQLite', true, async () => ({ place: join(folder, `${files++}.sqlite`), close: async () => {} })],
  [
    'PostgreSQL',
    programs !== undefined,
    async () => {
      const database = await startPostgres(programs as string);
      return { place: database.url, close: () => database.destroy() };
    },
  ],
  [
    'Redis',
    HAS_REDIS,
    async () => {
      const redis = await startRedis();
      return { place: redis.url, close: () => redis.close() };
    },
  ],
];

describe.each(STORES)('a fleet of four processes with a store in %s', (name, isThere, open) => {
  const sites: TestServer[] = [];
  afterEach(async () => {
    for (const site of sites.splice(0)) await site.close();
  });
  const serveAll = async (listener: (site: number, response: ServerResponse) => void): Promise<string[]> => {
    for (let index = 0; index < ORIGINS; index++)
      sites.push(await serve((_request, response) => listener(index, response)));
    return sites.map(({ origin }) => origin);
  };

  test.skipIf(!isThere)('makes one request to each origin, whatever the number of its callers', async () => {
    const { place, close } = await open();
    onTestFinished(close);
    const origins = await serveAll((_site, response) => {
      setTimeout(() => response.end(FILE), 50);
    });
    const processes = Array.from({ length: PROCESSES }, (_, index) =>
      startClientProcess(place, origins, CALLERS, index),
    );
    const results = await Promise.all(processes.map(({ result }) => result));
    for (const result of results)
      expect(result?.counts).toEqual({ allowed: 0, disallowed: ORIGINS * CALLERS });
    expect(sites.map(({ requests }) => requests.length)).toEqual(sites.map(() => 1));
  });

  test.skipIf(!isThere)('takes over the origins of a process that is killed while it fetches', async () => {
    const { place, close } = await open();
    onTestFinished(close);
    const waiting = new Set<number>();
    const isRetried = new Set<number>();
    let notify = (): void => {};
    const allFetched = new Promise<void>((resolve) => {
      notify = resolve;
    });
    const origins = await serveAll((site, response) => {
      if (waiting.has(site)) {
        isRetried.add(site);
        response.end(FILE);
        return;
      }
      // The first request gets no response: its process has the lease.
      waiting.add(site);
      if (waiting.size === ORIGINS) notify();
    });
    const holder = startClientProcess(place, origins, 1);
    await allFetched;
    const processes = Array.from({ length: PROCESSES - 1 }, (_, index) =>
      startClientProcess(place, origins, CALLERS, index + 1),
    );
    // Each of them waits for leases that the holder renews.
    await Promise.all(processes.map(({ child }) => once(child, 'message')));
    expect(isRetried.size).toBe(0);
    holder.child.kill('SIGKILL');
    const killedAt = Date.now();
    expect(await holder.result).toBeUndefined();
    const results = await Promise.all(processes.map(({ result }) => result));
    const times = results
      .flatMap((result) => result?.decidedAt ?? [])
      .map((time) => time - killedAt)
      .sort((a, b) => a - b);
    process.stdout.write(
      `${name}: ${times.length} verdicts after ${times[0]} to ${times.at(-1)} ms, median ${times[times.length >> 1]} ms\n`,
    );
    for (const result of results)
      expect(result?.counts).toEqual({ allowed: 0, disallowed: ORIGINS * CALLERS });
    expect(sites.map(({ requests }) => requests.length)).toEqual(sites.map(() => 2));
  });
});
