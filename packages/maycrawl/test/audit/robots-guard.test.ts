import { expect, test } from 'vitest';
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
