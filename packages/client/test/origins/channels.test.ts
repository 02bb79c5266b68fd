import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { GOOGLE_2022, RFC9309 } from '@maycrawl/core';
import { describe, expect, test } from 'vitest';
import { RobotsClient } from '../../src/origins/client/client.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import type { ClientEvent } from '../../src/origins/events/client-event.ts';
import type { ChannelMessages } from '../../src/origins/events/decision-event.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { collectMessages } from '../support/messages.ts';
import { createFile, createUnreachable, fetchText, type Result } from '../support/results.ts';
import { serve } from '../support/server.ts';

const ORIGIN = 'https://channels.example';
const FILE = 'User-agent: *\nDisallow: /private\n';
const MINUTE = 60_000;
const NAMES = ['fetch', 'decision', 'cache', 'outage'] as const;
const ALL: (keyof ChannelMessages)[] = NAMES.map((name) => `maycrawl:robots:${name}` as const);

function create(options: Partial<ClientOptions> = {}): RobotsClient {
  return new RobotsClient({
    agent: 'TestBot',
    userAgent: 'TestBot/1.0',
    fetcher: fetchText(FILE),
    ...options,
  });
}

/** Creates a client with a clock that only `pass` moves, whose fetches have the given results, the last of them forever. */
function createWith(
  results: Result[],
  options: Partial<ClientOptions> = {},
): { client: RobotsClient; pass: (time: number) => void } {
  let now = Date.UTC(2026, 10, 21);
  const fetcher = async (): Promise<Result> =>
    (results.length > 1 ? results.shift() : results[0]) ?? createFile('');
  const pass = (time: number): void => {
    now += time;
  };
  return { client: create({ fetcher, now: () => now, ...options }), pass };
}

const unreachable = (status: number): Result => ({
  ...createUnreachable(),
  code: 'http-status',
  hops: [{ url: `${ORIGIN}/robots.txt`, status }],
});

describe('maycrawl:robots:fetch', () => {
  test('a fetch over a socket is one frozen message with result, status, bytes, responses and duration', async () => {
    const server = await closeAtEnd(
      serve(({ url }, response) => {
        if (url === '/robots.txt') response.writeHead(302, { location: '/moved/robots.txt' }).end();
        else response.end(FILE);
      }),
    );
    const { origin } = server;
    const messages = collectMessages(['maycrawl:robots:fetch'], origin);
    const events: ClientEvent[] = [];
    const client = new RobotsClient({
      ...{ agent: 'TestBot', userAgent: 'TestBot/1.0', onEvent: (event) => events.push(event) },
    });
    await client.decide(`${origin}/a`);
    await client.decide(`${origin}/b`);
    expect(messages).toEqual([
      {
        ...{ kind: 'fetched', origin, url: `${origin}/robots.txt`, userAgent: 'TestBot/1.0' },
        ...{ result: 'successful', status: 200, code: null, bytes: FILE.length, responses: 2 },
        duration: expect.any(Number),
      },
    ]);
    expect(messages[0]?.duration).toBeGreaterThan(0);
    expect(Object.isFrozen(messages[0])).toBe(true);
    // The listener of the client receives the same object.
    expect(events).toEqual(messages);
    expect(events[0]).toBe(messages[0]);
  });

  test('a file that is missing has the status and the code', async () => {
    const messages = collectMessages(['maycrawl:robots:fetch'], ORIGIN);
    const missing = { ...unreachable(404), kind: 'unavailable' } as Result;
    await createWith([missing]).client.decide(`${ORIGIN}/`);
    expect(messages).toMatchObject([{ result: 'unavailable', status: 404, code: 'http-status', bytes: 0 }]);
  });

  test('an error of this machine is a message with the error, which the caller gets, too', async () => {
    const messages = collectMessages(['maycrawl:robots:fetch'], ORIGIN);
    const error = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const client = create({ fetcher: () => Promise.reject(error) });
    await expect(client.decide(`${ORIGIN}/`)).rejects.toBe(error);
    expect(messages).toMatchObject([{ kind: 'fetch-failed', origin: ORIGIN, error }]);
  });

  test('the rules of a redirect target are a fetch of their own', async () => {
    const target = 'https://target.example';
    const messages = collectMessages(['maycrawl:robots:fetch']);
    const client = create({
      fetcher: async (url, _validators, { mayFollow }) => {
        if (url === `${ORIGIN}/robots.txt`) await mayFollow(`${target}/rules`);
        return createFile(FILE, url);
      },
    });
    await client.decide(`${ORIGIN}/`);
    expect(messages.map(({ origin }) => origin)).toEqual([target, ORIGIN]);
  });
});

describe('maycrawl:robots:decision', () => {
  test('each decision of each method is one message', async () => {
    const client = create();
    await client.decide(`${ORIGIN}/warm`);
    const messages = collectMessages(['maycrawl:robots:decision'], ORIGIN);
    await client.decide(`${ORIGIN}/1`);
    await client.decide(`${ORIGIN}/2`, { signal: new AbortController().signal });
    for await (const _ of client.decideAll([`${ORIGIN}/3`, `${ORIGIN}/private/4`]));
    client.tryTurn(`${ORIGIN}/5`)?.end();
    // The turn that follows is a decision; an attempt without a turn is not.
    await expect(client.takeTurn(`${ORIGIN}/private/6`)).rejects.toThrow('forbidden');
    expect(client.tryTurn(`${ORIGIN}/private/7`)).toBeUndefined();
    const details = { kind: 'decided', origin: ORIGIN, userAgent: 'TestBot/1.0', retryAt: null };
    const allowed = { ...details, decision: 'allowed', reason: 'no-rule-matched', line: 0, code: null };
    const refused = { ...details, decision: 'disallowed', reason: 'rule', line: 2, code: 'disallowed' };
    expect(messages).toEqual([
      { ...allowed, url: `${ORIGIN}/1` },
      { ...allowed, url: `${ORIGIN}/2` },
      { ...allowed, url: `${ORIGIN}/3` },
      { ...refused, url: `${ORIGIN}/private/4` },
      { ...allowed, url: `${ORIGIN}/5` },
      { ...refused, url: `${ORIGIN}/private/6` },
    ]);
    expect(messages.every((message) => Object.isFrozen(message))).toBe(true);
  });

  test('a refusal in an outage says when to try again', async () => {
    const messages = collectMessages(['maycrawl:robots:decision'], ORIGIN);
    const verdict = await createWith([unreachable(503)]).client.decide(`${ORIGIN}/`);
    if (verdict.kind !== 'disallowed') throw new Error(verdict.kind);
    expect(verdict.retryAt).toBeGreaterThan(0);
    expect(messages).toMatchObject([
      { decision: 'disallowed', reason: 'unreachable', code: 'robots-unreachable', retryAt: verdict.retryAt },
    ]);
  });

  test('no message is created without a subscriber', async () => {
    const client = create();
    // The first decisions create what later ones share.
    for (const path of ['/first', '/second']) await client.decide(ORIGIN + path);
    const { freeze } = Object;
    let frozen = 0;
    Object.freeze = <T>(value: T): T => {
      frozen++;
      return freeze(value) as T;
    };
    try {
      await client.decide(`${ORIGIN}/1`);
      const without = frozen;
      const listen = (): void => {};
      subscribe('maycrawl:robots:decision', listen);
      await client.decide(`${ORIGIN}/2`);
      unsubscribe('maycrawl:robots:decision', listen);
      expect([without, frozen]).toEqual([0, 1]);
    } finally {
      Object.freeze = freeze;
    }
  });
});

describe('maycrawl:robots:cache', () => {
  test('a read is a hit, a miss, or stale while the file is fetched in the background', async () => {
    const messages = collectMessages(['maycrawl:robots:cache'], ORIGIN);
    const { client, pass } = createWith([createFile(FILE)], { staleWhileRevalidate: 60 * MINUTE });
    await client.decide(`${ORIGIN}/1`);
    await client.decide(`${ORIGIN}/2`);
    pass(24 * 60 * MINUTE + 1);
    await client.decide(`${ORIGIN}/3`);
    await client.idle();
    await client.decide(`${ORIGIN}/4`);
    const toRead = (result: string): object => ({ kind: 'read', origin: ORIGIN, result });
    expect(messages).toEqual(['miss', 'hit', 'stale', 'hit'].map(toRead));
  });

  test('evictions and failures of the store are messages', async () => {
    const messages = collectMessages(['maycrawl:robots:cache']);
    const client = create({ store: new MemoryStore({ maxOrigins: 1 }) });
    for (const name of ['a', 'b']) await client.decide(`https://${name}.example/`);
    const error = new Error('no store');
    const broken = { get: () => Promise.reject(error), record: () => Promise.reject(error) };
    await create({ store: broken }).decide('https://c.example/');
    expect(messages.filter(({ kind }) => kind !== 'read')).toEqual([
      { kind: 'evicted', origin: 'https://b.example', count: 1 },
      { kind: 'store-failed', origin: 'https://c.example', error },
    ]);
  });
});

describe('maycrawl:robots:outage', () => {
  test('an outage begins with the first failure and ends with the next response, also across clients of a store', async () => {
    const messages = collectMessages(['maycrawl:robots:outage'], ORIGIN);
    const store = new MemoryStore();
    const { client, pass } = createWith([unreachable(500), unreachable(503)], { store });
    await client.decide(`${ORIGIN}/`);
    const { refreshAt: retryAt } = await client.robots(`${ORIGIN}/`);
    const since = Date.UTC(2026, 10, 21);
    const began = { kind: 'outage-began', origin: ORIGIN, since, code: 'http-status', status: 500, retryAt };
    expect(messages).toEqual([began]);
    pass(2 * MINUTE);
    await client.decide(`${ORIGIN}/`);
    expect(messages).toEqual([began]);
    const later = create({ store, now: () => since + 60 * MINUTE });
    await later.decide(`${ORIGIN}/`);
    const ended = { ...{ kind: 'outage-ended', origin: ORIGIN, since, code: 'http-status', status: 503 } };
    expect(messages).toEqual([began, { ...ended, failures: 2, duration: 60 * MINUTE }]);
    expect(messages.every((message) => Object.isFrozen(message))).toBe(true);
  });

  test.each([
    ['a private address', GOOGLE_2022, createUnreachable('private-address')],
    ['a 429 under a profile that does not count it', RFC9309, unreachable(429)],
  ])('%s is no outage', async (_title, profile, result) => {
    const messages = collectMessages(['maycrawl:robots:outage'], ORIGIN);
    await createWith([result], { profile }).client.decide(`${ORIGIN}/`);
    expect(messages).toEqual([]);
  });
});

test('all channels are without subscribers again after the tests above', () => {
  expect(ALL.filter((name) => channel(name).hasSubscribers)).toEqual([]);
});
