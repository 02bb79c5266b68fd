import { expect, test } from 'vitest';
import { NO_HEADERS } from '../../../client/src/robots/fetch-result.ts';
import { RobotsGuard } from '../../src/audit/crawl/robots-guard.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';

const { signal } = new AbortController();
const run = { robots: { set: () => {} } } as unknown as RunStore;

test.each([
  ['10', 10_000],
  ['0.5', 500],
  ['86400', 86_400_000],
  ['2592000', 86_400_000],
  ['999999999', 86_400_000],
])('a Crawl-delay is at most a day: %s', async (delay, milliseconds) => {
  const instead = Buffer.from(`User-agent: *\nCrawl-delay: ${delay}\n`);
  const guard = new RobotsGuard(run, {
    agents: ['Googlebot'],
    profile: 'google',
    userAgent: 'test',
    instead,
  });
  expect((await guard.getSite('http://site.test', signal)).crawlDelay).toBe(milliseconds);
});

test('a stale file is fetched again, and applies longer while that fails', async () => {
  let now = Date.UTC(2026, 0, 1);
  let current: string | null = 'User-agent: *\nDisallow: /a\n';
  const stored: unknown[] = [];
  const fetched: number[] = [];
  const hops = [{ url: 'http://site.test/robots.txt', status: 200 }];
  const headers = { ...NO_HEADERS, cacheControl: 'max-age=60' };
  const guard = new RobotsGuard(
    { robots: { set: (row: unknown) => stored.push(row) } } as unknown as RunStore,
    {
      ...{ agents: ['Googlebot'], profile: 'google', userAgent: 'test', instead: null, now: () => now },
      fetcher: async () => {
        fetched.push(now);
        const trace = { hops, headers, timings: { total: 1 } };
        return current === null
          ? { kind: 'unreachable', code: 'network', message: 'reset', ...trace }
          : { kind: 'successful', bytes: Buffer.from(current), ...trace };
      },
    },
  );
  const mayFetch = async (path: string): Promise<boolean> =>
    (await guard.getSite('http://site.test', signal)).mayFetch(`http://site.test${path}`);
  expect([await mayFetch('/a'), await mayFetch('/b')]).toEqual([false, true]);
  current = 'User-agent: *\nDisallow: /b\n';
  now += 59_000;
  expect([await mayFetch('/a'), await mayFetch('/b')]).toEqual([false, true]);
  expect(guard.findSite('http://site.test')).toBeDefined();
  now += 2_000;
  expect(guard.findSite('http://site.test')).toBeUndefined();
  expect([await mayFetch('/a'), await mayFetch('/b')]).toEqual([true, false]);
  current = null;
  now += 61_000;
  expect([await mayFetch('/a'), await mayFetch('/b')]).toEqual([true, false]);
  current = 'User-agent: *\nDisallow: /\n';
  now += 24 * 3_600_000;
  expect([await mayFetch('/a'), await mayFetch('/b')]).toEqual([false, false]);
  expect([fetched.length, stored.length]).toEqual([4, 3]);
});
