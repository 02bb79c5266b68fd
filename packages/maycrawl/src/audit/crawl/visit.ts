// From a response to what is recorded of a page, and the URLs that it names.
import { hash } from 'node:crypto';
import { type CollectedResponse, parseRetryAfter } from '@maycrawl/client/internal';
import {
  type Directive,
  findRedirectTarget,
  getHeaderValues,
  isHtmlMediaType,
  type PageFacts,
} from '@maycrawl/core/indexability';
import { PAGE_LIMITS, readPage } from '../../html/read-page.ts';
import { LINK_TYPES } from '../run/records/link-list.ts';
import type { PageOutcome, StoredFacts, Visit } from '../run/records/page.ts';
import { getKindBit, TEXT_SEPARATOR, type UsedResource } from '../run/records/page-lists.ts';
import { packDeclarations } from '../run/records/preferences.ts';
import type { NamedUrl, Waiting } from '../run/records/url.ts';
import { MAX_URL } from './url-shape.ts';

/** Maximum length of all URLs of a page together: relative links on a page with a long URL resolve to long URLs. */
const MAX_CHARS = 20_000_000;
/** Different texts of the links of a page to one URL. */
const MAX_TEXTS = 5;
const MAX_RESOURCE_URL = 2_000;
/** Maximum length of a document that stays in memory until its page is stored. Bytes. */
const MAX_KEPT = 65_536;
/** Hexadecimal digits of a digest. */
const DIGEST = 16;

/** The recorded part of a response. */
export interface Visited {
  readonly outcome: Extract<PageOutcome, { readonly kind: 'page' }>;
  readonly named: readonly NamedUrl[];
  readonly resources: readonly UsedResource[];
  /** What the page says about its use, as the run stores it; omitted if it says nothing. */
  readonly declarations?: string;
}

export function readVisit(url: string, { status, headers, body }: CollectedResponse): Visited {
  const page = readPage({ url, status, headers }, body, PAGE_LIMITS);
  const { links, resources, url: _, preferences, ...facts } = page;
  const isRefreshed = facts.location === null && findRedirectTarget(facts, url) !== null;
  const named = collectLinks(facts, links, isRefreshed);
  // Responses without content have nothing that could be used.
  const declared = preferences === null || !isSuccess(status) ? null : packDeclarations(preferences);
  const isTruncated = named.isTruncated || declared?.isCut === true;
  const isPage = isHtmlMediaType(facts.type) && body.length > 0;
  const digest = isPage ? hash('sha1', body, 'hex').slice(0, DIGEST) : null;
  const visited: Visited = {
    outcome: { kind: 'page', facts: isTruncated ? { ...facts, isTruncated: true } : facts, digest },
    named: named.urls,
    resources: collectResources(resources),
    ...(declared && { declarations: declared.text }),
  };
  return body.length > MAX_KEPT ? copyStrings(visited) : visited;
}

/** Copies all strings. Those of a page are parts of its document, and keep it in memory until the page is stored. */
function copyStrings(visited: Visited): Visited {
  return JSON.parse(JSON.stringify(visited)) as Visited;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Creates the visit to a URL without a response. */
export function createFailedVisit(
  { key, depth, hops, isTarget }: Waiting,
  {
    at,
    milliseconds,
    code,
    detail,
  }: { readonly at: number; readonly milliseconds: number; readonly code: string; readonly detail: string },
): Visit {
  const page = { key, at, milliseconds, bytes: 0, outcome: { kind: 'failure', code, detail } as const };
  return { kind: 'fetched', page, depth, hops, named: [], isTarget };
}

/** Returns the pause that a host requests, in milliseconds (RFC 9110 section 10.2.3); `null` if it requests none. */
export function getRetryAfter({ headers }: Pick<CollectedResponse, 'headers'>, now: number): number | null {
  const [value = null] = getHeaderValues({ headers }, 'retry-after');
  const at = parseRetryAfter(value, now);
  return at === null ? null : Math.max(0, at - now);
}

/**
 * Collects the URLs that a page names, with the types of its links.
 *
 * @param isRefreshed - whether its refresh is instant: then it is a redirect, too. @defaultValue `false`
 */
export function collectLinks(
  { location, canonicals, alternates, seriesLinks, refresh, robots }: StoredFacts,
  links: PageFacts['links'],
  isRefreshed: boolean = false,
): { readonly urls: readonly NamedUrl[]; readonly isTruncated: boolean } {
  const named = new Map<string, CollectedUrl>();
  let chars = 0;
  let isTruncated = false;
  const name = (url: string | null, type: number, text: string | null = null): void => {
    if (url === null || isTruncated) return;
    // Such a URL is never requested; its beginning shows which one it is.
    const kept = url.length > MAX_URL ? url.slice(0, MAX_URL + 1) : url;
    const known = named.get(kept);
    if (known !== undefined) {
      known.types |= type;
      if (text !== null) addText(known, text);
      return;
    }
    chars += kept.length;
    if (chars > MAX_CHARS) isTruncated = true;
    else named.set(kept, text === null ? { url: kept, types: type } : { url: kept, types: type, text });
  };
  name(location, LINK_TYPES.redirect);
  for (const { url, ignored } of canonicals) if (ignored === null) name(url, LINK_TYPES.canonical);
  for (const { url } of alternates) name(url, LINK_TYPES.alternate);
  for (const { url } of seriesLinks) name(url, LINK_TYPES.neighbour);
  name(refresh?.url ?? null, isRefreshed ? LINK_TYPES.refresh | LINK_TYPES.redirect : LINK_TYPES.refresh);
  const isClosed = robots.some(
    ({ agent, directives }) => agent === null && directives.some(forbidsFollowing),
  );
  for (const { url, rel, text } of links)
    name(url, isClosed || rel.includes('nofollow') ? LINK_TYPES.nofollow : LINK_TYPES.link, text);
  return { urls: [...named.values()], isTruncated };
}

/** A URL whose types and texts are being collected. */
interface CollectedUrl extends NamedUrl {
  types: number;
  text?: string;
}

function addText(named: CollectedUrl, text: string): void {
  if (named.text === undefined) named.text = text;
  else if (named.text !== text) {
    const known = named.text.split(TEXT_SEPARATOR);
    if (known.length < MAX_TEXTS && !known.includes(text)) named.text += TEXT_SEPARATOR + text;
  }
}

function collectResources(resources: PageFacts['resources']): UsedResource[] {
  const kindsByUrl = new Map<string, number>();
  for (const { kind, url } of resources)
    if (url.length <= MAX_RESOURCE_URL) kindsByUrl.set(url, (kindsByUrl.get(url) ?? 0) | getKindBit(kind));
  return Array.from(kindsByUrl, ([url, kinds]) => ({ url, kinds }));
}

function forbidsFollowing({ kind }: Directive): boolean {
  return kind === 'nofollow' || kind === 'none';
}
