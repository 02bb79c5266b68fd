import { describe, expect, test } from 'vitest';
import { DatabaseError } from '../../src/database/database-error.ts';
import { Origins } from '../../src/origins/origins.ts';
import type { OriginHistory } from '../../src/robots/history.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import type { ClientStore } from '../../src/store/store.ts';
import { createFile, createUnreachable, type Result } from '../support/results.ts';

const ORIGIN = 'http://a.example';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 10, 21, 12);

const RULES = createFile('User-agent: *\nDisallow: /x\n');

class FullStore extends MemoryStore {
  override async record(...call: Parameters<MemoryStore['record']>): Promise<OriginHistory> {
    if ('response' in call[1]) return super.record(...call);
    throw new DatabaseError('database-full', 'the store is full');
  }
}

describe('failures that are not in the store continue the outage in memory', () => {
  test.each<[string, (now: () => number) => ClientStore, 'network' | 'private-address']>([
    ['private addresses, which are not shared', (now) => new MemoryStore({ now }), 'private-address'],
    ['a full store', (now) => new FullStore({ now }), 'network'],
  ])('%s', async (_what, createStore, code) => {
    let now = NOON;
    const store = createStore(() => now);
    const fetcher = async (): Promise<Result> => (now === NOON ? RULES : createUnreachable(code));
    const origins = new Origins({ userAgent: 'TestBot', store, now: () => now, fetcher });
    await origins.getState(ORIGIN);
    now += 25 * HOUR;
    const since = now;
    const pauses: number[] = [];
    for (let failures = 1; failures <= 6; failures++) {
      const { history, refreshAt } = await origins.getState(ORIGIN);
      expect(history.outage).toMatchObject({ since, failures });
      expect(history.response).toMatchObject({ fetchedAt: NOON });
      pauses.push(refreshAt - now);
      now = refreshAt;
    }
    for (const [at, pause] of pauses.entries()) expect(pause).toBeGreaterThan(pauses[at - 1] ?? 0);
  });

  test('a response that another client stores ends it', async () => {
    let now = NOON;
    const store = new MemoryStore({ now: () => now });
    const options = { userAgent: 'TestBot', store, now: () => now };
    const origins = new Origins({ ...options, fetcher: async () => createUnreachable('private-address') });
    await origins.getState(ORIGIN);
    now += MINUTE;
    await new Origins({ ...options, fetcher: async () => RULES }).getState(ORIGIN);
    now += MINUTE;
    const { policy, history } = await origins.getState(ORIGIN);
    expect(policy.kind).toBe('rules');
    expect(history.outage).toBeNull();
  });
});

test('a file that changes while the clock stands still is parsed again, and one that does not change is not', async () => {
  const files = ['Disallow: /x', 'Disallow: /x', 'Disallow: /y'];
  let fetches = 0;
  const fetcher = async (): Promise<Result> => createFile(`User-agent: *\n${files[fetches++]}\n`);
  const origins = new Origins({ userAgent: 'TestBot', now: () => NOON, fetcher });
  const [first, same, changed] = [
    (await origins.getState(ORIGIN)).policy,
    (await origins.getState(ORIGIN, { mode: 'force' })).policy,
    (await origins.getState(ORIGIN, { mode: 'force' })).policy,
  ];
  if (first.kind !== 'rules' || same.kind !== 'rules' || changed.kind !== 'rules')
    throw new Error('a policy without rules');
  expect(same.robots).toBe(first.robots);
  expect(first.robots.ruleset('TestBot').decide('/y').kind).toBe('allowed');
  expect(changed.robots.ruleset('TestBot').decide('/y').kind).toBe('disallowed');
});
