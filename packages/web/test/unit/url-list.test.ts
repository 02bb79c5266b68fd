import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findCommonOrigin } from '../../src/tester/matrix/common-origin.ts';
import { readListFile } from '../../src/tester/matrix/read-list-file.ts';
import { readSitemap } from '../../src/tester/state/sitemap.ts';
import { addUrls, MAX_URLS, readUrlList } from '../../src/tester/state/url-list.ts';

const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<!-- <urlset><url><loc>https://a.example/comment</loc></url> -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc> https://a.example/?a=1&amp;b=2 </loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url>
  <url><loc><![CDATA[https://a.example/<b>&amp;]]></loc></url>
  <url><loc>https://a.example/&#x43;&#68;&unknown;</loc></url>
</urlset>`;

describe('a list', () => {
  test('has one URL a line, however lines end', () => {
    const { urls, notice } = readUrlList('\ufeffhttps://a.example/\r\n\r\n  /b \r/c\n');
    expect(urls).toEqual(['https://a.example/', '/b', '/c']);
    expect(notice).toBeNull();
  });

  test('is truncated with a notice', () => {
    const { urls, notice } = readUrlList('/a\n'.repeat(MAX_URLS + 1));
    expect(urls).toHaveLength(MAX_URLS);
    expect(notice).toContain('50,000');
  });

  test('omits URLs over the limit, and has long ones', () => {
    const { urls, notice } = readUrlList(`/${'a'.repeat(99_999)}\n/${'b'.repeat(100_000)}`);
    expect(urls).toHaveLength(1);
    expect(notice).toBe('1 URL omitted: longer than 100,000 characters.');
  });

  test('has each URL once', () => {
    expect(addUrls(['/a'], ['/b', '/a', '/b']).urls).toEqual(['/a', '/b']);
  });
});

describe('a sitemap', () => {
  test('yields its pages without comments and images', () => {
    expect(readUrlList(SITEMAP).urls).toEqual([
      'https://a.example/?a=1&b=2',
      'https://a.example/<b>&amp;',
      'https://a.example/CD&unknown;',
    ]);
  });

  test('may have a namespace prefix', () => {
    const xml = '<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc></s:url><loc>/no</loc></s:urlset>';
    expect(readSitemap(xml, 10)).toEqual({ kind: 'urls', urls: ['/a'], isTruncated: false });
  });

  test.each([
    ['RSS', '<rss><channel><link>/</link><item><link>/a</link></item></channel></rss>'],
    ['Atom', '<feed><link href="/"/><entry><link href="/a"/></entry></feed>'],
  ])('can be a feed: %s', (_name, xml) => {
    expect(readUrlList(xml)).toEqual({ urls: ['/a'], notice: null });
  });

  test('that is incomplete is reported', () => {
    expect(readUrlList('<urlset><url><loc>/a</loc></url><url><loc>/b')).toEqual({
      urls: ['/a'],
      notice: 'The sitemap is truncated: the URLs after its end are missing.',
    });
  });

  test('that is an index, or another document, is reported', () => {
    expect(readUrlList('<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>')).toEqual({
      urls: [],
      notice: 'This is a sitemap index: use one of the sitemaps that it lists.',
    });
    expect(readUrlList('<html></html>').notice).toBe('This is XML, but not a sitemap.');
    expect(readUrlList('<').notice).toBe('This is XML, but not a sitemap.');
    expect(readUrlList('<urlset>'.repeat(101)).notice).toBe(
      'This XML is not valid: more than 100 elements in one another.',
    );
  });

  test('with an entity bomb expands to nothing', () => {
    const entities = Array.from(
      { length: 20 },
      (_, level) => `<!ENTITY e${level + 1} "&e${level};&e${level};">`,
    );
    const xml = `<!DOCTYPE urlset [<!ENTITY e0 "x">${entities.join('')}]><urlset><url><loc>/&e20;</loc></url></urlset>`;
    expect(readUrlList(xml).urls).toEqual(['/&e20;']);
  });

  test.each([
    ['tags that do not end', '<urlset>', '<loc>', 400_000],
    ['comments that do not end', '<urlset>', '<!-- ', 400_000],
    ['CDATA that does not end', '<urlset><loc>', '<![CDATA[', 400_000],
    ['brackets', '<urlset>', '<', 2_000_000],
  ])('costs no more than its length: %s', (_, start, more, count) => {
    const begin = performance.now();
    readUrlList(start + more.repeat(count));
    expect(performance.now() - begin).toBeLessThan(20_000);
  });

  test('may be compressed, within limits', async () => {
    expect((await readListFile(new Blob([gzipSync(SITEMAP)]))).urls).toHaveLength(3);
    const bomb = new Blob([gzipSync(Buffer.alloc(60 * 1024 * 1024))]);
    expect(await readListFile(bomb)).toEqual({ urls: [], notice: 'The file is larger than 50 MiB.' });
    const broken = new Blob([Uint8Array.of(0x1f, 0x8b, 1, 2, 3)]);
    expect((await readListFile(broken)).notice).toContain('cannot be decompressed');
  });
});

test.each([
  [['https://a.example/x', '/y', 'https://a.example/'], 'https://a.example'],
  [['https://a.example/x', 'https://b.example/x'], ''],
  [['https://a.example/x', 'javascript:alert(1)'], ''],
  [['https://a.example.evil/', 'https://a.example/'], ''],
  [['/x'], ''],
])('%j have in common %j', (urls, origin) => {
  expect(findCommonOrigin(urls)).toBe(origin);
});
