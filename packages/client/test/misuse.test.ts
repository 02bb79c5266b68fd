/** Misspelled and missing options, and options of a wrong type, are errors at every public entry. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createRobotsHook } from '../src/adapters/crawlee.ts';
import { createRobotsFetch } from '../src/adapters/fetch.ts';
import robotsParser from '../src/adapters/robots-parser.ts';
import * as client from '../src/index.ts';
import * as internal from '../src/internal.ts';
import type { Fetcher } from '../src/origins/fetch-origin.ts';
import { simulateOperatorOutage, simulateOutage } from '../src/policy.ts';
import { openSitemap, readSitemap } from '../src/sitemap.ts';
import { createFile } from './support/results.ts';

const { fetchRobotsTxt, GOOGLE, MemoryStore, RobotsClient, refetchRobotsTxt } = client;

/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

/** A function that must not be called. */
const fail = async (): Promise<never> => {
  throw new Error('called');
};

const HOME = 'http://a.example/';
let fetches = 0;
const fetcher: Fetcher = async (url) => {
  fetches++;
  return createFile('User-agent: TestBot\nDisallow: /private\n', url);
};
const GOOD = { agent: 'TestBot', userAgent: 'TestBot/1.0', fetcher } as const;
const create = (options: object = {}): client.RobotsClient => new RobotsClient({ ...GOOD, ...options });
const policy = client.createAddressPolicy();
const { signal } = new AbortController();
const scenario = {
  ...{ profile: GOOGLE, before: null, result: 'unavailable' as const },
  ...{ lasts: 1, isSiteReachable: true, until: 1 },
} as const;
const NO_HISTORY = { response: null, outage: null };
const body = (): Readable => Readable.from([Buffer.from(HOME)]);
const failure = { code: 'network', status: null, retryAfter: null, saysNotFound: false } as const;

/** An entry, a call with a misspelled option, and the nearest name; a text with a space is a part of the message. */
const MISSPELLED: readonly [entry: string, run: () => unknown, message: string][] = [
  ['RobotsClient', () => create({ allowPrivateAdresses: false }), 'allowPrivateAddresses'],
  ['RobotsClient', () => create({ lookup: null }), 'The options are userAgent, allowPrivateAddresses,'],
  ['RobotsClient.decide', () => create().decide(HOME, any({ redirectFrom: HOME })), 'redirectedFrom'],
  ['RobotsClient.decideAll', () => create().decideAll([], any({ concurency: 1 })), 'concurrency'],
  ['RobotsClient.robots', () => create().robots(HOME, any({ singal: signal })), 'signal'],
  ['RobotsClient.sitemaps', () => create().sitemaps(HOME, any({ singal: signal })), 'signal'],
  ['RobotsClient.crawlDelay', () => create().crawlDelay(HOME, any({ singal: signal })), 'signal'],
  ['RobotsClient.preferences', () => create().preferences(HOME, 'TestBot', any({ header: [] })), 'headers'],
  [
    'fetchRobotsTxt',
    () => fetchRobotsTxt(HOME, any({ allowPrivateAdresses: false })),
    'allowPrivateAddresses',
  ],
  ['fetchRobotsTxt', () => fetchRobotsTxt(HOME, { deadlines: any({ header: 5 }) }), 'headers'],
  [
    'fetchRobotsTxt',
    () => fetchRobotsTxt(HOME, { profile: any({ ...GOOGLE, comparision: 1 }) }),
    'comparison',
  ],
  ['refetchRobotsTxt', () => refetchRobotsTxt(HOME, undefined, any({ maxbytes: 5 })), 'maxBytes'],
  ['createRobotsFetch', () => createRobotsFetch(create(), any({ maxRedirect: 5 })), 'maxRedirects'],
  ['RobotsClient.takeTurn', () => create().takeTurn(HOME, any({ maxwait: 1 })), 'maxWait'],
  ['RobotsClient.takeTurn', () => create().pace(HOME, () => {}, any({ singal: signal })), 'signal'],
  ['pace', () => create({ pace: { spacng: 1 } }), 'spacing'],
  ['pace', () => new client.Pacer(any({ concurency: 1 })), 'concurrency'],
  ['Pacer.take', () => new client.Pacer().take('a', any({ singal: signal })), 'signal'],
  ['signature', () => create({ signature: { key: 'x', agnet: 'https://bot.example' } }), 'agent'],
  ['signature', () => createRobotsFetch(create(), { signature: any({ keys: [] }) }), 'key'],
  ['signature', () => client.createRequestSigner(any({ key: 'x', agents: [] })), 'agent'],
  [
    'createAddressPolicy',
    () => client.createAddressPolicy(any({ allowPrivateAdresses: false })),
    'allowPrivateAddresses',
  ],
  ['createResolver', () => client.createResolver(any({ server: [] })), 'servers'],
  ['createResolver', () => client.createResolver({ limits: any({ totals: 5 }) }), 'total'],
  ['Resolver.resolve', () => client.createResolver().resolve('127.0.0.1', any({ singal: signal })), 'signal'],
  ['simulateOutage', () => simulateOutage(any({ ...scenario, lasts_: 5 })), 'lasts'],
  [
    'simulateOutage',
    () => simulateOutage({ ...scenario, before: any({ kind: '', fresFor: 1 }) }),
    'freshFor',
  ],
  [
    'simulateOperatorOutage',
    () => simulateOperatorOutage({ whenUnavailable: null, whenUnreachable: null }, any(scenario)),
    'unknown option "profile"',
  ],
  ['simulateOutage', () => simulateOutage({ ...scenario, result: any({ ...failure, cod: 1 }) }), 'code'],
  ['MemoryStore', () => new MemoryStore(any({ maxByte: 5 })), 'maxBytes'],
  ['openSqliteStore', () => client.openSqliteStore(':memory:', any({ maxorigins: 5 })), 'maxOrigins'],
  ['openPostgresStore', () => client.openPostgresStore('postgres://h/d', any({ maxage: 5 })), 'maxAge'],
  ['readSitemap', () => readSitemap(body(), any({ bytes: 5, entry: 5 })), 'The options are bytes, entries.'],
  ['openSitemap', () => openSitemap(HOME, any({ request: fail, findRefusl: null })), 'findRefusal'],
];

/** Runs a call, and returns its error, thrown or as a rejection. */
async function getError(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

test.each(MISSPELLED)(
  '%s refuses a misspelled option, and names the nearest one',
  async (_entry, run, name) => {
    const error = await getError(run);
    expect(error).toBeInstanceOf(TypeError);
    const message = name.includes(' ') ? name : `Did you mean "${name}"?`;
    expect((error as Error).message).toContain(message);
  },
);

/** An entry, a call without a required option or with one of a wrong type, and the message. */
const INVALID: readonly [entry: string, run: () => unknown, message: string][] = [
  ['RobotsClient', () => new RobotsClient(any({})), 'RobotsClient: the option "agent" is missing'],
  ['RobotsClient', () => new RobotsClient(any(undefined)), 'the options must be an object, not undefined'],
  ['RobotsClient', () => new RobotsClient(any({ agent: 'a' })), 'the option "userAgent" is missing'],
  ['RobotsClient', () => create({ timeout: '5' }), 'the option "timeout" must be of type number, not "5"'],
  [
    'RobotsClient',
    () => create({ agent: 5 }),
    'the option "agent" must be of type string or object or array',
  ],
  ...['cache.sqlite', null, new Map()].map((store): (typeof INVALID)[number] => [
    'RobotsClient',
    () => create({ store }),
    'not a store',
  ]),
  ['createRobotsFetch', () => createRobotsFetch(create(), { maxRedirects: any('5') }), 'of type number'],
  ['fetchRobotsTxt', () => fetchRobotsTxt(HOME, any('google')), 'the options must be an object'],
  ['RobotsClient.decide', () => create().decide(HOME, any('https://a.example/')), 'must be an object'],
  ['RobotsClient.decideAll', () => create().decideAll(any(HOME)), 'URLs must be an iterable'],
  ...[{}, new Map(), { permit: () => false }, { permits: true }].flatMap((each): typeof INVALID => [
    [
      'RobotsClient',
      () => create({ addressPolicy: each }),
      'not an address policy: it has no method permits',
    ],
    ['fetchRobotsTxt', () => fetchRobotsTxt(HOME, { addressPolicy: any(each) }), 'not an address policy'],
    [
      'ConnectionPool',
      () => new internal.ConnectionPool({ connections: 1, timeout: 1, addressPolicy: any(each) }),
      'not an address policy',
    ],
    [
      'connectTo',
      () => internal.connectTo(HOME, { resolver: client.createResolver(), policy: any(each), signal }),
      'not an address policy',
    ],
  ]),
  ['Origins', () => new internal.Origins({ userAgent: 'a', addressPolicy: any({}) }), 'address policy'],
  ['connectTo', () => internal.connectTo(HOME, { resolver: any({}), policy, signal }), 'not a resolver'],
  ['getEffectivePolicy', () => internal.getEffectivePolicy(GOOGLE, any(null), { now: 1 }), 'not a history'],
  ['getEffectivePolicy', () => internal.getEffectivePolicy(GOOGLE, any({}), { now: 1 }), 'not a history'],
  ['getEffectivePolicy', () => internal.getEffectivePolicy(any({}), NO_HISTORY, { now: 1 }), 'not a profile'],
  ['fetchRobotsTxt', () => fetchRobotsTxt(HOME, { resolver: any({}) }), 'not a resolver'],
  ['refetchRobotsTxt', () => refetchRobotsTxt(HOME, undefined, { resolver: any({}) }), 'not a resolver'],
  ...[null, undefined, {}, { decide: true }].flatMap((each): typeof INVALID => [
    ['createRobotsFetch', () => createRobotsFetch(any(each)), 'not a client: it has no method decide'],
    ['createRobotsHook', () => createRobotsHook(any(each)), 'not a client: it has no method decide'],
  ]),
  ...(
    [
      ['RobotsClient.decide', (each) => create().decide(HOME, each)],
      [
        'RobotsClient.decide',
        (each) => create().decide(HOME, { ...each, redirectedFrom: 'http://b.example/' }),
      ],
      ['RobotsClient.decideAll', (each) => create().decideAll([HOME], each)],
      ['RobotsClient.robots', (each) => create().robots(HOME, each)],
      ['RobotsClient.sitemaps', (each) => create().sitemaps(HOME, each)],
      ['RobotsClient.crawlDelay', (each) => create().crawlDelay(HOME, each)],
      ['RobotsClient.preferences', (each) => create().preferences(HOME, 'TestBot', each)],
      [
        'Origins.getState',
        (each) => new internal.Origins({ userAgent: 'a' }).getState('http://a.example', each),
      ],
      ['fetchRobotsTxt', (each) => fetchRobotsTxt(HOME, each)],
      ['Resolver.resolve', (each) => client.createResolver().resolve('a.example', each)],
    ] satisfies [string, (options: { signal: AbortSignal }) => unknown][]
  ).map(([entry, run]): (typeof INVALID)[number] => [
    entry,
    () => run({ signal: any({}) }),
    'not an AbortSignal: it has no method throwIfAborted',
  ]),
  [
    'robotsParser',
    () => robotsParser(HOME, '').isAllowed(HOME, any(5)),
    'an agent name must be a string, not 5',
  ],
];

test.each(INVALID)('%s refuses a missing option, or one of a wrong type', async (_entry, run, message) => {
  const error = await getError(run);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toContain(message);
});

test('values outside of a range or list are refused', async () => {
  expect(() => create({ loading: 'late' })).toThrow(RangeError);
  const { getState } = {
    getState: (...args: [string, object?]) => new internal.Origins({ userAgent: 'a' }).getState(...args),
  };
  await expect(getState('http://a.example', { mode: 'forced' })).rejects.toThrow(RangeError);
  for (const origin of [HOME, 'a.example', '', 'http://a.example/robots.txt'])
    await expect(getState(origin)).rejects.toThrow(/not an origin/);
  await expect(getState(any(new URL(HOME)))).rejects.toThrow(/not an origin/);
  expect(() => simulateOutage({ ...scenario, result: any('503') })).toThrow(RangeError);
});

test('no request is sent for a call that is refused', async () => {
  const before = fetches;
  for (const [, run] of [...MISSPELLED, ...INVALID]) await getError(run);
  expect(fetches).toBe(before);
});
