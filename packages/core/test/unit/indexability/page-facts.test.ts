import { describe, expect, test } from 'vitest';
import { resolveBase } from '../../../src/indexability/url.ts';
import {
  createPageFacts,
  type HtmlFacts,
  isHtmlMediaType,
  type PageResponse,
  parseMediaType,
  resolveUrl,
} from '../../../src/indexability.ts';

const PAGE_URL = 'https://h.example/dir/page';
const HTML: HtmlFacts = {
  ...{ title: null, base: null, robots: [], refreshes: [], links: [], references: [], isTruncated: false },
};
const LINK = { hreflang: null, lang: null, media: null, type: null, inHead: true };

const response = (status: number, ...headers: PageResponse['headers']): PageResponse => ({
  ...{ url: PAGE_URL, status, headers },
});

test('a response without headers and HTML has empty facts', () => {
  expect(createPageFacts(response(200), null)).toEqual({
    ...{ url: PAGE_URL, status: 200, type: null, location: null, base: PAGE_URL, title: null },
    ...{
      robots: [],
      canonicals: [],
      alternates: [],
      seriesLinks: [],
      refresh: null,
      links: [],
      resources: [],
      isTruncated: false,
    },
  });
});

test('links have their texts, and resources are resolved', () => {
  const facts = createPageFacts(response(200), {
    ...HTML,
    base: '/base/',
    references: [
      { element: 'a', href: 'x', rel: '', text: 'X' },
      { element: 'iframe', href: 'y', rel: '' },
    ],
    resources: [
      { kind: 'script', href: 'a.js' },
      { kind: 'image', href: 'data:image/png;base64,AA' },
    ],
  });
  expect(facts.links.map(({ text }) => text)).toEqual(['X', null]);
  expect(facts.resources).toEqual([{ kind: 'script', url: 'https://h.example/base/a.js' }]);
});

test('header names are case-insensitive, and all headers of a name count', () => {
  const facts = createPageFacts(
    response(
      200,
      ['x-robots-tag', 'noindex'],
      ['X-ROBOTS-TAG', 'googlebot: nofollow'],
      ['LINK', '<a>; rel=canonical'],
      ['Link', '<b>; rel=canonical, <de>; rel="alternate"; hreflang=de'],
      ['Content-Type', 'Text/HTML; charset=x'],
      ['Refresh', '1; url=c'],
    ),
    null,
  );
  expect(facts.robots.map(({ agent }) => agent)).toEqual([null, 'googlebot']);
  expect(facts.canonicals.map(({ url }) => url)).toEqual([
    'https://h.example/dir/a',
    'https://h.example/dir/b',
  ]);
  expect(facts.alternates).toEqual([{ from: 'header', hreflang: 'de', url: 'https://h.example/dir/de' }]);
  expect(facts.type).toBe('text/html');
  expect(facts.refresh).toEqual({ delay: 1, url: 'https://h.example/dir/c' });
});

test('references in the HTML are relative to its base element, those in headers to the URL', () => {
  const facts = createPageFacts(response(200, ['Link', '<c>; rel=canonical']), {
    ...HTML,
    base: '/base/',
    links: [
      { ...LINK, rel: 'canonical', href: 'c' },
      { ...LINK, rel: 'alternate', href: 'de', hreflang: 'de' },
      { ...LINK, rel: 'alternate', href: 'feed' },
      { ...LINK, rel: 'Next nofollow', href: '2' },
      { ...LINK, rel: 'prev', href: 'mailto:x@h.example' },
    ],
    refreshes: ['x', '0; url=javascript:1', '3; url=r', '4'],
    references: [
      { element: 'a', href: 'x#y', rel: ' NoFollow UGC' },
      { element: 'iframe', href: '//f.example', rel: '' },
      { element: 'a', href: 'tel:1', rel: '' },
      { element: 'a', href: '', rel: '' },
    ],
  });
  expect(facts).toMatchObject({
    base: 'https://h.example/base/',
    canonicals: [
      { from: 'header', url: 'https://h.example/dir/c' },
      { from: 'html', url: 'https://h.example/base/c' },
    ],
    alternates: [{ from: 'html', hreflang: 'de', url: 'https://h.example/base/de' }],
    seriesLinks: [{ rel: 'next', url: 'https://h.example/base/2' }],
    refresh: { delay: 3, url: 'https://h.example/base/r' },
    links: [
      { element: 'a', url: 'https://h.example/base/x', rel: ['nofollow', 'ugc'] },
      { element: 'iframe', url: 'https://f.example/', rel: [] },
      { element: 'a', url: 'https://h.example/base/', rel: [] },
    ],
  });
});

test('the URL of a refresh without a target is null', () => {
  expect(createPageFacts(response(200, ['Refresh', '5']), null).refresh).toEqual({ delay: 5, url: null });
});

describe('the target of a redirect', () => {
  test.each([
    [301, '/x', 'https://h.example/x'],
    [302, 'x', 'https://h.example/dir/x'],
    [303, '//o.example', 'https://o.example/'],
    [307, '', PAGE_URL],
    [308, '#f', PAGE_URL],
    [301, 'ftp://h.example/', null],
    [301, 'https://', null],
    [300, '/x', null],
    [304, '/x', null],
    [200, '/x', null],
    [201, '/x', null],
  ])('status %i with Location %j leads to %j', (status, location, expected) => {
    expect(createPageFacts(response(status, ['Location', location]), null).location).toBe(expected);
  });
});

test.each([
  ['/a', 'https://h.example/a'],
  ['../%c3%a9?%2f#x', 'https://h.example/%C3%A9?%2F'],
  ['', 'https://h.example/dir/page'],
  ['?', 'https://h.example/dir/page?'],
  ['HTTP://H.example:80/a b', 'http://h.example/a%20b'],
  ['ftp://h.example/', null],
  ['javascript:1', null],
  ['http://[', null],
  // The result of the runtime's URL parser depends on its version.
  ['/a^b?c^d', 'https://h.example/a%5Eb?c^d'],
  ['http://u:p@h.example/a/.b/..', 'http://u:p@h.example/a/'],
])('resolveUrl resolves %j to %j', (href, expected) => {
  expect(resolveUrl(href, PAGE_URL)).toBe(expected);
});

test.each([
  [null, PAGE_URL],
  ['/b/', 'https://h.example/b/'],
  ['data:x', PAGE_URL],
  ['JavaScript:1', PAGE_URL],
  ['http://[', PAGE_URL],
])('a base element with %j yields the base URL %s', (href, expected) => {
  expect(resolveBase(href, PAGE_URL)).toBe(expected);
});

test.each([
  ['text/html', true],
  ['TEXT/HTML ;charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['', true],
  [undefined, true],
  ['application/pdf', false],
  ['text/plain', false],
  ['text/htmlx', false],
])('isHtmlMediaType for %j is %s', (contentType, expected) => {
  expect(isHtmlMediaType(parseMediaType(contentType))).toBe(expected);
});

test('createPageFacts throws a RangeError for a URL that is not http or https', () => {
  for (const url of ['ftp://h.example/', 'page', ''])
    expect(() => createPageFacts({ url, status: 200, headers: [] }, null)).toThrow(RangeError);
});

test('a base URL of 1 MB does not expand each of 100,000 short links to 1 MB', () => {
  const base = `https://h.example/${'x'.repeat(1_000_000)}/`;
  const links = Array.from({ length: 100_000 }, (_, at) => ({ ...LINK, rel: 'canonical', href: `${at}` }));
  const references = links.map(({ href }) => ({ element: 'a', href, rel: '' }) as const);
  const facts = createPageFacts(response(200), { ...HTML, base, links, references });
  expect(facts.isTruncated).toBe(true);
  const urls = [...facts.canonicals, ...facts.links].map(({ url }) => url?.length ?? 0);
  expect(urls.length).toBeGreaterThan(0);
  expect(urls.reduce((sum, each) => sum + each)).toBeLessThan(50_000_000);
  // With a typical base URL, no links are omitted.
  const usual = createPageFacts(response(200), {
    ...HTML,
    base: 'https://h.example/a/b/c/',
    links: links.map((link) => ({ ...link, rel: 'icon' })),
    references,
  });
  expect([usual.isTruncated, usual.links.length]).toEqual([false, 100_000]);
});
