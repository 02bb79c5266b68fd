import { GOOGLE } from '@maycrawl/core';
import { expect, test } from 'vitest';
import { type AddressPolicy, createAddressPolicy } from '../../src/http/address-policy.ts';
import { RobotsClient } from '../../src/origins/client/client.ts';
import type { Fetcher } from '../../src/origins/fetch-origin.ts';
import { refetchRobotsTxt } from '../../src/robots/fetch.ts';
import { getEffectivePolicy } from '../../src/robots/outage/outage-policy.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createUnreachable, fetchText } from '../support/results.ts';
import { serve } from '../support/server.ts';
import { countTurns } from '../support/turns.ts';

const bytes = new TextEncoder().encode('User-agent: *\nDisallow: /private\n');
const fetcher = fetchText('User-agent: *\nDisallow: /private\n');
const create = (options: object = {}): RobotsClient =>
  new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot', fetcher, ...options });
const ORIGIN = 'http://127.0.0.1:8080';

/** Yields one URL, and then waits forever. */
async function* stall(): AsyncGenerator<string> {
  yield `${ORIGIN}/private`;
  await new Promise(() => {});
}

test('decideAll ends when the caller aborts, also while its input waits forever', async () => {
  const aborter = new AbortController();
  const decided = (async () => {
    for await (const _each of create().decideAll(stall(), { signal: aborter.signal }))
      setImmediate(() => aborter.abort(new Error('enough')));
  })();
  await expect(decided).rejects.toThrow('enough');
});

test('decideAll ends when the caller returns, also while its input waits forever', async () => {
  const kinds: string[] = [];
  for await (const each of create().decideAll(stall())) {
    kinds.push('verdict' in each ? each.verdict.kind : 'error');
    break;
  }
  expect(kinds).toEqual(['disallowed']);
});

test('an input that waits is closed after its pending value', async () => {
  let goOn = (): void => {};
  let isClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  async function* input(): AsyncGenerator<string> {
    try {
      yield `${ORIGIN}/`;
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      yield `${ORIGIN}/`;
    } finally {
      isClosed();
    }
  }
  for await (const _each of create().decideAll(input())) break;
  goOn();
  await closed;
});

test('an input that failed is not closed again', async () => {
  let closings = 0;
  const input: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error('broken')),
      return: async () => {
        closings++;
        return { done: true, value: undefined };
      },
    }),
  };
  await expect(create().decideAll(input).next()).rejects.toThrow('broken');
  expect(closings).toBe(0);
});

test('decideAll gives way to the event loop between the URLs of one site', async () => {
  const urls = Array.from({ length: 10_000 }, (_, index) => `${ORIGIN}/${'a'.repeat(500)}${index}`);
  const client = create();
  let count = 0;
  const decide = async (): Promise<void> => {
    for await (const _each of client.decideAll(urls)) count++;
  };
  expect(await countTurns(decide)).toBeGreaterThan(5);
  expect(count).toBe(10_000);
});

test('a pause that exceeds the limit of timers is refused', () => {
  for (const spacing of [2 ** 31, 1e12, Number.POSITIVE_INFINITY])
    expect(() => create().decideAll([`${ORIGIN}/`], { spacing })).toThrow(RangeError);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('of the listener');
    },
  ],
  [
    'throws what cannot be converted to a string',
    () => {
      throw Object.create(null);
    },
  ],
  ['rejects without a reason', () => Promise.reject(undefined)],
])('a listener that %s changes no verdict and does not end the process', async (_title, onEvent) => {
  const unhandled: unknown[] = [];
  const warnings: Error[] = [];
  const noteUnhandled = (error: unknown): void => void unhandled.push(error);
  const noteWarning = (warning: Error): void => void warnings.push(warning);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', noteUnhandled).on('warning', noteWarning);
  try {
    const verdict = await create({ onEvent }).decide(`${ORIGIN}/private`);
    expect(verdict.kind).toBe('disallowed');
    while (warnings.length + unhandled.length === 0) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', noteUnhandled).off('warning', noteWarning);
    for (const each of others) process.on('unhandledRejection', each);
  }
  expect(unhandled).toEqual([]);
  expect(warnings.length).toBe(1);
});

test('a clock with fractions of milliseconds does not invalidate the store', async () => {
  const store = await openSqliteStore(':memory:');
  let fetches = 0;
  const options = {
    ...{ store, now: () => 1_800_000_000_000.25 },
    fetcher: (async (...request) => {
      fetches++;
      return fetcher(...request);
    }) satisfies Fetcher,
  };
  for (let count = 0; count < 2; count++)
    expect((await create(options).decide(`${ORIGIN}/private`)).kind).toBe('disallowed');
  expect(fetches).toBe(1);
  await store.close();
});

test.each<[string, () => unknown]>([
  ['throws', () => fail('the rules lost their database')],
  ['throws an error with a code', () => fail('no connection', 'ECONNREFUSED')],
  ['rejects', async () => fail('the rules lost their database')],
  ['returns nothing', () => undefined],
  ['returns a text', () => 'no'],
])(
  'a function mayFollow that %s is no outage of the site, and no refused redirect',
  async (_name, mayFollow) => {
    const site = await serve((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(302, { location: '/other' });
      response.end();
    });
    const fetched = refetchRobotsTxt(`${site.origin}/robots.txt`, undefined, {
      mayFollow: mayFollow as never,
    });
    await expect(fetched).rejects.toMatchObject({ code: 'caller-failed' });
    expect(site.requests).toEqual(['/robots.txt']);
    await site.close();
  },
);

interface Functions {
  readonly addressPolicy?: AddressPolicy;
  readonly resolver?: object;
}

test.each<[string, Functions]>([
  ['an address policy', { addressPolicy: { permits: () => fail('the policy lost its database') } }],
  ['a resolver', { resolver: { resolve: () => fail('the resolver has a bug') } }],
])('an error of %s is no outage of the site', async (_name, { addressPolicy, resolver }) => {
  const options = { addressPolicy: addressPolicy ?? createAddressPolicy({ allowPrivateAddresses: true }) };
  const client = create({
    ...options,
    fetcher: (url: string, validators: undefined, request: object) =>
      refetchRobotsTxt(url, validators, { ...request, ...(resolver && { resolver }) } as never),
  });
  await expect(client.decide('http://127.0.0.1:8089/x')).rejects.toMatchObject({ code: 'caller-failed' });
  const { policy, history } = await client.robots('http://127.0.0.1:8089/x').catch(() => NOTHING_STORED);
  expect([policy.kind, history.outage]).toEqual(['unknown', null]);
});

const NOTHING_STORED = { policy: { kind: 'unknown' }, history: { outage: null } };

function fail(message: string, code?: string): never {
  throw Object.assign(new Error(message), code && { code });
}

test('an address policy permits only with true', async () => {
  const addressPolicy = { permits: () => 'no' };
  const client = create({ addressPolicy, fetcher: refetchRobotsTxt });
  const { history } = await client.robots('http://127.0.0.1:8089/x');
  expect(history.outage?.code).toBe('private-address');
});

test.each([[[{ address: '127.0.0.1', family: 4 }]], ['127.0.0.1'], [[null]], [undefined]])(
  'a resolver that returns %j has failed',
  async (result) => {
    const resolver = { resolve: async () => result };
    const fetch = (url: string, validators: undefined, request: object) =>
      refetchRobotsTxt(url, validators, { ...request, resolver } as never);
    const client = create({ allowPrivateAddresses: true, fetcher: fetch });
    await expect(client.decide('http://a.example/x')).rejects.toMatchObject({ code: 'caller-failed' });
  },
);

test.each([
  { kind: 'successful', bytes: 'User-agent: *\nDisallow: /', hops: [], timings: { total: 1 } },
  { kind: 'Successful', bytes, hops: [], timings: { total: 1 } },
  { kind: 'successful', bytes },
  { kind: 'unavailable', hops: [], timings: { total: 1 } },
  { kind: 'unavailable', code: 'http_status', message: '', hops: [], timings: { total: 1 } },
  { kind: 'unreachable', code: 'network', message: 5, hops: [], timings: { total: 1 } },
  { kind: 'successful', bytes, hops: [{ status: 200 }], timings: { total: 1 } },
  { kind: 'successful', bytes, hops: [], headers: { cacheControl: 5 }, timings: { total: 1 } },
  { kind: 'successful', bytes, hops: [] },
  null,
  'successful',
  undefined,
])('the result %j of a fetcher is an error, not a file without rules', async (result) => {
  await expect(create({ fetcher: async () => result }).decide(`${ORIGIN}/private`)).rejects.toThrow(
    TypeError,
  );
});

const { response } = (await create().robots(`${ORIGIN}/`)).history;
const outage = {
  ...{ since: 1, lastAt: Date.now(), failures: 1, code: 'network', status: null, message: '', retryAt: null },
  ...{ saysNotFound: false, startsAfter: {}, hops: [], timings: { total: 1 } },
};
const allowing = { ...response, bytes: new Uint8Array() };

/** Histories whose wrong member would allow everything. */
const WRONG_HISTORIES: readonly [name: string, history: unknown][] = [
  ['an unknown kind', { outage: null, response: { ...allowing, kind: 'Unavailable' } }],
  ['no kind', { outage: null, response: { ...allowing, kind: undefined } }],
  ['bytes as base64', { outage: null, response: { ...allowing, bytes: 'VXNlci1hZ2VudDogKg==' } }],
  ['bytes as a list', { outage: null, response: { ...allowing, bytes: [85] } }],
  ['a time as text', { outage: null, response: { ...allowing, staleAt: String(response?.staleAt) } }],
  ['a time as a Date', { outage: null, response: { ...allowing, staleAt: new Date(4e12) } }],
  ['an infinite time', { outage: null, response: { ...allowing, staleAt: Infinity } }],
  ['no hops', { outage: null, response: { ...allowing, hops: undefined } }],
  ['no headers', { outage: null, response: { ...allowing, headers: undefined } }],
  ['no response', { outage: null }],
  ['no outage', { response: allowing }],
  ['a text', JSON.stringify({ outage: null, response: null })],
  ['nothing', {}],
  ['null', null],
  ['an outage without times', { response: allowing, outage: { ...outage, since: undefined } }],
  ['an outage since a text', { response: allowing, outage: { ...outage, since: '1' } }],
  ['an outage of an unknown code', { response: allowing, outage: { ...outage, code: 'netwrok' } }],
  ['an outage without classes', { response: allowing, outage: { ...outage, startsAfter: null } }],
];

test.each(WRONG_HISTORIES)('a stored history with %s counts as missing', async (_name, history) => {
  const errors: unknown[] = [];
  const store = { get: async () => history, record: async () => history, delete: async () => {} };
  const onEvent = (event: { kind: string }): unknown => event.kind === 'store-failed' && errors.push(event);
  expect((await create({ store, onEvent }).decide(`${ORIGIN}/private`)).kind).toBe('disallowed');
  expect(errors).not.toEqual([]);
  expect(() => getEffectivePolicy(GOOGLE, history as never, { now: Date.now() })).toThrow(TypeError);
});

test('a result of another shape does not prove that the site is otherwise reachable', async () => {
  let now = Date.UTC(2026, 0, 1);
  const failed = createUnreachable();
  const client = create({
    fetcher: async (url: string) =>
      url.endsWith('/robots.txt') ? failed : { ...failed, kind: 'Unreachable' },
    now: () => now,
  });
  await client.decide(`${ORIGIN}/`);
  now += 31 * 86_400_000;
  expect((await client.decide(`${ORIGIN}/`)).kind).toBe('disallowed');
});

test('preferences are those of the arguments at the time of the call', async () => {
  const url = new URL(`${ORIGIN}/page`);
  const headers = [['content-usage', 'train-ai=n']] as [string, string][];
  const agent = { name: 'GPTBot', tokens: ['GPTBot'], obeys: 'rules' as const };
  const found = create().preferences(url, agent, { headers });
  headers.length = 0;
  url.pathname = '/private';
  agent.tokens[0] = 'OtherBot';
  const { purposes, crawl, url: read } = await found;
  expect([purposes['ai-train']?.value, crawl, read]).toEqual(['disallowed', 'allowed', `${ORIGIN}/page`]);
});

test('what a caller adds to a robots.txt or a ruleset does not reach others', async () => {
  const { policy } = await create().robots(`${ORIGIN}/`);
  if (policy.kind !== 'rules') throw new Error('the file is missing');
  for (const shared of [policy.robots, policy.robots.ruleset('TestBot')])
    for (const name of ['ruleset', 'decide', 'lines'])
      expect(() => Object.assign(shared, { [name]: () => ({ kind: 'allowed' }) })).toThrow(TypeError);
});
