// The whole site: all cases, the lists that link to them, and the responses.
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
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

const served = new Map<string, Served>([
  ['/robots.txt', { headers: [['Content-Type', 'text/plain']], body: ROBOTS_TXT }],
  ...[...CASES, ...SITEMAPS].flatMap(({ url, served: each }) =>
    each === null || !url.startsWith('/') ? [] : [[url, each] as const],
  ),
]);

/** Serves the site on loopback. */
export async function startSite(): Promise<TestServer> {
  const site = await serve(({ url = '' }, response) => {
    const { status = 200, headers = [], body = '' } = served.get(url) ?? { status: 404 };
    const { origin } = site;
    const fill = (text: string): string =>
      text.replaceAll('{origin}', origin).replaceAll('{host}', origin.slice('http://'.length));
    if (!headers.some(([name]) => name === 'Content-Type'))
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
    for (const [name, value] of headers) if (value !== null) response.appendHeader(name, fill(value));
    response.statusCode = status;
    const content = typeof body === 'string' ? compressBody(fill(body)) : body;
    response.end(status === 204 || status === 304 ? undefined : content);
  });
  return site;
}
