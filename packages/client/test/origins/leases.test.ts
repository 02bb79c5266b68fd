import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ClientEvent } from '../../src/origins/events/client-event.ts';
import { FailSafeStore } from '../../src/origins/fail-safe-store.ts';
import type { Fetcher } from '../../src/origins/fetch-origin.ts';
import { LEASE_TIME, Leases } from '../../src/origins/leases.ts';
import { Origins } from '../../src/origins/origins.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { ClientStore, FullStore } from '../../src/store/store.ts';
import { createFile, type Result } from '../support/results.ts';

const ORIGIN = 'http://a.example';

/** A site that redirects to another one, which responds when `answer` is called. */
function createRedirect() {
  const requests: string[] = [];
  let respond = (_outcome: Result): void => {};
  const fetcher: Fetcher = async (url, _validators, { mayFollow }) => {
    requests.push(url);
    if (url === `${ORIGIN}/robots.txt`) {
      await mayFollow('http://target.example/moved/robots.txt');
      return createFile('User-agent: *\n');
    }
    return new Promise((resolve) => {
      respond = resolve;
    });
  };
  return { requests, fetcher, answer: (outcome: Result) => respond(outcome) };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a lease', () => {
  const startTimers = (): void => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
  };
  const errors: unknown[] = [];
  const open = (store: FullStore): Leases =>
    new Leases(
      new FailSafeStore(
        store,
        (_origin, error) => errors.push(error),
        () => {},
      ),
    );

  test('is renewed while its owner works, and expires seconds after the owner crashed', async () => {
    startTimers();
    const store = new MemoryStore();
    const owner = open(store);
    expect(await owner.take(ORIGIN, 'owner')).toBe(true);
    for (let second = 0; second < 120; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      expect(await store.lease(ORIGIN, 'other', LEASE_TIME)).toBe(false);
    }
    // A crash: no renewal, no release.
    owner.end('owner');
    let waited = 0;
    const other = open(store);
    while (!(await other.take(ORIGIN, 'other'))) {
      const since = performance.now();
      const wait = other.wait(since);
      await vi.advanceTimersByTimeAsync(1000);
      await wait;
      waited += performance.now() - since;
    }
    expect(waited).toBeLessThanOrEqual(LEASE_TIME + 1000);
    other.end('other');
    expect(vi.getTimerCount()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('delays other clients no longer than a fetch may take', async () => {
    startTimers();
    const store = new MemoryStore();
    await store.lease(ORIGIN, 'another', 60_000);
    const origins = new Origins({
      ...{ userAgent: 'TestBot', store, timeout: 10_000, fetcher: async () => createFile('User-agent: *\n') },
    });
    let isDecided = false;
    const decided = origins.getState(ORIGIN).then(({ policy }) => {
      isDecided = true;
      return policy.kind;
    });
    await vi.advanceTimersByTimeAsync(14_000);
    expect(isDecided).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await decided).toBe('rules');
  });
});

describe.each(['memory', 'SQLite'])('in %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-leases-'));
  const open = async (): Promise<FullStore> =>
    kind === 'memory' ? new MemoryStore() : openSqliteStore(join(folder, `${Math.random()}.sqlite`));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('a client that was suspended and lost its lease uses the newer response and stores nothing', async () => {
    const store = await open();
    // A suspended process does not renew its lease, which expires.
    const paused: ClientStore = {
      get: (origin) => store.get(origin),
      record: (...call) => store.record(...call),
      lease: (origin, owner) => store.lease(origin, owner, 1),
      renew: async () => {},
      release: (origin, owner) => store.release(origin, owner),
    };
    let resume = (_outcome: Result): void => {};
    const old = new Origins({
      ...{ userAgent: 'TestBot', store: paused },
      fetcher: () =>
        new Promise((resolve) => {
          resume = resolve;
        }),
    });
    const first = old.getState(ORIGIN);
    let isFetching = false;
    const next = new Origins({
      ...{ userAgent: 'TestBot', store },
      fetcher: async () => {
        isFetching = true;
        return createFile('User-agent: *\nDisallow: /new\n');
      },
    });
    const second = await next.getState(ORIGIN);
    expect(isFetching).toBe(true);
    resume(createFile('User-agent: *\nDisallow: /old\n'));
    expect((await first).history).toEqual(second.history);
    expect(Buffer.from((await store.get(ORIGIN))?.response?.bytes ?? []).toString()).toContain('/new');
    await store.close();
  });

  test('a client that waits for a lease continues when the owner has stored its response', async () => {
    const store = await open();
    const events: ClientEvent[] = [];
    let answer = (_outcome: Result): void => {};
    let requests = 0;
    const options = {
      ...{ userAgent: 'TestBot', store, onEvent: (event: ClientEvent) => events.push(event) },
      fetcher: () => {
        requests++;
        return new Promise<Result>((resolve) => {
          answer = resolve;
        });
      },
    };
    const first = new Origins(options).getState(ORIGIN);
    await expect.poll(() => requests).toBe(1);
    const second = new Origins(options).getState(ORIGIN);
    await expect.poll(() => events.map((event) => event.kind)).toContain('waiting');
    answer(createFile('User-agent: *\nDisallow: /x\n'));
    expect((await second).history).toEqual((await first).history);
    expect(requests).toBe(1);
    await store.close();
  });

  test('a client waits for another that fetches an origin as the target of a redirect', async () => {
    const store = await open();
    const events: ClientEvent[] = [];
    const { requests, fetcher, answer } = createRedirect();
    const options = {
      ...{ userAgent: 'TestBot', store, fetcher, onEvent: (event: ClientEvent) => events.push(event) },
    };
    const redirecting = new Origins(options).getState(ORIGIN);
    await expect.poll(() => requests).toContain('http://target.example/robots.txt');
    const target = new Origins(options).getState('http://target.example');
    await expect.poll(() => events.map((event) => event.kind)).toContain('waiting');
    answer(createFile('User-agent: *\nDisallow: /x\n'));
    expect((await redirecting).policy.kind).toBe('rules');
    expect((await target).policy.kind).toBe('rules');
    expect(requests).toEqual([`${ORIGIN}/robots.txt`, 'http://target.example/robots.txt']);
    await store.close();
  });

  test('a client that follows a redirect waits for another that fetches the target', async () => {
    const store = await open();
    const { requests, fetcher, answer } = createRedirect();
    const target = new Origins({ userAgent: 'TestBot', store, fetcher }).getState('http://target.example');
    await expect.poll(() => requests).toContain('http://target.example/robots.txt');
    const lease = vi.spyOn(store, 'lease');
    const redirecting = new Origins({ userAgent: 'TestBot', store, fetcher }).getState(ORIGIN);
    await expect.poll(() => lease.mock.calls.map(([origin]) => origin)).toContain('http://target.example');
    answer(createFile('User-agent: *\nDisallow: /x\n'));
    expect((await redirecting).policy.kind).toBe('rules');
    expect((await target).policy.kind).toBe('rules');
    expect(requests).toEqual(['http://target.example/robots.txt', `${ORIGIN}/robots.txt`]);
    await store.close();
  });
});

// Only in memory, because the sites wait for each other for two seconds: the contract of stores tests the leases of all stores.
test('two sites that redirect to each other are decided', async () => {
  const store = new MemoryStore();
  const sites = [ORIGIN, 'http://b.example'] as const;
  const fetcher: Fetcher = async (url, _validators, { mayFollow }) => {
    const other = url.startsWith(sites[0]) ? sites[1] : sites[0];
    await mayFollow(`${other}/moved/robots.txt`);
    return createFile('User-agent: *\nDisallow: /x\n');
  };
  const states = sites.map((site) => new Origins({ userAgent: 'TestBot', store, fetcher }).getState(site));
  for (const { policy } of await Promise.all(states)) expect(policy.kind).toBe('rules');
  await store.close();
});
