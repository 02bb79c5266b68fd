// What scripts change of a page: from the facts before and after them to what a run stores.

import type { PageFacts } from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import { collectLinks } from '../crawl/visit.ts';
import { LINK_TYPES } from '../run/records/link-list.ts';
import {
  type LinkSample,
  MAX_STORED,
  type RenderedFacts,
  type RenderOutcome,
} from '../run/records/rendering.ts';
import type { NamedUrl } from '../run/records/url.ts';
import type { RenderedPage } from './render-page.ts';

/** Characters of a stored text. */
const MAX_TEXT = 1_000;
const LINK = LINK_TYPES.link | LINK_TYPES.nofollow;
/** Types of links that are added to those of the page. */
const ADDED = LINK | LINK_TYPES.refresh | LINK_TYPES.canonical;

/** The result, and the URLs that the page names only after its scripts. */
export interface ComparedPage {
  readonly outcome: RenderOutcome;
  readonly named: readonly NamedUrl[];
}

/** Compares a page before and after its scripts. */
export function comparePage(
  before: PageFacts,
  after: PageFacts,
  { network: { redirect, refused, requests }, isStopped }: Omit<RenderedPage, 'document'>,
): ComparedPage {
  const [former, current] = [before, after].map(
    (facts) => new Map(collectLinks(facts, facts.links).urls.map((link) => [link.url, link])),
  ) as [Map<string, NamedUrl>, Map<string, NamedUrl>];
  const getTypes = (links: ReadonlyMap<string, NamedUrl>, url: string): number => links.get(url)?.types ?? 0;
  const named: NamedUrl[] = [];
  for (const link of current.values()) {
    const types = getAdded(getTypes(former, link.url), link.types);
    if (types !== 0) named.push({ ...link, types });
  }
  // Chromium follows a refresh of the HTML, too.
  const isRefresh = redirect !== null && (getTypes(former, redirect) & LINK_TYPES.refresh) !== 0;
  const led = isRefresh ? null : redirect;
  if (led !== null) named.push({ url: led, types: LINK_TYPES.refresh });
  const [anchorsBefore, anchorsAfter] = [listAnchors(before), listAnchors(after)];
  return {
    named: mergeTypes(named),
    outcome: {
      kind: 'rendered',
      before: toStored(before),
      after: toStored(after),
      added: toSample([...anchorsAfter].filter((url) => (getTypes(former, url) & LINK) === 0)),
      removed: toSample([...anchorsBefore].filter((url) => (getTypes(current, url) & LINK) === 0)),
      redirect: led,
      refused,
      requests,
      isStopped,
    },
  };
}

/** Returns the types that a link has only after the scripts. Whether it is to be followed may change; it was there before. */
function getAdded(former: number, current: number): number {
  const added = current & ~former & ADDED;
  return (former & LINK) === 0 ? added : added & ~LINK;
}

/** A URL can be a link and the target of the scripts. */
function mergeTypes(named: readonly NamedUrl[]): NamedUrl[] {
  const byUrl = new Map<string, NamedUrl>();
  for (const link of named) {
    const known = byUrl.get(link.url) ?? link;
    byUrl.set(link.url, { ...known, types: known.types | link.types });
  }
  return [...byUrl.values()];
}

/** The URLs to which anchors lead. Frames, such as those of advertisements, are crawled and are no links. */
function listAnchors({ links }: PageFacts): ReadonlySet<string> {
  return new Set(links.filter(({ element }) => element === 'a' || element === 'area').map(({ url }) => url));
}

function toSample(urls: readonly string[]): LinkSample {
  return { count: urls.length, urls: urls.slice(0, MAX_STORED) };
}

function toStored({ title, robots, canonicals }: PageFacts): RenderedFacts {
  return {
    title: title === null ? null : truncate(title, MAX_TEXT),
    robots: robots.filter(({ text }) => text.length <= MAX_TEXT).slice(0, MAX_STORED),
    canonicals: canonicals.slice(0, MAX_STORED),
  };
}
