/**
 * The whole site: all cases, the lists that link to them, and the responses.
 *
 * @module
 */
import { BODY_CASES } from './body-cases.ts';
import { CANONICAL_CASES } from './canonical-cases.ts';
import { type Case, html, type Served } from './case.ts';
import { DIRECTIVE_CASES } from './directive-cases.ts';
import { LINK_CASES } from './link-cases.ts';
import { REDIRECT_CASES } from './redirect-cases.ts';
import { ROBOTS_CASES, ROBOTS_TXT } from './robots-cases.ts';
import { compressBody, SITEMAP_CASES, SITEMAPS } from './sitemap-cases.ts';
import { STATUS_CASES } from './status-cases.ts';

const TOPICS: Readonly<Record<string, readonly Case[]>> = {
  robots: ROBOTS_CASES,
  status: STATUS_CASES,
  redirects: REDIRECT_CASES,
  directives: DIRECTIVE_CASES,
  canonicals: CANONICAL_CASES,
  bodies: BODY_CASES,
  links: LINK_CASES,
  sitemaps: SITEMAP_CASES,
};

const escapeUrl = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Creates a page with a link to each URL. */
function createList(url: string, urls: readonly string[], depth: number): Case {
  const links = urls.map((each) => `<li><a href="${escapeUrl(each)}">${escapeUrl(each)}</a>`).join('\n');
  return {
    ...{ url, depth, isListed: false },
    served: { body: html('', `</p><ul>${links}</ul><p>`) },
    links: urls.map((each) => `link ${each}`),
  };
}

const LISTS: readonly Case[] = Object.entries(TOPICS).map(([topic, cases]) =>
  createList(
    `/list/${topic}`,
    cases.filter(({ isListed }) => isListed !== false).map(({ url }) => url),
    1,
  ),
);

/** Every URL that a crawl has to find. */
export const CASES: readonly Case[] = [
  createList(
    '/',
    LISTS.map(({ url }) => url),
    0,
  ),
  ...LISTS,
  ...Object.values(TOPICS).flat(),
];

/** A complete response. */
export interface SiteResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const served = new Map<string, Served>([
  ['/robots.txt', { headers: [['Content-Type', 'text/plain']], body: ROBOTS_TXT }],
  ...[...CASES, ...SITEMAPS].flatMap(({ url, served: each }) =>
    each === null || !url.startsWith('/') ? [] : [[url, each] as const],
  ),
]);

/**
 * Creates the response of the site.
 *
 * @param target - the requested path and query.
 * @param origin - the origin of the site.
 */
export function respond(target: string, origin: string): SiteResponse {
  const {
    status = 200,
    headers = [],
    body = '',
  } = served.get(target) ?? { status: 404, body: 'not of the site' };
  const fill = (text: string): string =>
    text.replaceAll('{origin}', origin).replaceAll('{host}', origin.slice(origin.indexOf('//') + 2));
  const typed: NonNullable<Served['headers']> = headers.some(([name]) => name === 'Content-Type')
    ? headers
    : [['Content-Type', 'text/html; charset=utf-8'], ...headers];
  return {
    status,
    headers: typed.flatMap(([name, value]) => (value === null ? [] : [[name, fill(value)] as const])),
    body: Buffer.from(typeof body === 'string' ? compressBody(fill(body)) : body),
  };
}
