import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GOOGLE, GOOGLE_2022, RFC9309 } from '@maycrawl/core';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { Origins } from '../../src/origins/origins.ts';
import { NO_HEADERS } from '../../src/robots/fetch-result.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { FullStore } from '../../src/store/store.ts';
import { createFile, createUnreachable, type Result } from '../support/results.ts';

const ORIGIN = 'http://a.example';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MAX_AHEAD = 5 * MINUTE;
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-clock-'));
afterAll(() => rmSync(folder, { recursive: true }));

const withLifetime = (cacheControl: string): Result => ({
  ...createFile(FILE),
  headers: { ...NO_HEADERS, cacheControl },
});
const FILE = 'User-agent: *\nDisallow: /x\n';
const RESULTS: Readonly<Record<string, Result>> = {
  found: createFile(FILE),
  short: withLifetime('max-age=60'),
  long: withLifetime('max-age=99999999'),
  absent: { ...createUnreachable(), kind: 'unavailable', code: 'http-status' },
  down: createUnreachable(),
};

const step = fc.record({
  jump: fc.oneof(
    fc.integer({ min: -90 * MINUTE, max: 90 * MINUTE }),
    fc.integer({ min: -40 * DAY, max: 40 * DAY }),
    fc.integer({ min: -3000 * DAY, max: 3000 * DAY }),
  ),
  result: fc.constantFrom(...Object.keys(RESULTS)),
  isForced: fc.boolean(),
});

/** Runs a client through changes of the clock, and checks its state and its store after each. */
async function runThrough(
  store: FullStore,
  profile: typeof GOOGLE,
  steps: readonly { jump: number; result: string; isForced: boolean }[],
): Promise<void> {
  let now = Date.UTC(2026, 10, 21);
  let result: Result = RESULTS['found'] as Result;
  let fetches = 0;
  const fetcher = async (url: string): Promise<Result> => {
    // In a long outage the client also requests the home page.
    if (url.endsWith('/robots.txt')) fetches++;
    return result;
  };
  const origins = new Origins({ userAgent: 'TestBot', store, profile, fetcher, now: () => now });
  for (const { jump, result: name, isForced } of steps) {
    now += jump;
    result = RESULTS[name] as Result;
    const before = fetches;
    const { policy, history } = await origins.getState(ORIGIN, { mode: isForced ? 'force' : 'default' });
    const isFetched = fetches > before;
    const { response: answer, outage } = history;
    if (answer !== null) expect(answer.staleAt).toBeGreaterThan(answer.fetchedAt);
    if (isFetched && result.kind !== 'unreachable') expect(answer?.fetchedAt).toBe(now);
    if (isFetched && result.kind === 'unreachable') expect(outage?.since).toBeLessThanOrEqual(now);
    if (!isFetched && outage === null && policy.kind !== 'unknown') {
      // A response is used without a request only during its lifetime.
      expect(answer?.fetchedAt).toBeLessThanOrEqual(now + MAX_AHEAD);
      expect((answer?.fetchedAt as number) + 7 * DAY).toBeGreaterThan(now);
    }
    // While a response is fresh, an outage has no effect and causes no request.
    const isFresh = answer !== null && now < answer.staleAt && answer.fetchedAt <= now + MAX_AHEAD;
    if (!isFetched && outage !== null && !isFresh) expect(outage.lastAt).toBeLessThanOrEqual(now + MAX_AHEAD);
    // No change of the clock causes repeated requests.
    const count = fetches;
    await origins.getState(ORIGIN);
    expect(fetches).toBe(count);
    const stored = await store.get(ORIGIN);
    expect(stored).toEqual(history);
  }
  await store.close();
}

test.each([
  ['memory', async () => new MemoryStore()],
  ['SQLite', async () => openSqliteStore(join(folder, `${Math.random()}.sqlite`))],
] as const)(
  'whichever way the clock is set, %s: responses and outages keep their order',
  async (_name, open) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(GOOGLE, GOOGLE_2022, RFC9309),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (profile, steps) => runThrough(await open(), profile, steps),
      ),
      { numRuns: getFuzzRuns(15) },
    );
  },
  60_000,
);
