/**
 * What a page says: its response, its headers and its HTML, brought together and resolved.
 *
 * @module
 */
import { type CanonicalStatement, canonicalsInHeader, canonicalsInHtml } from './canonical.ts';
import type { HtmlFacts, HtmlReference } from './html-facts.ts';
import { parseLinkHeader, wordsOf } from './link-header.ts';
import { parseRefresh } from './refresh.ts';
import { readRobotsHeader, type Statement } from './rules.ts';
import { resolveBase, resolveUrl } from './url.ts';

/** A response as it came. */
export interface PageResponse {
  /** What was asked for. */
  readonly url: string;
  readonly status: number;
  /** Names and values, one for each header line. Names are compared without case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A version of the page in another language (rel="alternate" with hreflang). */
export interface Alternate {
  readonly from: 'html' | 'header';
  readonly hreflang: string;
  readonly url: string;
}

/** A page that this one names as the next or previous of a series. */
export interface Neighbour {
  readonly rel: 'next' | 'prev';
  readonly url: string;
}

/** A page that can be found through this one. */
export interface PageLink {
  readonly element: HtmlReference['element'];
  readonly url: string;
  /** Words in small letters. */
  readonly rel: readonly string[];
}

/** What one response says about its page. All URLs are absolute, as {@link resolveUrl} has them. */
export interface PageFacts {
  readonly url: string;
  readonly status: number;
  /** The media type, without parameters, in small letters; `null` if none is told. */
  readonly type: string | null;
  /** Where a redirect leads; `null` if it is none, or leads nowhere. */
  readonly location: string | null;
  /** What relative URLs in the HTML are relative to. */
  readonly base: string;
  readonly title: string | null;
  readonly robots: readonly Statement[];
  readonly canonicals: readonly CanonicalStatement[];
  readonly alternates: readonly Alternate[];
  readonly neighbours: readonly Neighbour[];
  /** The first refresh that browsers obey, and where it leads: `null` to the page itself. */
  readonly refresh: { readonly delay: number; readonly url: string | null } | null;
  readonly links: readonly PageLink[];
  /** Whether the document had more than is read. */
  readonly isCut: boolean;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Characters of the URLs that are resolved against the base of one document. A base element of a megabyte would make a megabyte of
 * each short link. A usual base leaves room for 100,000 links.
 */
const MAX_RESOLVED = 20_000_000;

/**
 * Says what a response says.
 *
 * @param html - what its body says; `null` if that is no HTML.
 * @throws {RangeError} if the URL of the response is no http or https URL.
 */
export function describePage(response: PageResponse, html: HtmlFacts | null): PageFacts {
  const { url, status } = response;
  if (resolveUrl(url, url) === null) throw new RangeError(`not an http or https URL: ${url}`);
  const [location] = REDIRECTS.includes(status) ? headersOf(response, 'location') : [];
  const base = resolveBase(html?.base ?? null, url);
  const headerLinks = headersOf(response, 'link').flatMap(parseLinkHeader);
  const room = Math.max(1, Math.floor(MAX_RESOLVED / base.length));
  const htmlLinks = html?.links.slice(0, room) ?? [];
  const references = html?.references.slice(0, room) ?? [];
  const isCut = html !== null && Math.max(html.links.length, html.references.length) > room;
  return {
    url,
    status,
    type: mediaTypeOf(headersOf(response, 'content-type').at(-1)),
    location: location === undefined ? null : resolveUrl(location, url),
    base,
    title: html?.title ?? null,
    robots: [...headersOf(response, 'x-robots-tag').flatMap(readRobotsHeader), ...(html?.robots ?? [])],
    canonicals: [...canonicalsInHeader(headerLinks, url), ...canonicalsInHtml(htmlLinks, base)],
    alternates: [
      ...headerLinks.flatMap((link) => alternatesOf('header', link.rel, link.hreflang, link.target, url)),
      ...htmlLinks.flatMap((link) => alternatesOf('html', wordsOf(link.rel), link.hreflang, link.href, base)),
    ],
    neighbours: htmlLinks.flatMap((link) => neighboursOf(wordsOf(link.rel), link.href, base)),
    refresh: refreshOf([...headersOf(response, 'refresh'), ...(html?.refreshes ?? [])], base),
    links: references.flatMap(({ element, href, rel }) => {
      const target = resolveUrl(href, base);
      return target === null ? [] : [{ element, url: target, rel: rel === '' ? [] : wordsOf(rel) }];
    }),
    isCut: isCut || (html?.isCut ?? false),
  };
}

/** The values of a header, in order. */
export function headersOf({ headers }: Pick<PageResponse, 'headers'>, name: string): string[] {
  return headers.flatMap(([each, value]) => (each.toLowerCase() === name ? [value] : []));
}

/** Whether a media type is one of HTML. What names none is taken for it, as browsers come to do. */
export function isHtmlType(type: string | null): boolean {
  return type === null || type === 'text/html' || type === 'application/xhtml+xml';
}

/** The media type that a Content-Type header names. */
export function mediaTypeOf(contentType: string | undefined): string | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type === undefined || type === '' ? null : type;
}

function alternatesOf(
  from: Alternate['from'],
  rel: readonly string[],
  hreflang: string | null,
  href: string,
  base: string,
): Alternate[] {
  const url = hreflang !== null && rel.includes('alternate') ? resolveUrl(href, base) : null;
  return url === null || hreflang === null ? [] : [{ from, hreflang, url }];
}

function neighboursOf(rel: readonly string[], href: string, base: string): Neighbour[] {
  const url = resolveUrl(href, base);
  if (url === null) return [];
  return (['next', 'prev'] as const).filter((word) => rel.includes(word)).map((word) => ({ rel: word, url }));
}

function refreshOf(contents: readonly string[], base: string): PageFacts['refresh'] {
  for (const content of contents) {
    const refresh = parseRefresh(content);
    if (refresh === null) continue;
    const url = refresh.href === '' ? null : resolveUrl(refresh.href, base);
    if (refresh.href === '' || url !== null) return { delay: refresh.delay, url };
  }
  return null;
}
