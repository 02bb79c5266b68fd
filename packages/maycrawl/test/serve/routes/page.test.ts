import type { RequestListener } from 'node:http';
import { refetchRobotsTxt } from '@maycrawl/client';
import { createAddressPolicy } from '@maycrawl/client/internal';
import { Ajv } from 'ajv';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { PAGE_REPORT, type PageReport } from '../../../src/api/page-api.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ limits: { hostSpacing: 0 } });
});
afterAll(() => service.app.close());

let site: TestServer;
afterEach(() => site.close());

const ROBOTS = 'User-agent: *\nDisallow: /private\nDisallow: /a.js\n';

/** Serves a page for each path that robots.txt does not name. */
async function serveSite(html: string): Promise<void> {
  site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.end(ROBOTS);
    else if (url === '/moved') response.writeHead(301, { location: '/page' }).end();
    else response.setHeader('content-type', 'text/html').end(html);
  });
}

test('a page is checked for the common crawlers', async () => {
  await serveSite('<title>t</title><script src=/a.js></script>');
  const { status, body } = await service.post('/v1/page', { url: `${site.origin}/moved#top` });
  expect(status).toBe(200);
  const ajv = new Ajv({ validateFormats: false, allowUnionTypes: true });
  ajv.validate(PAGE_REPORT, body);
  expect(ajv.errors).toBe(null);
  const { url, hops, agents, page, resources } = body as unknown as PageReport;
  expect(url).toBe(`${site.origin}/moved`);
  expect(hops.map(({ status: each }) => each)).toEqual([301, 200]);
  expect(agents[0]).toMatchObject({ agent: 'Googlebot', result: 'indexable', hop: 1 });
  expect(agents.length).toBeGreaterThan(10);
  expect(page).toMatchObject({ url: `${site.origin}/page`, title: 't' });
  expect(resources?.hosts[0]?.resources[0]?.blockedFor[0]).toMatchObject({ agent: 'Googlebot', line: 3 });
  // The robots.txt is in the cache of the service, pages are not.
  await service.post('/v1/page', { url: `${site.origin}/moved`, agents: ['Googlebot'] });
  expect(site.requests).toEqual(['/robots.txt', '/moved', '/page', '/moved', '/page']);
});

test('a page is checked for the crawlers that the request names, each once', async () => {
  await serveSite('x');
  const { body } = await service.post('/v1/page', {
    url: `${site.origin}/private`,
    agents: ['GPTBot', 'MyBot', 'MyBot'],
  });
  expect(body['agents']).toMatchObject([{ agent: 'GPTBot', result: 'blocked' }, { agent: 'MyBot' }]);
  expect(site.requests).toEqual(['/robots.txt']);
});

test('a site that does not respond, and a page that does not', async () => {
  site = await serve(({ url }, response) => (url === '/robots.txt' ? response.end('') : response.destroy()));
  const { body } = await service.post('/v1/page', { url: `${site.origin}/x`, agents: ['Googlebot'] });
  expect(body['agents']).toMatchObject([{ result: 'unreachable' }]);
  await site.close();
  const other = await startService();
  const lost = await other.post('/v1/page', { url: `${site.origin}/x`, agents: ['Googlebot'] });
  await other.app.close();
  expect(lost.body['agents']).toMatchObject([{ result: 'blocked' }]);
});

test('a service without access to private addresses does not request a page there', async () => {
  await serveSite('secret');
  const guarded = await startService({
    allowPrivateAddresses: false,
    // The robots.txt of each origin is that of the site.
    fetcher: (_url, validators, options) =>
      refetchRobotsTxt(`${site.origin}/robots.txt`, validators, {
        ...options,
        addressPolicy: createAddressPolicy({ allowPrivateAddresses: true }),
      }),
  });
  const { body } = await guarded.post('/v1/page', { url: `${site.origin}/page`, agents: ['Googlebot'] });
  await guarded.app.close();
  expect(body['hops']).toMatchObject([{ status: null, failure: { code: 'private-address' } }]);
  expect(body['agents']).toMatchObject([
    {
      result: 'unreachable',
      text: expect.stringContaining('maycrawl did not request it, because its address is private'),
    },
  ]);
  expect(site.requests).toEqual(['/robots.txt']);
});

test('whether crawlers may fetch a page at a private address is unknown to a service that may not', async () => {
  await serveSite('secret');
  const guarded = await startService({ allowPrivateAddresses: false });
  const { body } = await guarded.post('/v1/page', { url: `${site.origin}/page`, agents: ['Googlebot'] });
  await guarded.app.close();
  const { hops, agents } = body as unknown as PageReport;
  expect(hops).toMatchObject([{ problem: 'no-verdict', status: null, failure: null }]);
  expect(agents[0]?.result).toBe('unknown');
  expect(agents[0]?.text).toBe(
    `Whether Googlebot may fetch this page is unknown: maycrawl did not request ${site.origin}/robots.txt, because its address is private, and --allow-private was not given (not a public address: 127.0.0.1).`,
  );
  expect(site.requests).toEqual([]);
});

test.each([
  [{}, 400, 'invalid-request'],
  [{ url: 'x' }, 400, 'invalid-url'],
  [{ url: 'ftp://h.example/x' }, 400, 'unsupported-scheme'],
  [{ url: `https://h.example/${'x'.repeat(9_000)}` }, 400, 'url-too-long'],
  [{ url: 'https://h.example/', agents: [] }, 400, 'invalid-request'],
  [{ url: 'https://h.example/', agents: ['!'] }, 400, 'invalid-agent'],
  [
    { url: 'https://h.example/', agents: Array.from({ length: 61 }, (_, n) => `b${n}`) },
    400,
    'invalid-request',
  ],
  [{ url: 'https://h.example/', profile: 'x' }, 400, 'unknown-profile'],
  [{ url: 'https://h.example/', agent: 'Googlebot' }, 400, 'invalid-request'],
])('%j is refused', async (request, status, code) => {
  await serveSite('x');
  expect(await service.post('/v1/page', request)).toMatchObject({ status, body: { code } });
});

test('each request for a page counts for the rate limit of its client', async () => {
  await serveSite('x');
  const limited = await startService({ rateLimit: 5, limits: { hostSpacing: 0 } });
  // The request, the robots.txt, and two URLs.
  const first = await limited.post('/v1/page', { url: `${site.origin}/moved`, agents: ['Googlebot'] });
  const second = await limited.post('/v1/page', { url: `${site.origin}/page`, agents: ['Googlebot'] });
  await limited.app.close();
  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
  expect(site.requests).toEqual(['/robots.txt', '/moved', '/page']);
});

test('a client that checks many pages is refused before requests are sent to sites', async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const listener: RequestListener = ({ url }, response) => {
    if (url === '/robots.txt') response.end('');
    else released.then(() => response.setHeader('content-type', 'text/html').end('x'));
  };
  site = await serve(listener);
  const other = await serve(listener);
  const limited = await startService({ limits: { hostSpacing: 0, pages: 8, clientPages: 2 } });
  const post = ({ origin }: TestServer, path: string) =>
    limited.post('/v1/page', { url: `${origin}${path}`, agents: ['Googlebot'] });
  const first = [post(site, '/a'), post(other, '/b')];
  await expect
    .poll(() => [...site.requests, ...other.requests])
    .toEqual(expect.arrayContaining(['/a', '/b']));
  const third = await post(site, '/c');
  const sample = await limited.post('/v1/sample', { origin: site.origin });
  release();
  const results = await Promise.all(first);
  expect(third).toMatchObject({ status: 429, body: { code: 'client-limit' } });
  expect(sample).toMatchObject({ status: 429, body: { code: 'client-limit' } });
  expect(results.map(({ status }) => status)).toEqual([200, 200]);
  await expect.poll(async () => (await post(site, '/d')).status).toBe(200);
  await limited.app.close();
  await other.close();
  expect(site.requests).toEqual(['/robots.txt', '/a', '/d']);
});

test('a page is read in a thread, which is stopped when it takes too long', async () => {
  await serveSite('<a href=x>'.repeat(400_000));
  const hasty = await startService({ limits: { hostSpacing: 0, threadTime: 1 } });
  const { status, body } = await hasty.post('/v1/page', {
    url: `${site.origin}/page`,
    agents: ['Googlebot'],
  });
  await hasty.app.close();
  expect([status, body['code']]).toEqual([422, 'too-much-work']);
});
