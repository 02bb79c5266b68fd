import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { LIMITS, type Limits, readUrls } from '../../src/cli/input/sitemaps.ts';

let folder = '';
let site: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-sitemaps-'));
  // Each of the sitemaps has 100 bytes and 2 URLs.
  site = await serve((_request, response) => response.end('https://h.example/a\n/b\n'.padEnd(100)));
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const write = (content: string | Uint8Array): string => {
  const path = join(folder, 'list');
  writeFileSync(path, content);
  return path;
};

const formatIndex = (count: number): string => {
  const sitemaps = Array.from({ length: count }, (_, index) => `${site.origin}/${index}`);
  return `<sitemapindex>${sitemaps.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
};

async function readAll(list: string, limits: Partial<Limits> = {}): Promise<string[][]> {
  const files: string[][] = [];
  for await (const urls of readUrls(
    list,
    { userAgent: 'test', timeout: 30_000, allowPrivate: true },
    { ...LIMITS, ...limits },
  ))
    files.push([...urls]);
  return files;
}

test.each([
  ['a list', '\ufeff/a\r\n\n /b \r/c', ['/a', '/b', '/c']],
  ['an empty list', '', []],
  [
    'a sitemap',
    '\ufeff\n<urlset><url><loc>/a</loc></url><url/><url><loc> /b\n</loc></url></urlset>',
    ['/a', '/b'],
  ],
  ['RSS', '<rss><channel><link>/</link><item><link>/a</link></item></channel></rss>', ['/a']],
])('%s, compressed or not', async (_name, content, urls) => {
  for (const form of [content, gzipSync(content)]) expect(await readAll(write(form))).toEqual([urls]);
});

test('an index without sitemaps has no URLs', async () => {
  expect(await readAll(write('<sitemapindex/>'))).toEqual([]);
});

test('the sitemaps of an index are fetched one by one, each when it is read', async () => {
  site.requests.length = 0;
  const files = readUrls(write(formatIndex(3)), { userAgent: 'test', timeout: 30_000, allowPrivate: true });
  expect((await files.next()).value).toEqual(['https://h.example/a', '/b']);
  expect(site.requests).toEqual(['/0']);
  expect((await files.next()).done).toBe(false);
  await files.return(undefined);
  expect(site.requests).toEqual(['/0', '/1']);
});

test('limits: input up to each limit is read, and more is an error', async () => {
  const path = write(formatIndex(3));
  const { length } = formatIndex(3);
  const exact = { sitemaps: 3, urls: 6, bytes: 300, fileBytes: length };
  expect((await readAll(path, exact)).length).toBe(3);
  for (const [limit, message] of [
    ['sitemaps', `${path} names more than 2 sitemaps`],
    ['urls', `${path} has more than 5 URLs`],
    ['bytes', `the sitemaps of ${path} have more than 299 bytes`],
    ['fileBytes', `cannot read ${path}: it has more than ${length - 1} bytes`],
  ] as const)
    await expect(readAll(path, { ...exact, [limit]: exact[limit] - 1 })).rejects.toThrow(message);
});

test('one file: all its URLs are read', async () => {
  const path = write('/a\n/b\n/c');
  expect((await readAll(path, { urls: 3 })).length).toBe(1);
  await expect(readAll(path, { urls: 2 })).rejects.toThrow(`cannot read ${path}: it has more than 2 URLs`);
});

test.each([
  ['of a site', () => `${site.origin}/list`],
  ['compressed', () => write(gzipSync('a'.repeat(100)))],
])('the limit of one file %s', async (_name, toSqlList) => {
  const list = toSqlList();
  expect((await readAll(list, { fileBytes: 100 })).length).toBe(1);
  await expect(readAll(list, { fileBytes: 99 })).rejects.toThrow(
    `cannot read ${list}: it has more than 99 bytes`,
  );
});

test.each([
  ['cut off', '<urlset><url><loc>/a</loc></url><url><loc>/b', /it ends inside an element/],
  [
    'that lists pages and sitemaps',
    '<urlset><url><loc>/a</loc></url><sitemap><loc>/b</loc></sitemap></urlset>',
    /a sitemap, but lists sitemaps/,
  ],
  [
    'whose index lists pages',
    '<sitemapindex><url><loc>/a</loc></url></sitemapindex>',
    /a sitemap index, but lists pages/,
  ],
  [
    'in another encoding',
    Buffer.from('<urlset><url><loc>/\xe9</loc></url></urlset>', 'latin1'),
    /a URL that is not UTF-8: \/\ufffd$/,
  ],
  ['that is a page', '<html><body>not found</body></html>', /is XML, but not a sitemap/],
])(
  'a sitemap %s is an error, because missing URLs would count as unchanged',
  async (_name, content, message) => {
    await expect(readAll(write(content))).rejects.toThrow(message);
  },
);

test('the time for all sitemaps is limited', async () => {
  site.requests.length = 0;
  await expect(readAll(write(formatIndex(3)), { time: -1 })).rejects.toThrow(/takes more than/);
  expect(site.requests).toEqual([]);
});

test('a signal ends the request for a sitemap that does not end', async () => {
  const controller = new AbortController();
  const silent = await serve(() => controller.abort(new Error('stopped')));
  const options = { userAgent: 'test', timeout: 3_600_000, signal: controller.signal };
  await expect(readUrls(`${silent.origin}/s`, options).next()).rejects.toThrow('stopped');
  await silent.close();
});
