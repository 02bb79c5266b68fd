/** Misspelt options, headers of other crawlers, and changes of what callers share. */
import { decide, parse } from '@maycrawl/core';
import { afterAll, describe, expect, test } from 'vitest';
import { createRobotsFetch } from '../src/adapters/fetch.ts';
import { createAddressPolicy } from '../src/http/address-policy.ts';
import { fetchRobotsTxt, RobotsClient } from '../src/index.ts';
import { MemoryStore } from '../src/store/memory.ts';
import { openPostgresStore, openSqliteStore } from '../src/store/open-store.ts';
import { serve, type TestServer } from './support/server.ts';

/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

const GOOD = { agent: 'TestBot', userAgent: 'TestBot/1.0' };
const URL_OF_FILE = 'http://127.0.0.1:2/robots.txt';

test.each([
  ['RobotsClient', { ...GOOD, allowprivate: true }, 'allowPrivate'],
  ['RobotsClient', { ...GOOD, stroe: null }, 'store'],
  ['RobotsClient', { ...GOOD, agents: ['TestBot'] }, 'agent'],
])('%s refuses a misspelled option: %j', (_entry, options, name) => {
  expect(() => new RobotsClient(any(options))).toThrow(TypeError);
  expect(() => new RobotsClient(any(options))).toThrow(`Did you mean "${name}"?`);
});

test('the constructor of a client names the option that is missing, or has another type', () => {
  expect(() => new RobotsClient(any({}))).toThrow('the option "agent" is missing');
  expect(() => new RobotsClient(any({ agent: 'TestBot' }))).toThrow('the option "userAgent" is missing');
  expect(() => new RobotsClient(any({ ...GOOD, timeout: '5' }))).toThrow(
    '"timeout" must be of type number, not "5"',
  );
  for (const options of [undefined, null, 'TestBot', []])
    expect(() => new RobotsClient(any(options))).toThrow(/the options must be an object/);
});

const client = new RobotsClient(GOOD);
const MISSPELLED = [
  ['fetchRobotsTxt', () => fetchRobotsTxt(URL_OF_FILE, any({ lookup: () => {} })), 'lookup'],
  ['fetchRobotsTxt', () => fetchRobotsTxt(URL_OF_FILE, { deadlines: any({ conect: 5 }) }), 'connect'],
  ['decide', () => client.decide(URL_OF_FILE, any({ redirectedForm: URL_OF_FILE })), 'redirectedFrom'],
  ['robots', () => client.robots(URL_OF_FILE, any({ singal: 5 })), 'signal'],
  ['sitemaps', () => client.sitemaps(URL_OF_FILE, any({ singal: 5 })), 'signal'],
  ['crawlDelay', () => client.crawlDelay(URL_OF_FILE, any({ singal: 5 })), 'signal'],
  ['preferences', () => client.preferences(URL_OF_FILE, 'TestBot', any({ header: [] })), 'headers'],
  ['decideAll', async () => client.decideAll([], any({ concurency: 5 })), 'concurrency'],
  ['createRobotsFetch', async () => createRobotsFetch(client, any({ maxRedirect: 5 })), 'maxRedirects'],
  ['MemoryStore', async () => new MemoryStore(any({ maxByte: 5 })), 'maxBytes'],
  ['openSqliteStore', () => openSqliteStore('unused.sqlite', any({ maxOrigin: 5 })), 'maxOrigins'],
  ['openPostgresStore', () => openPostgresStore('postgres://127.0.0.1:2/x', any({ maxages: 5 })), 'maxAge'],
  ['createAddressPolicy', async () => createAddressPolicy(any({ allowprivate: true })), 'allowPrivate'],
] as const;

test.each(MISSPELLED)(
  '%s refuses a misspelled option before it sends a request',
  async (_entry, run, name) => {
    await expect(run()).rejects.toThrow(new RegExp(`unknown option .*"?${name}"?`));
  },
);

describe('the User-Agent header of a client', () => {
  test.each([
    ['MyBot', 'MyBot/1.0 (+https://example.com/bot)'],
    ['MyBot', 'Mozilla/5.0 (compatible; mybot/2.0; +https://example.com/bot)'],
    ['MJ12bot', 'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)'],
    ['Googlebot News', 'Googlebot/2.1 (+http://www.google.com/bot.html)'],
    ['MyBot', 'MyBot'],
    ['*', 'whatever/1.0'],
    [{ tokens: ['a', 'MyBot'] }, 'MyBot/1.0'],
  ])('%j may send %j', (agent, userAgent) => {
    expect(new RobotsClient({ agent, userAgent }).userAgent).toBe(userAgent);
  });

  test.each([
    ['MyBot', 'NotMyBot/1.0'],
    ['MyBot', 'MyBotX/1.0'],
    ['Googlebot', 'Googlebot-Image/1.0'],
    ['MyBot', 'Mozilla/5.0 (compatible; OtherBot/1.0) MyBotX'],
    ['MyBot', 'Mozilla/5.0 (compatible; Googlebot/2.1) MyBot/1.0'],
    [
      'MyBot',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
    ],
    ['MyBot', 'Mozilla/5.0 (compatible;PetalBot;+https://example.com/MyBot)'],
    [{ tokens: ['Foo Bar'] }, 'Foo/1.0'],
  ])('%j may not send %j, because owners would write rules for another name', (agent, userAgent) => {
    expect(() => new RobotsClient({ agent, userAgent })).toThrow(RangeError);
  });
});

const sites: TestServer[] = [];
afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()));
});

test('URLs can be instances of URL in all methods', async () => {
  const text =
    'User-agent: *\nDisallow: /a\nCrawl-delay: 3\nSitemap: /relative.xml\nSitemap: https://x.example/é.xml\n';
  const site = await serve((_request, response) => response.end(text));
  sites.push(site);
  const local = new RobotsClient({ ...GOOD, allowPrivate: true });
  const url = new URL('/a', site.origin);
  expect((await local.decide(url)).kind).toBe('disallowed');
  expect((await local.decide(url, { redirectedFrom: new URL('/b', site.origin) })).kind).toBe('disallowed');
  expect((await local.robots(url)).policy.kind).toBe('rules');
  expect(await local.crawlDelay(url)).toBe(3);
  // A sitemap must be an absolute URL, which need not be encoded.
  expect(await local.sitemaps(url)).toEqual(['https://x.example/é.xml']);
  expect((await local.preferences(url)).crawl).toBe('disallowed');
  const verdicts = [];
  for await (const result of local.decideAll([url])) verdicts.push(result);
  expect(verdicts).toMatchObject([{ url: url.href, verdict: { kind: 'disallowed' } }]);
  expect(await fetchRobotsTxt(new URL('/robots.txt', site.origin), { allowPrivate: true })).toMatchObject({
    kind: 'successful',
  });
  await expect(local.decide(any(5))).rejects.toThrow(TypeError);
  await local.idle();
});

test('what one caller does to a state does not change the decisions of others', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a\n'));
  sites.push(site);
  const local = new RobotsClient({ ...GOOD, allowPrivate: true });
  const url = `${site.origin}/a`;
  const state = await local.robots(url);
  const attempts: (() => void)[] = [
    () => Object.assign(state, { policy: { kind: 'allow-all', reason: 'unavailable' } }),
    () => Object.assign(state.policy, { kind: 'allow-all' }),
    () => Object.assign(state.policy, { robots: parse('') }),
    () => Object.assign(state.history, { response: null }),
    () => Object.assign(state.history.response as object, { bytes: new Uint8Array() }),
    () => Object.assign(state.history.response?.headers as object, { cacheControl: 'max-age=0' }),
  ];
  for (const attempt of attempts) expect(attempt).toThrow(TypeError);
  state.history.response?.bytes.fill(0x20);
  expect((await local.decide(url)).kind).toBe('disallowed');
  expect(decide((await local.robots(url)).history.response?.bytes ?? '', 'TestBot', '/a').kind).toBe(
    'disallowed',
  );
  await local.idle();
});
