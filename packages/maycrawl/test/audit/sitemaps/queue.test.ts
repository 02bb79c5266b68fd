/** Which sitemaps of a run are read, and in which order, with responses of the test. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RequestError, type StreamedResponse } from '@maycrawl/client/internal';
import { beforeEach, expect, test } from 'vitest';
import type { PageClient } from '../../../src/audit/crawl/page-client.ts';
import type { RobotsGuard, Site } from '../../../src/audit/crawl/robots-guard.ts';
import { SitemapQueue, type SitemapQueueOptions } from '../../../src/audit/crawl/sitemaps/sitemap-queue.ts';
import { openRun } from '../../../src/audit/run/open-run.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { createTestFolder } from '../../support/folder.ts';

const folder = createTestFolder('sitemaps');
let count = 0;
let run: RunStore;
let requests: string[];
beforeEach(async () => {
  run = await openRun(join(folder, `${count++}.sqlite`), 'new');
  requests = [];
});

/** Reads all sitemaps of a run. @param respond - returns a body; throws if there is no response. */
async function readAll(
  sitemaps: readonly string[],
  respond: (url: string) => string,
  options: Partial<SitemapQueueOptions> = {},
): Promise<void> {
  const open = async (url: string): Promise<StreamedResponse> => {
    requests.push(url);
    return {
      url,
      status: 200,
      location: undefined,
      headers: {},
      body: Readable.from([Buffer.from(respond(url))]),
    };
  };
  const guard = { getSite: async () => ({ describeRefusal: () => null }) as Partial<Site> as Site };
  const queue = new SitemapQueue({
    ...{
      run,
      guard: guard as Partial<RobotsGuard> as RobotsGuard,
      client: { open } as Partial<PageClient> as PageClient,
    },
    ...{ classify: () => ({ state: 'outside' }), signal: new AbortController().signal },
    ...{ isOn: true, timeLimit: 1_000, now: () => 0 },
    ...options,
  });
  await queue.addSite('http://a', { sitemaps } as Partial<Site> as Site);
  await new Promise<void>((resolve, reject) =>
    queue.start((error) => (error === undefined ? resolve() : reject(error))),
  );
  expect(await queue.hasUnread()).toBe(false);
}

const getProblems = async (): Promise<Record<string, string | null>> =>
  Object.fromEntries(run.sitemaps.list().map(({ url, problem }) => [url, problem]));
const createUrls = (length: number, prefix: string): string[] =>
  Array.from({ length }, (_, index) => `${prefix}${index}`);
const formatIndex = (urls: readonly string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

test('a host that does not respond to three sitemaps in a row gets no further requests', async () => {
  const silent = createUrls(300, 'http://silent/');
  await readAll([...silent, 'http://b/1', 'http://b/2'], (url) => {
    if (url.startsWith('http://silent/')) throw new RequestError('timeout', 'no response');
    return 'http://b/page';
  });
  expect(requests.filter((url) => url.startsWith('http://silent/'))).toEqual(silent.slice(0, 3));
  const problems = await getProblems();
  expect(problems['http://b/2']).toBeNull();
  expect(problems[silent[2] as string]).toBe('no response');
  expect(problems[silent[299] as string]).toBe(
    'not requested, after 3 sitemaps in a row of http://silent without a response',
  );
});

test('a response between failures lets a host go on', async () => {
  await readAll(createUrls(20, 'http://a/'), (url) => {
    if (!url.endsWith('0') && !url.endsWith('5')) throw new RequestError('timeout', 'no response');
    return '';
  });
  // 0 responds, 1 to 3 do not.
  expect(requests.length).toBe(4);
  run = await openRun(join(folder, `${count++}.sqlite`), 'new');
  requests = [];
  await readAll(createUrls(20, 'http://a/'), (url) => {
    if (Number(url.slice(9)) % 3 !== 0) throw new RequestError('timeout', 'no response');
    return '';
  });
  expect(requests.length).toBe(20);
});

test('sites take turns', async () => {
  const many = createUrls(500, 'http://many/');
  await readAll([...many, 'http://b/1', 'http://c/1', 'http://c/2'], () => '');
  expect(requests.slice(0, 5)).toEqual([many[0], 'http://b/1', 'http://c/1', many[1], 'http://c/2']);
  expect(requests.filter((url) => url.startsWith('http://many/'))).toEqual(many);
});

test('an index does not keep sitemaps of other sites waiting', async () => {
  await readAll(['http://a/index', 'http://b/1', 'http://b/2', 'http://b/3'], (url) =>
    url === 'http://a/index' ? formatIndex(createUrls(400, 'http://a/')) : '',
  );
  expect(requests.indexOf('http://b/3')).toBeLessThan(10);
  expect(requests.length).toBe(404);
});

test('the number of sitemaps is limited, also of those that are stored', async () => {
  const limits = { sitemaps: 10, bytes: Number.POSITIVE_INFINITY };
  const index = formatIndex(createUrls(40_000, 'http://a/'));
  await readAll(
    ['http://a/index', ...createUrls(11, 'http://b/')],
    (url) => (url.endsWith('index') ? index : ''),
    {
      limits,
    },
  );
  expect(requests.length).toBe(10);
  const problems = await getProblems();
  expect(Object.keys(problems).length).toBe(12);
  expect(problems['http://a/index']).toMatch(/40000 entries: sitemaps after those that a run has at most/);
  expect(problems['http://b/10']).toBe('not read, after 10 sitemaps');
});

test('the bytes of all sitemaps are limited', async () => {
  const limits = { sitemaps: 100, bytes: 50 };
  await readAll(createUrls(10, 'http://a/'), () => 'http://a/page/1\nhttp://a/page/2\n', { limits });
  expect(requests.length).toBe(2);
  expect((await getProblems())['http://a/9']).toBe('not read, after 50 bytes of sitemaps');
});
