/** What a caller can reach does not change the decisions of other callers, or what a store contains. */
import { expect, test } from 'vitest';
import * as client from '../src/index.ts';
import * as internal from '../src/internal.ts';
import type { Fetcher } from '../src/origins/fetch-origin.ts';
import * as policies from '../src/policy.ts';
import * as sitemaps from '../src/sitemap.ts';
import { createResponse } from './support/histories.ts';
import { createFile, createUnreachable } from './support/results.ts';

const { GOOGLE, MemoryStore, parse, RobotsClient } = client;

const HOME = 'https://a.example/private';
const FILE = 'User-agent: *\nDisallow: /private\nSitemap: https://a.example/sitemap.xml\n';
/** 2 MB more than a file that is copied to a string. */
const LONG_FILE = `${FILE}${'#\n'.repeat(5_000)}`;
const START = 1_800_000_000_000;

let attempts = 0;

/** Tries to change everything that is reachable from a value, and the bytes of each array. */
function change(value: unknown, seen = new Set<unknown>()): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    attempts++;
    new Uint8Array(value.buffer, value.byteOffset, value.byteLength).fill(0x23);
    return;
  }
  for (const key of Reflect.ownKeys(value)) {
    const current: unknown = Reflect.get(value, key);
    change(current, seen);
    if (key === 'prototype' || typeof current === 'function') continue;
    attempts++;
    Reflect.set(value, key, typeof current === 'boolean' ? !current : typeof current === 'number' ? 7 : 'x');
    Reflect.deleteProperty(value, key);
  }
  if (Array.isArray(value) && !Object.isFrozen(value)) value.push('127.0.0.1');
}

/** A fetcher that reuses its buffer and its objects after each fetch, and so changes what it returned. */
function createFetcher(file: string): Fetcher {
  return async (url, validators) => {
    const result = {
      ...createFile(file, url),
      ...(validators !== undefined && { kind: 'not-modified' as const }),
      headers: { ...internal.NO_HEADERS, etag: '"1"' },
    };
    setImmediate(() => change(result));
    return result;
  };
}

const failing: Fetcher = async () => createUnreachable();

test.each([
  ['short', FILE],
  ['long', LONG_FILE],
])(
  'clients that share a store are not changed by callers of each other, with a %s file',
  async (_size, file) => {
    let now = START;
    const store = new MemoryStore({ now: () => now });
    const create = (fetcher = createFetcher(file)): client.RobotsClient =>
      new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot/1.0', store, fetcher, now: () => now });
    const [first, second] = [create(), create()];
    const spoil = async (): Promise<void> => {
      for (const each of [first, second]) {
        change(await each.robots(HOME));
        change(await each.decide(HOME));
        change(each);
      }
      change(await store.get('https://a.example'));
      change(await store.events('https://a.example'));
      change(await store.stats());
      await new Promise((resolve) => setImmediate(resolve));
    };
    const requireRules = async (...clients: client.RobotsClient[]): Promise<void> => {
      for (const each of clients) {
        expect(await each.decide(HOME)).toMatchObject({ kind: 'disallowed', rule: { line: 2 } });
        expect(await each.sitemaps(HOME)).toEqual(['https://a.example/sitemap.xml']);
        expect(each.userAgent).toBe('TestBot/1.0');
        const { history, refreshAt } = await each.robots(HOME);
        expect(new TextDecoder().decode(history.response?.bytes)).toBe(file);
        expect(refreshAt).toBeGreaterThan(now);
      }
    };
    await spoil();
    await requireRules(first, second, create());
    // The server confirms the response, and the client takes the stored file.
    now += 2 * 86_400_000;
    await requireRules(first, second, create());
    await spoil();
    await requireRules(first, second, create());
    // An outage uses the stored file, too.
    now += 2 * 86_400_000;
    const inOutage = create(failing);
    expect((await inOutage.decide(HOME)).kind).toBe('disallowed');
    change(await inOutage.robots(HOME));
    now += 13 * 3_600_000;
    expect(await inOutage.decide(HOME)).toMatchObject({ kind: 'disallowed', reason: 'rule' });
    expect((await store.events('https://a.example')).map(({ kind }) => kind)).toContain('unreachable');
    expect(attempts).toBeGreaterThan(100);
  },
);

test('a store is not changed by what a caller passed to it, or got from it', async () => {
  const store = new MemoryStore();
  const response = createResponse(START, { bytes: new TextEncoder().encode(FILE) });
  const stored = await store.record('https://a.example', { response });
  const before = JSON.stringify(await store.get('https://a.example'));
  change(stored);
  change(response);
  change(await store.get('https://a.example'));
  expect(JSON.stringify(await store.get('https://a.example'))).toBe(before);
  expect(structuredClone(await store.get('https://a.example'))?.response?.bytes).toEqual(
    new TextEncoder().encode(FILE),
  );
});

test('the agent, profile and servers that a caller passed can change later, without effect', async () => {
  const agent = { name: 'Mine', tokens: ['TestBot'], obeys: 'rules' as const };
  const profile = { ...GOOGLE, name: 'own' };
  const fetcher: Fetcher = createFetcher('User-agent: TestBot\nDisallow: /private\n');
  const mine = new RobotsClient({ agent, userAgent: 'TestBot', profile, fetcher });
  agent.tokens[0] = 'OtherBot';
  Object.assign(agent, { obeys: 'nothing' });
  Object.assign(profile, { missingSlash: 'add' });
  expect((await mine.decide(HOME)).kind).toBe('disallowed');
});

test('the resolver of the process, and the addresses that it returns, cannot be changed', async () => {
  const resolver = internal.getSharedResolver();
  change(resolver);
  expect(() => Object.assign(resolver, { resolve: async () => ['127.0.0.1'] })).toThrow(TypeError);
  change(await resolver.resolve('localhost'));
  change(await resolver.resolve('a.localhost'));
  expect(await internal.getSharedResolver().resolve('localhost')).toEqual(['127.0.0.1', '::1']);
});

test('no decision depends on what a caller did to an exported value', async () => {
  const scenario = {
    ...{ profile: GOOGLE, before: null, lasts: 1e10, isSiteReachable: true, until: 1e10 },
    result: { code: 'network', status: 503, retryAfter: null, saysNotFound: false },
  } as const;
  const decideAll = async (): Promise<string> => {
    const mine = new RobotsClient({
      agent: 'TestBot',
      userAgent: 'TestBot/1.0',
      fetcher: failing,
      now: () => START,
    });
    return JSON.stringify([
      await mine.decide(HOME),
      await mine.robots(HOME),
      policies.simulateOutage(scenario),
      internal.getFreshnessLifetime(internal.NO_HEADERS, START),
      sitemaps.SITEMAP_LIMITS,
      parse(FILE).ruleset('TestBot').decide('/private'),
      internal.getBackoff({ first: 1, longest: 100 }, 3),
    ]);
  };
  const before = await decideAll();
  for (const module of [client, internal, policies, sitemaps])
    for (const exported of Object.values(module)) if (typeof exported !== 'function') change(exported);
  for (const interval of policies.simulateOutage(scenario)) change(interval);
  change(internal.getEffectivePolicy(GOOGLE, { response: null, outage: null }, { now: START }));
  expect(await decideAll()).toBe(before);
});
