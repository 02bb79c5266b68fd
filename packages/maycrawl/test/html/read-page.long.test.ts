import { evaluatePage, type PageResponse } from '@maycrawl/core/indexability';
import { describe, expect, test } from 'vitest';
import { PAGE_LIMITS, readPage } from '../../src/html/read-page.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const response = (...headers: PageResponse['headers']): PageResponse => ({
  url: 'https://h.example/dir/page',
  status: 200,
  headers,
});
const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;

test('a page is read from bytes, and judged', () => {
  const facts = readPage(
    response(HTML, ['X-Robots-Tag', 'otherbot: noindex'], ['Link', '<https://h.example/c>; rel="canonical"']),
    bytes(`<!doctype html><head><title>Grüße &amp; mehr</title><base href="/base/">
      <link rel="canonical" href="../c"><link rel="alternate" hreflang="de" href="de">
      <meta name="googlebot" content="unavailable_after: Thu, 01 Jan 2026 00:00:00 GMT, nofollow">
      <body><a href="x?a=1&amp;b=2" rel="nofollow">x</a><iframe src="/f"></iframe><a href="mailto:x">m</a>`),
  );
  expect(facts).toMatchObject({
    title: 'Grüße & mehr',
    type: 'text/html',
    base: 'https://h.example/base/',
    links: [
      { element: 'a', url: 'https://h.example/base/x?a=1&b=2', rel: ['nofollow'] },
      { element: 'iframe', url: 'https://h.example/f', rel: [] },
    ],
    alternates: [{ from: 'html', hreflang: 'de', url: 'https://h.example/base/de' }],
    isTruncated: false,
  });
  const subject = {
    ...{ url: facts.url, sitemaps: [], found: [], depth: 0 },
    crawl: { kind: 'allowed', reason: 'unavailable', line: 0 },
    outcome: { kind: 'page', page: facts, redirects: [] },
  } as const;
  const at = (time: string, crawler = 'Googlebot') =>
    evaluatePage(subject, crawler, Date.parse(time)).verdict;
  expect(at('2025-12-31')).toEqual({ indexable: false, reason: 'canonicalised', reasons: ['canonicalised'] });
  expect(at('2026-01-01')).toMatchObject({ reason: 'noindex', reasons: ['noindex', 'canonicalised'] });
  expect(at('2026-01-01', 'bingbot')).toMatchObject({ reason: 'canonicalised' });
});

test.each([
  ['text/html', true],
  ['application/pdf', false],
])('a body of type %s is HTML: %s', (type, isHtml) => {
  expect(readPage(response(['Content-Type', type]), bytes('<title>t</title>')).title).toBe(
    isHtml ? 't' : null,
  );
});

test('a body without a type is HTML', () => {
  expect(readPage(response(), bytes('<title>t</title>')).title).toBe('t');
});

test('binary content is not an error', () => {
  const noise = Uint8Array.from({ length: 10_000 }, (_, index) => (index * index * 7 + 13) & 0xff);
  for (const charset of ['utf-8', 'shift_jis', 'utf-16le', 'gb18030', 'windows-1252'])
    expect(readPage(response(['Content-Type', `text/html; charset=${charset}`]), noise).links).toEqual([]);
});

describe('limits', () => {
  const before = '<a href="/before">';
  const after = '<a href="/after">';

  test('content beyond 5 MB is not read, and the facts are marked as truncated', () => {
    const whole = before + ' '.repeat(PAGE_LIMITS.bytes - before.length - after.length) + after;
    const read = (html: string) => {
      const { links, isTruncated } = readPage(response(HTML), bytes(html));
      return { links: links.map(({ url }) => url), isTruncated };
    };
    const both = ['https://h.example/before', 'https://h.example/after'];
    expect(read(whole)).toEqual({ links: both, isTruncated: false });
    expect(read(`${whole} `)).toEqual({ links: both, isTruncated: true });
    expect(read(` ${whole}`)).toEqual({ links: both.slice(0, 1), isTruncated: true });
  });

  test('at most 100,000 links are stored, the facts are marked as truncated, and a statement after them counts', () => {
    const count = PAGE_LIMITS.items;
    const facts = readPage(response(HTML), bytes('<a href=x>'.repeat(count)));
    expect([facts.links.length, facts.isTruncated]).toEqual([count, false]);
    const more = readPage(
      response(HTML),
      bytes(`${'<a href=x>'.repeat(count + 1)}<meta name=robots content=none>`),
    );
    expect([more.links.length, more.robots.length, more.isTruncated]).toEqual([count, 1, true]);
  });

  const repeated = (text: string): string => text.repeat(Math.floor(PAGE_LIMITS.bytes / text.length));
  const half = (text: string): string => text.repeat(Math.floor(PAGE_LIMITS.bytes / text.length / 2));

  test.each([
    ['links', repeated('<a href="/x?a=1&amp;b=2" rel=nofollow>')],
    ['open elements', half('<div>') + half('</span>')],
    ['SVG elements', `<body>${half('<svg><g>')}${half('</x>')}`],
    ['HTML in SVG elements', `<body>${half('<svg><desc>')}${half('</x>')}`],
    ['CDATA sections', repeated('<![CDATA[>')],
    ['CDATA sections in an SVG', `<body><svg>${repeated('<![CDATA[x]]>')}`],
    ['scripts', repeated('<script></script>')],
    ['scripts that hide their ends', repeated('<script><!--<script></script>')],
    ['noscripts', repeated('<noscript></noscript>')],
    ['templates', half('<template>') + half('</template>')],
    ['references', `<title>${repeated('&am')}`],
    ['less-thans', repeated('<')],
    ['attributes', `<a ${repeated('b=c ')}>`],
    ['attributes with unique names', `<a ${Array.from({ length: 500_000 }, (_, n) => `a${n}`).join(' ')}>`],
    ['comments', repeated('<!--')],
    ['meta tags', repeated('<meta name=robots content=noindex>')],
    ['directives', `<meta name=robots content="${repeated('noindex,')}">`],
    ['newlines', repeated('\r\n')],
  ])('5 MB of %s take seconds at most', (_name, html) => {
    const start = performance.now();
    readPage(response(HTML), bytes(html));
    // Each takes about a second on a slow machine; quadratic time would take hours.
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
