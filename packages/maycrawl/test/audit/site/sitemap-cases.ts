// Sitemaps: every format, indexes, and URLs that only sitemaps or only links name.
import { gzipSync } from 'node:zlib';
import { type Case, html, type Served } from './case.ts';
import { closed } from './robots-cases.ts';

/** A sitemap, and its expected record. */
export interface SitemapCase {
  readonly url: string;
  /** `null`: no crawler may fetch it. */
  readonly served: Served | null;
  readonly foundIn: string;
  /** URLs that it names. */
  readonly entries: readonly string[];
  /** A part of the expected problem; `null` if there is no problem. */
  readonly problem: string | null;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const xml = (body: string): Served => ({ headers: [['Content-Type', 'application/xml']], body: XML + body });
const loc = (url: string): string => `<url><loc>${url}</loc><lastmod>2026-01-01</lastmod></url>`;
const urlset = (...urls: readonly string[]): string =>
  `<urlset ${NAMESPACE}>${urls.map(loc).join('\n')}</urlset>`;

/** Creates a sitemap of the index. */
const child = (name: string, served: Served, ...entries: readonly string[]): SitemapCase => ({
  ...{ url: `/sitemaps/${name}`, foundIn: '/sitemaps/index.xml', served, entries, problem: null },
});

const URLS = [
  ...['/sitemap/only', '/sitemap/both', '/sitemap/x?c=3&d', '/sitemap/spaces'],
  ...['/sitemap/noindex', '/sitemap/redirect', '/sitemap/gone', '/sitemap/canonical'],
  ...['/closed/in-sitemap', '/not-google/in-sitemap'],
];

export const SITEMAPS: readonly SitemapCase[] = [
  {
    url: '/sitemap.xml',
    foundIn: 'robots.txt',
    served: xml(
      urlset(
        ...['/', '/sitemap/fragment#x', '/sitemap/é', '/sitemap/only'].map((path) => `{origin}${path}`),
        ...URLS.map((path) => `\n  <![CDATA[{origin}${path}]]>  `),
        'http://elsewhere.example/in-sitemap',
      ).replace(
        '</urlset>',
        '<url><image:image xmlns:image="i"><image:loc>{origin}/never/image</image:loc></image:image></url></urlset>',
      ),
    ),
    entries: ['/', '/sitemap/fragment', '/sitemap/%C3%A9', ...URLS, 'http://elsewhere.example/in-sitemap'],
    problem: null,
  },
  {
    url: '/sitemaps/index.xml',
    foundIn: 'robots.txt',
    served: xml(
      `<sitemapindex ${NAMESPACE}>${['child.xml.gz', 'child.txt', 'missing.xml']
        .map((name) => `<sitemap><loc>{origin}/sitemaps/${name}</loc></sitemap>`)
        .join('')}</sitemapindex>`,
    ),
    entries: [],
    problem: null,
  },
  // {origin} is replaced before compression.
  child(
    'child.xml.gz',
    {
      headers: [['Content-Type', 'application/gzip']],
      body: `gzip:${XML}${urlset('{origin}/sitemap/in-gzip', '{origin}/sitemap/both')}`,
    },
    ...['/sitemap/in-gzip', '/sitemap/both'],
  ),
  child(
    'child.txt',
    {
      headers: [['Content-Type', 'text/plain']],
      body: '\ufeff{origin}/sitemap/in-child\r\n\r\n{origin}/sitemap/both\n',
    },
    ...['/sitemap/in-child', '/sitemap/both'],
  ),
  { ...child('missing.xml', { status: 404 }), problem: '404' },
  { url: '/sitemaps/gone.xml', foundIn: 'robots.txt', served: { status: 410 }, entries: [], problem: '410' },
  { url: '/closed/sitemap.xml', foundIn: 'robots.txt', served: null, entries: [], problem: 'robots.txt' },
  {
    url: '/sitemaps/broken.xml',
    foundIn: 'robots.txt',
    served: xml(`<urlset>${loc('{origin}/sitemap/before-break')}<url><loc>{origin}/sitemap/broken`),
    entries: ['/sitemap/before-break'],
    problem: '',
  },
];

/** Compresses the body of a sitemap if its case requires it. */
export function compressBody(body: string): string | Uint8Array {
  return body.startsWith('gzip:') ? gzipSync(body.slice('gzip:'.length)) : body;
}

const only = (name: string, more: Partial<Case> = {}): Case => ({
  url: `/sitemap/${name}`,
  served: { body: html() },
  isListed: false,
  depth: null,
  ...more,
});

export const SITEMAP_CASES: readonly Case[] = [
  { url: '/sitemap/linked-only', served: { body: html() } },
  { url: '/sitemap/both', served: { body: html() } },
  ...['only', 'fragment', '%C3%A9', 'x?c=3&d', 'spaces', 'in-gzip', 'in-child', 'before-break'].map((name) =>
    only(name),
  ),
  only('noindex', {
    served: { headers: [['X-Robots-Tag', 'bingbot: noindex']], body: html() },
    noindex: ['', '', 'header bingbot: noindex', ''],
    reasons: ['', '', 'noindex', ''],
  }),
  only('redirect', {
    served: { status: 301, headers: [['Location', '/sitemap/only']] },
    redirects: '301 /sitemap/only',
    reasons: 'redirect',
    links: ['redirect /sitemap/only'],
  }),
  only('gone', { served: { status: 410 }, reasons: 'not-found' }),
  only('canonical', {
    served: { body: html('<link rel="canonical" href="only">') },
    canonical: 'other /sitemap/only',
    reasons: 'canonicalised',
    links: ['canonical /sitemap/only'],
  }),
  closed('/closed/in-sitemap', { isListed: false, depth: null }),
  {
    ...{ url: '/not-google/in-sitemap', served: { body: html() }, isListed: false, depth: null },
    crawl: ['-10', '-10', '+0', '+33'],
    reasons: ['blocked', 'blocked', '', ''],
  },
  { url: 'http://elsewhere.example/in-sitemap', served: null, state: 'outside', isListed: false },
];
