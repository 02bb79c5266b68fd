/**
 * Sitemaps: every format, indexes, and URLs that only sitemaps or only links name.
 *
 * @module
 */
import { gzipSync } from 'node:zlib';
import { type Case, html, type Served } from './case.ts';

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

export const SITEMAPS: readonly SitemapCase[] = [
  {
    url: '/sitemap.xml',
    foundIn: 'robots.txt',
    served: xml(
      urlset(
        ...['/', '/sitemap/only', '/sitemap/both', '/sitemap/only'].map((path) => `{origin}${path}`),
        ...['/sitemap/fragment#x', '/sitemap/é', '/sitemap/x?a=1&amp;b=2'].map((path) => `{origin}${path}`),
        '<![CDATA[{origin}/sitemap/x?c=3&d]]>',
        '\n  {origin}/sitemap/spaces  \n',
        ...['noindex', 'redirect', 'gone', 'canonical'].map((name) => `{origin}/sitemap/${name}`),
        '{origin}/closed/in-sitemap',
        '{origin}/not-google/in-sitemap',
        'http://elsewhere.example/in-sitemap',
      ).replace(
        '</urlset>',
        '<url><image:image xmlns:image="i"><image:loc>{origin}/never/image</image:loc></image:image></url></urlset>',
      ),
    ),
    entries: [
      ...['/', '/sitemap/only', '/sitemap/both', '/sitemap/fragment', '/sitemap/%C3%A9'],
      ...[
        '/sitemap/x?a=1&b=2',
        '/sitemap/x?c=3&d',
        '/sitemap/spaces',
        '/sitemap/noindex',
        '/sitemap/redirect',
      ],
      ...['/sitemap/gone', '/sitemap/canonical', '/closed/in-sitemap', '/not-google/in-sitemap'],
      'http://elsewhere.example/in-sitemap',
    ],
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
  {
    url: '/sitemaps/child.xml.gz',
    foundIn: '/sitemaps/index.xml',
    // {origin} is replaced before compression.
    served: {
      headers: [['Content-Type', 'application/gzip']],
      body: `gzip:${XML}${urlset('{origin}/sitemap/in-gzip', '{origin}/sitemap/both')}`,
    },
    entries: ['/sitemap/in-gzip', '/sitemap/both'],
    problem: null,
  },
  {
    url: '/sitemaps/child.txt',
    foundIn: '/sitemaps/index.xml',
    served: {
      headers: [['Content-Type', 'text/plain']],
      body: '\ufeff{origin}/sitemap/in-child\r\n\r\n{origin}/sitemap/both\n',
    },
    entries: ['/sitemap/in-child', '/sitemap/both'],
    problem: null,
  },
  {
    url: '/sitemaps/missing.xml',
    foundIn: '/sitemaps/index.xml',
    served: { status: 404 },
    entries: [],
    problem: '404',
  },
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
  ...['only', 'fragment', '%C3%A9', 'x?a=1&b=2', 'x?c=3&d', 'spaces', 'in-gzip', 'in-child'].map((name) =>
    only(name),
  ),
  only('before-break'),
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
  {
    ...{
      url: '/closed/in-sitemap',
      served: { body: html() },
      state: 'blocked',
      isListed: false,
      depth: null,
    },
    crawl: ['-9', '-9', '-18', '-3'],
    reasons: 'blocked',
  },
  {
    ...{ url: '/not-google/in-sitemap', served: { body: html() }, isListed: false, depth: null },
    crawl: ['-10', '-10', '+0', '+33'],
    reasons: ['blocked', 'blocked', '', ''],
  },
  { url: 'http://elsewhere.example/in-sitemap', served: null, state: 'outside', isListed: false },
];
