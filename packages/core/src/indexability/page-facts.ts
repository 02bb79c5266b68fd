// Facts about a page: its status, headers and HTML, combined, with all URLs resolved.
import { type CanonicalStatement, CanonicalStatements } from './canonical.ts';
import type { HtmlFacts, HtmlReference, ResourceKind } from './html-facts.ts';
import { LimitedList } from './limited-list.ts';
import { parseLinkHeader, splitRelationTypes } from './link-header.ts';
import { parseRefresh } from './refresh.ts';
import { RobotsStatements } from './robots-statements.ts';
import { type RobotsStatement, readRobotsHeader } from './rules.ts';
import { resolveBase, resolveUrl } from './url.ts';

/** An HTTP response without its body. */
export interface PageResponse {
  /** The requested URL. */
  readonly url: string;
  readonly status: number;
  /** Names and values, one pair per header line. Names are case-insensitive. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A version of the page in another language (rel="alternate" with hreflang). */
export interface Alternate {
  readonly from: 'html' | 'header';
  readonly hreflang: string;
  readonly url: string;
}

/** The next or previous page of a series. */
export interface SeriesLink {
  readonly rel: 'next' | 'prev';
  readonly url: string;
}

/** A link to another page. */
export interface PageLink {
  readonly element: HtmlReference['element'];
  readonly url: string;
  /** Link types in lower case. */
  readonly rel: readonly string[];
  /** The text of the link; `null` if it is not known, or the element has none. */
  readonly text: string | null;
}

/** A resource that a browser loads to render the page. */
export interface PageResource {
  readonly kind: ResourceKind;
  readonly url: string;
}

/** Facts about a page from one response. All URLs are absolute and normalized by {@link resolveUrl}. */
export interface PageFacts {
  readonly url: string;
  readonly status: number;
  /** The media type in lower case, without parameters; `null` if the response has none. */
  readonly type: string | null;
  /** The target of a redirect; `null` if the response is not a redirect or the target is not an http or https URL. */
  readonly location: string | null;
  /** The base URL of the HTML document. */
  readonly base: string;
  readonly title: string | null;
  readonly robots: readonly RobotsStatement[];
  readonly canonicals: readonly CanonicalStatement[];
  readonly alternates: readonly Alternate[];
  readonly seriesLinks: readonly SeriesLink[];
  /** The first refresh with a valid target. The delay is in seconds; a `url` of `null` is the page itself. */
  readonly refresh: { readonly delay: number; readonly url: string | null } | null;
  readonly links: readonly PageLink[];
  readonly resources: readonly PageResource[];
  /** Whether a part of the document, or statements of the page, were omitted. */
  readonly isTruncated: boolean;
}

const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Maximum number of characters of the URLs resolved against the base URL of one document. Otherwise a base
 * element of 1 MB would expand each short link to 1 MB. A typical base URL leaves capacity for 100,000 links.
 */
const MAX_RESOLVED = 20_000_000;

/** Maximum number of different alternates, and of links of a series. */
const [MAX_ALTERNATES, MAX_SERIES_LINKS] = [1_000, 100] as const;

/**
 * Reads the facts about a page from a response.
 *
 * @param html - the facts about its body; `null` if the body is not HTML.
 * @throws {RangeError} if the URL of the response is not an http or https URL.
 */
export function createPageFacts(response: PageResponse, html: HtmlFacts | null): PageFacts {
  const { url, status } = response;
  if (resolveUrl('/', url) === null) throw new RangeError(`not an http or https URL: ${url}`);
  const [location] = REDIRECT_STATUSES.includes(status) ? getHeaderValues(response, 'location') : [];
  const base = resolveBase(html?.base ?? null, url);
  const headerLinks = getHeaderValues(response, 'link').flatMap(parseLinkHeader);
  const maxLinks = Math.max(1, Math.floor(MAX_RESOLVED / base.length));
  const htmlLinks = html?.links.slice(0, maxLinks) ?? [];
  const references = html?.references.slice(0, maxLinks) ?? [];
  const isCut = html !== null && Math.max(html.links.length, html.references.length) > maxLinks;
  const robots = new RobotsStatements();
  for (const value of getHeaderValues(response, 'x-robots-tag'))
    for (const statement of readRobotsHeader(value)) robots.add(statement);
  for (const statement of html?.robots ?? []) robots.add(statement);
  const canonicals = new CanonicalStatements(url);
  const alternates = new LimitedList<Alternate>(
    MAX_ALTERNATES,
    (each) => `${each.from} ${each.hreflang} ${each.url}`,
  );
  const seriesLinks = new LimitedList<SeriesLink>(MAX_SERIES_LINKS, (each) => `${each.rel} ${each.url}`);
  for (const link of headerLinks) {
    canonicals.addHeaderLink(link);
    alternates.add(createAlternate('header', link.rel, link.hreflang, link.target, url));
  }
  for (const link of htmlLinks) {
    const rel = splitRelationTypes(link.rel);
    canonicals.addElement(link, rel, base);
    alternates.add(createAlternate('html', rel, link.hreflang, link.href, base));
    for (const type of ['next', 'prev'] as const)
      if (rel.includes(type)) seriesLinks.add(createSeriesLink(type, link.href, base));
  }
  return {
    url,
    status,
    type: parseMediaType(getHeaderValues(response, 'content-type').at(-1)),
    location: location === undefined ? null : resolveUrl(location, url),
    base,
    title: html?.title ?? null,
    robots: robots.all,
    canonicals: canonicals.all,
    alternates: alternates.items,
    seriesLinks: seriesLinks.items,
    refresh: selectRefresh([...getHeaderValues(response, 'refresh'), ...(html?.refreshes ?? [])], base),
    links: references.flatMap(({ element, href, rel, text = null }) => {
      const target = resolveUrl(href, base);
      return target === null
        ? []
        : [{ element, url: target, rel: rel === '' ? [] : splitRelationTypes(rel), text }];
    }),
    resources: (html?.resources ?? []).slice(0, maxLinks).flatMap(({ kind, href }) => {
      const target = resolveUrl(href, base);
      return target === null ? [] : [{ kind, url: target }];
    }),
    isTruncated:
      isCut ||
      [robots, canonicals, alternates, seriesLinks].some((list) => list.isTruncated) ||
      (html?.isTruncated ?? false),
  };
}

/**
 * Returns the values of a header, in order.
 *
 * @param name - in lower case.
 */
export function getHeaderValues({ headers }: Pick<PageResponse, 'headers'>, name: string): string[] {
  const values: string[] = [];
  for (const [each, value] of headers)
    if (each.length === name.length && each.toLowerCase() === name) values.push(value);
  return values;
}

/** Returns whether a media type is HTML. A missing type counts as HTML, because browsers detect it by content. */
export function isHtmlMediaType(type: string | null): boolean {
  return type === null || type === 'text/html' || type === 'application/xhtml+xml';
}

/** Parses the media type of a Content-Type header; `null` if there is none. */
export function parseMediaType(contentType: string | undefined): string | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type === undefined || type === '' ? null : type;
}

function createAlternate(
  from: Alternate['from'],
  rel: readonly string[],
  hreflang: string | null,
  href: string,
  base: string,
): Alternate | null {
  const url = hreflang !== null && rel.includes('alternate') ? resolveUrl(href, base) : null;
  return url === null || hreflang === null ? null : { from, hreflang, url };
}

function createSeriesLink(rel: SeriesLink['rel'], href: string, base: string): SeriesLink | null {
  const url = resolveUrl(href, base);
  return url === null ? null : { rel, url };
}

/**
 * Finds the target of a redirect: of a Location header, or of an instant refresh, which search engines treat as a permanent redirect
 * (Google, "Redirects and Google Search"). A refresh after a delay is a temporary redirect, and the page stays in the index: it does not count here.
 *
 * @param url - of the page. A page that refreshes to itself does not redirect.
 * @returns `null` if the page does not redirect.
 */
export function findRedirectTarget(
  { status, location, refresh }: Pick<PageFacts, 'status' | 'location' | 'refresh'>,
  url: string,
): string | null {
  if (location !== null) return location;
  const isInstant = status === 200 && refresh?.delay === 0 && refresh.url !== url;
  return isInstant ? refresh.url : null;
}

function selectRefresh(contents: readonly string[], base: string): PageFacts['refresh'] {
  for (const content of contents) {
    const refresh = parseRefresh(content);
    if (refresh === null) continue;
    const url = refresh.href === '' ? null : resolveUrl(refresh.href, base);
    if (refresh.href === '' || url !== null) return { delay: refresh.delay, url };
  }
  return null;
}
