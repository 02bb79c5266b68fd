import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readSitemap, type SitemapLimits, type SitemapSummary } from '../../src/sitemap/read-sitemap.ts';
import type { SitemapEntry } from '../../src/sitemap.ts';

interface Read {
  readonly pages: string[];
  readonly sitemaps: string[];
  readonly summary?: SitemapSummary;
  readonly error?: unknown;
}

async function read(content: string | Uint8Array, limits?: SitemapLimits, pieceBytes = 7): Promise<Read> {
  const bytes = Buffer.from(content as string);
  const body = Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    })(),
  );
  const entries: SitemapEntry[] = [];
  const [pages, sitemaps] = (['page', 'sitemap'] as const).map(
    (kind) => () => entries.filter((entry) => entry.kind === kind).map(({ text }) => text),
  ) as [() => string[], () => string[]];
  const pieces = readSitemap(body, limits);
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) return { pages: pages(), sitemaps: sitemaps(), summary: value };
      entries.push(...value);
    }
  } catch (error) {
    return { pages: pages(), sitemaps: sitemaps(), error };
  } finally {
    expect(body.destroyed).toBe(true);
  }
}

const urlset = (...urls: string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

describe('a sitemap', () => {
  test.each<[string, string, string[], string]>([
    ['a text', '\ufeff/a\r\n\n /b \r/c', ['/a', '/b', '/c'], ''],
    ['nothing', '', [], ''],
    ['XML', `\ufeff\n<?xml version="1.0"?>${urlset('/a', ' /b\n')}`, ['/a', '/b'], 'urlset'],
    ['names with a prefix', '<s:urlset><s:url><s:loc>/a</s:loc></s:url></s:urlset>', ['/a'], 'urlset'],
    ['references and CDATA', urlset('/?a&amp;b&#38;c', '<![CDATA[/?a&b]]>'), ['/?a&b&c', '/?a&b'], 'urlset'],
    [
      'images',
      '<urlset><url><loc>/a</loc><i:image><i:loc>/i</i:loc></i:image></url></urlset>',
      ['/a'],
      'urlset',
    ],
    ['RSS', '<rss><channel><link>/</link><item><link>/a</link></item></channel></rss>', ['/a'], 'rss'],
    ['RSS 1.0', '<rdf:RDF><item rdf:about="/x"><link>/a</link></item></rdf:RDF>', ['/a'], 'RDF'],
    [
      'Atom',
      '<feed><link href="/"/><entry><link href="/a&amp;b"/><link rel="alternate" href=\'/c\'/><link rel="self" href="/d"/></entry></feed>',
      ['/a&b', '/c'],
      'feed',
    ],
    ['a first character that is also that of gzip', '\x1fa\n/b', ['\x1fa', '/b'], ''],
    ['the first byte of gzip alone', '\x1f', ['\x1f'], ''],
    ['a line with much white space', `/a\n${' '.repeat(10_010)}/b\n/c`, ['/a', '/b', '/c'], ''],
    ['characters of several bytes', '/ä\n/€\n/😀', ['/ä', '/€', '/😀'], ''],
  ])('of %s, compressed or not, from pieces of any size', async (_name, content, pages, root) => {
    for (const form of [Buffer.from(content), gzipSync(content)])
      for (const size of [1, 7, 65_536]) {
        const { error, summary, ...entries } = await read(form, undefined, size);
        expect({ error, ...entries }).toEqual({ error: undefined, pages, sitemaps: [] });
        expect(summary).toEqual({
          root,
          isSitemap: true,
          isComplete: true,
          bytes: Buffer.byteLength(content),
        });
      }
  });

  test('index', async () => {
    const xml = '<sitemapindex><sitemap><loc>/a</loc></sitemap></sitemapindex>';
    expect(await read(xml)).toMatchObject({ pages: [], sitemaps: ['/a'], summary: { root: 'sitemapindex' } });
  });

  test('bytes that are not UTF-8 are replaced', async () => {
    expect(await read(Buffer.from('/\xff\n', 'latin1'))).toMatchObject({ pages: ['/\ufffd'] });
  });

  test('XML of something else is none', async () => {
    expect(await read('<html><body/></html>')).toMatchObject({ summary: { isSitemap: false, root: 'html' } });
  });

  test('half an entry does not count, and the sitemap is not complete', async () => {
    const { pages, summary } = await read('<urlset><url><loc>/a</loc></url><url><loc>/b');
    expect(pages).toEqual(['/a']);
    expect(summary).toMatchObject({ isComplete: false });
  });
});

describe('limits', () => {
  const limits = { bytes: 1_000, entries: 3 };

  test('entries: those up to the limit are read', async () => {
    expect(await read(urlset('/a', '/b', '/c'), limits)).toMatchObject({ pages: ['/a', '/b', '/c'] });
    const { pages, error } = await read(urlset('/a', '/b', '/c', '/d'), limits, 1_000);
    expect(pages).toEqual(['/a', '/b', '/c']);
    expect(error).toMatchObject({ name: 'SitemapError', message: 'more than 3 entries' });
  });

  test.each([
    ['as they are', (bytes: Uint8Array) => bytes],
    ['uncompressed', gzipSync],
  ])('bytes, %s', async (_name, pack) => {
    expect(await read(pack(Buffer.alloc(1_000, 10)), limits)).toMatchObject({ summary: { bytes: 1_000 } });
    const { error } = await read(pack(Buffer.alloc(1_001, 10)), limits);
    expect(error).toMatchObject({ name: 'SitemapError', message: 'more than 1000 bytes' });
  });

  test.each([1, 10, 1_000, 65_536])(
    'bytes: entries before the limit are read from pieces of %d',
    async (size) => {
      const { pages, error } = await read('/a\n'.repeat(350), { bytes: 1_000, entries: 1_000 }, size);
      expect(pages).toEqual(Array(333).fill('/a'));
      expect(error).toMatchObject({ message: 'more than 1000 bytes' });
    },
  );

  test('bytes, compressed, which are nothing', async () => {
    // Members of gzip without content.
    const { error } = await read(Buffer.concat(Array.from({ length: 60 }, () => gzipSync(''))), limits);
    expect(error).toMatchObject({ name: 'SitemapError', message: 'more than 1000 bytes' });
  });

  test('what is no gzip after all is an error, and so is half of it', async () => {
    for (const content of [Buffer.from([0x1f, 0x8b, 1, 2, 3]), gzipSync('/a').subarray(0, -5)])
      expect((await read(content)).error).toMatchObject({ code: expect.stringMatching(/^Z_/) });
  });

  test('elements in one another', async () => {
    const { pages, error } = await read(`<urlset><url><loc>/a</loc></url>${'<x>'.repeat(200)}`);
    expect(pages).toEqual(['/a']);
    expect(error).toMatchObject({ name: 'SitemapError', message: /more than 100 elements/ });
  });

  test('the characters of an entry', async () => {
    const { pages } = await read(`${urlset('x'.repeat(20_000))}`);
    expect(pages.map(({ length }) => length)).toEqual([10_000]);
    expect((await read('x'.repeat(20_000), undefined, 999)).pages.map(({ length }) => length)).toEqual([
      10_000,
    ]);
  });
});
