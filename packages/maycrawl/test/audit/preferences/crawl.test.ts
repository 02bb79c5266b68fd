/** What a crawl requests and records of the use of content. */
import { describe, expect, test } from 'vitest';
import type { TestServer } from '../../../../client/test/support/server.ts';
import { unpackDeclarations } from '../../../src/audit/run/records/preferences.ts';
import { TDMREP_FILES } from '../../../src/audit/run/records/site-facts.ts';
import { type Crawled, type CrawlModes, crawlAll, resumeCrawl, serveSite } from '../crawling.ts';

const TDMREP = '/.well-known/tdmrep.json';
const RULES = '[{"location":"/reserved/","tdm-reservation":1}]';

let server: TestServer;

interface SiteParts {
  readonly robots?: string;
  /** The response to a request for tdmrep.json: a status, headers and a body. */
  readonly tdmrep?: readonly [status: number, headers: Record<string, string>, body: string];
  readonly start?: string;
  readonly modes?: CrawlModes;
}

async function crawlSite({ robots = '', tdmrep, start = '/', modes = {} }: SiteParts = {}): Promise<Crawled> {
  const [status, headers, body] = tdmrep ?? [404, {}, 'not found'];
  server = await serveSite(({ url }, response) => {
    if (url === '/robots.txt') return response.end(robots);
    if (url === TDMREP) return response.writeHead(status, headers).end(body);
    response.setHeader('content-type', 'text/html');
    if (url === '/reserved/a') return response.end('<title>A</title>');
    if (url === '/page') {
      response.setHeader('content-usage', ['train-ai=n', 'search=y']);
      return response.end(
        '<title>P</title><meta name="robots" content="noai"><link rel=license type="application/rsl+xml" href="l.xml">',
      );
    }
    return response.end('<title>Home</title><a href="/page">p</a><a href="/reserved/a">a</a>');
  });
  return crawlAll([server.origin + start], { requestsTdmRep: true, ...modes });
}

const countRequests = (): number => server.requests.filter((path) => path === TDMREP).length;

/** The value about the training of AI models. */
function getTraining({ run }: Crawled, path: string): string | undefined {
  const key = run.findKey(`${server.origin}${path}`) as number;
  return run.preferences.find(key, 0)?.purposes['ai-train']?.value;
}

test('headers and elements of pages are recorded as they came', async () => {
  const { run } = await crawlSite();
  const key = run.findKey(`${server.origin}/page`) as number;
  const id = run.preferences.findRow(key, 0)?.declaration as number;
  expect(unpackDeclarations(run.preferences.readDeclaration(id))).toEqual({
    headers: [
      ['content-usage', 'train-ai=n'],
      ['content-usage', 'search=y'],
    ],
    metas: [{ name: 'robots', content: 'noai' }],
    licenses: [`${server.origin}/l.xml`],
  });
  expect(run.preferences.find(key, 0)?.purposes).toMatchObject({
    search: { value: 'allowed', format: 'content-usage' },
    'ai-train': { value: 'disallowed', statement: 'header, content-usage: train-ai=n, search=y' },
  });
});

describe('tdmrep.json', () => {
  test('is requested once for a site, after its pages', async () => {
    const site = await crawlSite({ tdmrep: [200, { 'content-type': 'text/plain' }, RULES] });
    expect(server.requests.at(-1)).toBe(TDMREP);
    expect(getTraining(site, '/reserved/a')).toBe('disallowed');
    expect(getTraining(site, '/')).toBeUndefined();
    const resumed = await resumeCrawl(site, { requestsTdmRep: true });
    expect(countRequests()).toBe(1);
    expect(getTraining(resumed, '/reserved/a')).toBe('disallowed');
  });

  test.each([
    ['a site has none', [404, {}, ''], null],
    ['a redirect is not followed', [301, { location: '/page' }, ''], 'it redirects to /page (status 301)'],
    ['an error is a problem', [500, {}, RULES], 'status 500'],
    ['a page in its place is no file', [200, { 'content-type': 'text/html' }, RULES], null],
    [
      'another format is a problem',
      [200, {}, '{"location":'],
      'it is not a JSON array, so it declares nothing',
    ],
    ['a long file is a problem', [200, {}, ' '.repeat(1_000_001)], 'it has more than 1000000 bytes'],
  ] as const)('%s', async (_, tdmrep, problem) => {
    const { run } = await crawlSite({ tdmrep });
    expect(TDMREP_FILES.get(run, server.origin)).toEqual({ text: null, problem });
    expect(server.requests.filter((path) => path === '/page')).toHaveLength(1);
  });

  test.each([
    ['disallows it to all crawlers', 'User-agent: *\nDisallow: /.well-known/'],
    ['disallows it to maycrawl', 'User-agent: maycrawl\nDisallow: /.well-known/'],
  ])('is not requested if robots.txt %s', async (_, robots) => {
    await crawlSite({ robots, tdmrep: [200, {}, RULES] });
    expect(countRequests()).toBe(0);
  });

  test('is requested if only a folder of the site is audited', async () => {
    const site = await crawlSite({
      tdmrep: [200, {}, RULES],
      start: '/reserved/a',
      modes: { settings: { scope: 'prefix' } },
    });
    expect(getTraining(site, '/reserved/a')).toBe('disallowed');
  });

  test('is not requested from sites outside the scope', async () => {
    const other = await serveSite((_, response) => response.end('<title>Other</title>'));
    const { run } = await crawlSite({ tdmrep: [301, { location: other.origin }, ''] });
    expect(TDMREP_FILES.isClaimed(run, other.origin)).toBe(false);
    expect(other.requests).toEqual([]);
  });
});
