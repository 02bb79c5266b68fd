/** Targets of redirects and canonicals on other sites are fetched once, if their robots.txt allows it, and their links are not followed. */
import { createServer } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import type { FindingCode } from '../../src/audit/findings/finding-kinds.ts';
import { type Crawled, crawlAll, getRecord, serveSite } from './crawling.ts';

let own: TestServer;
let other: TestServer;
let crawled: Crawled;
let deadOrigin: string;
const requests: string[] = [];

/** An origin on which nothing listens. */
async function findDeadOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.3', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.3:${typeof address === 'object' && address !== null ? address.port : 1}`;
}

beforeAll(async () => {
  deadOrigin = await findDeadOrigin();
  other = await serveSite(({ url = '' }, response) => {
    requests.push(url);
    if (url === '/robots.txt') return response.end('User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml');
    if (url === '/gone') response.statusCode = 410;
    response.setHeader('content-type', 'text/html');
    return response.end('<title>Other</title><a href="/further">further</a>');
  }, '127.0.0.2');
  const locations: Record<string, string> = {
    '/to-page': `${other.origin}/page`,
    '/to-page-again': `${other.origin}/page`,
    '/to-gone': `${other.origin}/gone`,
    '/to-secret': `${other.origin}/secret`,
    '/to-dead': `${deadOrigin}/x`,
  };
  own = await serveSite(({ url = '' }, response) => {
    if (url === '/robots.txt') return response.end('');
    response.setHeader('content-type', 'text/html');
    if (url === '/')
      return response.end(
        [...Object.keys(locations), `${other.origin}/linked`, `${other.origin}/gone`]
          .map((href) => `<a href="${href}">a</a>`)
          .join(''),
      );
    response.statusCode = 301;
    response.setHeader('location', locations[url] ?? '/');
    return response.end();
  });
  crawled = await crawlAll([`${own.origin}/`]);
});

function list(code: FindingCode): (readonly [string, string | null])[] {
  return Array.from(crawled.run.findings.list(code, 0), ({ url, detail }) => [new URL(url).pathname, detail]);
}

test('a target is requested once, and nothing else of its site but the robots.txt', () => {
  expect(crawled.end.reason).toBe('complete');
  expect([...requests].sort()).toEqual(['/gone', '/page', '/robots.txt']);
});

test('targets stay outside the scope', () => {
  const states = crawled.urls.filter(({ url }) => !url.startsWith(own.origin)).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['outside']));
  const page = crawled.urls.find(({ url }) => url === `${other.origin}/page`);
  expect(page && getRecord(crawled.run, page).page?.outcome.kind).toBe('page');
});

test('findings say what is at the target', () => {
  expect(list('redirect-to-other-site').map(([path]) => path)).toEqual([
    '/to-page',
    '/to-page-again',
    '/to-dead',
  ]);
  expect(list('redirect-to-error')).toEqual([['/to-gone', '410']]);
  expect(list('redirect-to-blocked')).toEqual([['/to-secret', null]]);
});
