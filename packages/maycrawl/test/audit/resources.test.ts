/** Scripts, stylesheets and images are judged by the robots.txt of their sites, and are not requested. */
import { beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import { fetchResourceSites } from '../../src/audit/crawl/resource-sites.ts';
import type { FindingCode } from '../../src/audit/findings/finding-kinds.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import { type Crawled, crawlAll, serveSite } from './crawling.ts';

let own: TestServer;
let other: TestServer;
let crawled: Crawled;
const requests: string[] = [];

beforeAll(async () => {
  other = await serveSite(({ url = '' }, response) => {
    requests.push(`other ${url}`);
    response.end('User-agent: *\nDisallow: /private/');
  }, '127.0.0.2');
  own = await serveSite(({ url = '' }, response) => {
    requests.push(url);
    if (url === '/robots.txt') return response.end('User-agent: *\nDisallow: /assets/');
    response.setHeader('content-type', 'text/html');
    return response.end(
      `<title>${url}</title><script src="/assets/app.js"></script><script src="/app.js"></script>
       <link rel="stylesheet" href="${other.origin}/private/site.css">
       <link rel="stylesheet" href="${other.origin}/site.css"><a href="/next">next</a>
       <img src="${other.origin}/private/logo.png">
       <video poster="/assets/poster.png"></video><input type="image" src="/assets/button.png">
       <link rel="preload" as="image" imagesrcset="/assets/large.png 2x">`,
    );
  });
  crawled = await crawlAll([`${own.origin}/`]);
});

const list = (code: FindingCode): object[] =>
  Array.from(crawled.run.findings.list(code, 0), ({ url, detail, targets }) => ({ url, detail, targets }));

test('only the robots.txt of another site is requested', () => {
  expect(crawled.end.reason).toBe('complete');
  expect([...requests].sort()).toEqual(['/', '/next', '/robots.txt', 'other /robots.txt']);
});

test('resources are neither URLs of the run nor links', () => {
  expect(crawled.urls.map(({ url }) => new URL(url).pathname).sort()).toEqual(['/', '/next']);
});

test('each page has a finding with its blocked resources and the rules', () => {
  const detail = `line 2: Disallow: /assets/, ${other.origin} line 2: Disallow: /private/`;
  const targets = [`${own.origin}/assets/app.js`, `${other.origin}/private/site.css`];
  expect(list('blocked-resource')).toEqual([
    { url: `${own.origin}/`, detail, targets },
    { url: `${own.origin}/next`, detail, targets },
  ]);
  const blocked = ['poster', 'button', 'large'].map((name) => `${own.origin}/assets/${name}.png`);
  const images = [`${other.origin}/private/logo.png`, ...blocked];
  expect(list('blocked-image')).toMatchObject([{ targets: images }, { targets: images }]);
});

test('with a given robots.txt, that of other sites is unknown', async () => {
  requests.length = 0;
  const given = await crawlAll([`${own.origin}/`], {
    settings: { isRobotsGiven: true },
    robots: Buffer.from('User-agent: *\nDisallow: /private/'),
  });
  const found = Array.from(given.run.findings.list('blocked-resource', 0));
  expect(found).toEqual([]);
  expect(requests.filter((each) => each.startsWith('other'))).toEqual([]);
});

test('at most fifty sites are requested, once each, and not after the end of the crawl', async () => {
  const stored = new Set(['http://h3.example']);
  const run = {
    resources: (after: number, limit: number) =>
      Array.from({ length: Math.min(limit, 3_000 - after) }, (_, index) => {
        const id = after + index + 1;
        return { id, url: `http://h${id % 200}.example/${id}.js` };
      }),
    robots: { get: (origin: string) => (stored.has(origin) ? {} : undefined) },
  } as unknown as RunStore;
  const fetched: string[] = [];
  const ending = new AbortController();
  const guard = {
    getSite: async (origin: string) => {
      fetched.push(origin);
      if (fetched.length === 60) ending.abort();
      return {} as never;
    },
  };
  await fetchResourceSites(run, guard, ending.signal);
  expect(fetched.slice(0, 3)).toEqual(['http://h1.example', 'http://h2.example', 'http://h4.example']);
  expect(fetched).toHaveLength(49);
  expect(new Set(fetched).size).toBe(49);
  ending.abort();
  await fetchResourceSites(run, guard, ending.signal);
  expect(fetched).toHaveLength(49);
});
