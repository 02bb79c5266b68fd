/** With --external the audit checks links to other sites, and scripts, stylesheets and images, without their bodies. */
import { beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import type { FindingCode } from '../../src/audit/findings/finding-kinds.ts';
import { findLinks } from '../../src/audit/links/page-links.ts';
import { UrlReporter } from '../../src/audit/report/url-report.ts';
import { type Crawled, crawlAll, resumeCrawl, serveSite } from './crawling.ts';

let own: TestServer;
let other: TestServer;
let crawled: Crawled;
const requests: string[] = [];
let [running, most] = [0, 0];

beforeAll(async () => {
  other = await serveSite(({ url = '', method = '' }, response) => {
    requests.push(`${method} ${url}`);
    if (url === '/robots.txt') return response.end('User-agent: *\nDisallow: /secret');
    most = Math.max(most, ++running);
    response.on('close', () => running--);
    const statuses: Record<string, number> = { '/gone': 404, '/down': 503, '/login': 403, '/moved': 301 };
    response.statusCode = statuses[url] ?? 200;
    if (url === '/moved') response.setHeader('location', '/gone');
    if (url === '/hidden') response.writeHead(302, { location: '/secret' });
    if (url === '/get-only' && method === 'HEAD') response.statusCode = 405;
    if (url === '/get-only' && method === 'GET') response.statusCode = 410;
    return response.end(url === '/gone' ? undefined : 'text');
  }, '127.0.0.2');
  const paths = ['/', '/gone', '/down', '/login', '/moved', '/hidden', '/secret', '/get-only', '/gone'];
  own = await serveSite(({ url = '', method = '' }, response) => {
    if (url === '/robots.txt') return response.end('User-agent: *\nDisallow: /private/');
    if (url.endsWith('.png')) {
      requests.push(`${method} own ${url}`);
      response.statusCode = url === '/fine.png' ? 200 : 404;
      return response.end();
    }
    response.setHeader('content-type', 'text/html');
    const links = paths.map((path) => `<a href="${other.origin}${path}">to ${path}</a>`).join('');
    const images = ['/fine.png', '/lost.png', '/private/a.png', '/linked.png'].map(
      (src) => `<img src="${src}">`,
    );
    return response.end(
      `<title>${url}</title><a href="/next">next</a><a href="/linked.png">a</a>${links}${images.join('')}`,
    );
  });
  crawled = await crawlAll([`${own.origin}/`], { settings: { external: { limit: null } } });
});

const list = (code: FindingCode): (readonly [string, string | null, ...string[]])[] =>
  Array.from(crawled.run.findings.list(code, 0), ({ url, detail, targets }) => [
    url.slice(new URL(url).origin.length),
    detail,
    ...targets,
  ]);

test('each URL is requested once, with HEAD, and with GET if the server does not support HEAD', () => {
  expect(crawled.end.reason).toBe('complete');
  expect([...requests].sort()).toEqual(
    [
      ...[
        'GET /robots.txt',
        'HEAD /',
        'HEAD /gone',
        'HEAD /down',
        'HEAD /login',
        'HEAD /moved',
        'HEAD /gone',
      ],
      ...['HEAD /hidden', 'HEAD /get-only', 'GET /get-only', 'GET own /linked.png'],
      ...['HEAD own /fine.png', 'HEAD own /lost.png'],
    ].sort(),
  );
});

test('a host gets one request at a time', () => {
  expect(most).toBe(1);
});

test('broken links and resources are findings', () => {
  expect(list('broken-external-link')).toEqual([
    ['/gone', '404'],
    ['/moved', '404'],
    ['/get-only', '410'],
    ['/down', '503'],
  ]);
  const targets = [`${own.origin}/lost.png`, `${own.origin}/linked.png`];
  expect(list('broken-resource')).toEqual([
    ['/', '404', ...targets],
    ['/next', '404', ...targets],
  ]);
});

test('records of the URLs have the status, the finding and the pages that link to them', () => {
  const reports = [...new UrlReporter(crawled.run, 'with-links').all(false)];
  const outside = reports.filter(({ state }) => state === 'outside');
  expect(outside.map(({ url }) => new URL(url).pathname)).toEqual(['/down', '/get-only', '/gone', '/moved']);
  expect(outside[2]).toMatchObject({
    ...{ status: 404, indexable: null },
    findings: [{ code: 'broken-external-link', detail: '404', links: { count: 2 } }],
  });
  expect(outside[2]?.findings[0]?.links?.pages[0]).toEqual({ url: `${own.origin}/`, texts: ['to /gone'] });
});

test('links by status include other sites, and what robots.txt disallows has no status', () => {
  const links = Array.from(findLinks(crawled.run, { statuses: ['4xx', '5xx', 'none'] }));
  const targets = new Set(links.map(({ to, status }) => `${new URL(to).pathname} ${status}`));
  expect([...targets].sort()).toEqual(
    [
      '/gone 404',
      '/down 503',
      '/login 403',
      '/moved 404',
      '/get-only 410',
      '/linked.png 404',
      '/lost.png 404',
    ].sort(),
  );
  expect(crawled.run.checks.find(`${other.origin}/secret`)).toMatchObject({ status: null, code: 'robots' });
  expect(crawled.run.checks.find(`${other.origin}/hidden`)).toMatchObject({ status: 302, code: 'robots' });
});

test('a limit bounds the requests, and a resumed run continues', async () => {
  requests.length = 0;
  const limited = await crawlAll([`${own.origin}/`], { settings: { external: { limit: 3 } } });
  expect(limited.run.checks.count()).toBe(3);
  const all = { ...limited.settings, external: { limit: null } };
  await resumeCrawl({ run: limited.run, settings: all });
  expect(limited.run.checks.count()).toBe(crawled.run.checks.count());
  expect(requests.filter((each) => each === 'HEAD /down')).toHaveLength(1);
});

test('without --external no URL of another site is requested', async () => {
  requests.length = 0;
  await crawlAll([`${own.origin}/`]);
  expect(requests).toEqual(['GET own /linked.png']);
});

test('private addresses are refused, which is no finding', async () => {
  requests.length = 0;
  const { run } = await crawlAll([`${own.origin}/`], {
    settings: { external: { limit: null } },
    allowPrivateAddresses: undefined,
  });
  expect(requests.filter((each) => !each.includes('own'))).toEqual([]);
  expect(run.checks.find(`${other.origin}/gone`)).toMatchObject({ status: null, code: 'private-address' });
  expect([...run.findings.list('broken-external-link', 0)]).toEqual([]);
});

test('a host that does not respond gets no requests but for its robots.txt, and links to it are broken', async () => {
  const dead = await serveSite((_, response) => response.destroy(), '127.0.0.3');
  const site = await serveSite(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html');
    if (url === '/robots.txt') return response.end('');
    return response.end([1, 2, 3, 4, 5].map((each) => `<a href="${dead.origin}/${each}">x</a>`).join(''));
  });
  const { run } = await crawlAll([`${site.origin}/`], { settings: { external: { limit: null } } });
  expect(new Set(dead.requests)).toEqual(new Set(['/robots.txt']));
  const found = [...run.findings.list('broken-external-link', 0)];
  expect(found.map(({ detail }) => detail)).toEqual(Array(5).fill('network'));
});

test('a host that requests a pause gets no request before its end', async () => {
  const times: number[] = [];
  const slow = await serveSite(({ url = '' }, response) => {
    if (url === '/robots.txt') return response.end('');
    times.push(performance.now());
    return response.writeHead(times.length === 1 ? 429 : 200, { 'retry-after': '1' }).end();
  }, '127.0.0.3');
  const links = ['/a', '/b', '/c'].map((path) => `<a href="${slow.origin}${path}">a</a>`).join('');
  const start = await serveSite((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<title>Start</title>${links}`),
  );
  await crawlAll([`${start.origin}/`], { settings: { external: { limit: null } } });
  expect(times).toHaveLength(3);
  const [first = 0, second = 0] = times;
  // A clock of the system may be some milliseconds late.
  expect(second - first).toBeGreaterThan(950);
});
