// The URLs of a run: their states, how a new one is classified, and what is stored of each.
import { freezeDeep } from '@maycrawl/core/internal';
import { LINK_TYPES } from './link-list.ts';

/** Maximum number of successive redirects. URLs behind more are not fetched. */
const MAX_HOPS = 20;

/** The states of URLs. Tables contain the index of a state. */
export const STATES = [
  /** To be fetched. */
  'waiting',
  /** Fetched; the result is stored. */
  'fetched',
  /** No crawler of the run may fetch it. */
  'blocked',
  /** Outside the scope of the audit. */
  'outside',
  /** One of a series of URLs that seems endless. */
  'crawl-trap',
  /** Too many links from a start. */
  'too-deep',
] as const;
freezeDeep(STATES);
/** The state of a URL in a run. */
export type UrlState = (typeof STATES)[number];

/** A shape of URLs, and the maximum number of URLs with it. */
export interface Shape {
  readonly name: string;
  readonly limit: number;
}

/** The classification of a new URL. */
export interface Classified {
  readonly state: 'waiting' | 'outside' | 'crawl-trap';
  /** The reason, for a crawl trap. */
  readonly reason?: string;
  readonly shape?: Shape;
}

/** Classifies a new URL. */
export type Classify = (url: string) => Classified;

/** A URL to fetch. */
export interface Waiting {
  readonly key: number;
  readonly url: string;
  /** Links from a start, as far as known; `null` if there is no path from a start. */
  readonly depth: number | null;
  /** Number of successive redirects that led to the URL. */
  readonly hops: number;
  /** Number of failed attempts. */
  readonly tries: number;
  /** Whether it is a {@link TARGET_REASON | target} outside the scope. */
  readonly isTarget: boolean;
}

/**
 * The reason why a URL outside the scope is fetched once, without its links: whether a redirect or a canonical is right depends on what is
 * there.
 */
export const TARGET_REASON = 'a redirect or canonical leads to it';
/** Maximum number of such URLs in a run: a hostile site could name a million hosts. */
const MAX_TARGETS = 1_000;
/** The shape under which they are counted. */
export const TARGET_SHAPE: Shape = { name: 'targets outside the scope', limit: MAX_TARGETS };

/** The reason why the URL of a sitemap is in the run, outside the scope: findings are about it. */
export const SITEMAP_REASON = 'a sitemap';

/** Whether a named URL is fetched although it is outside the scope. */
export function isTarget({ types }: NamedUrl): boolean {
  return (types & (LINK_TYPES.redirect | LINK_TYPES.canonical)) !== 0;
}

/** A URL that a page links to. */
export interface NamedUrl {
  readonly url: string;
  /** The sum of its link types (link-list.ts). */
  readonly types: number;
  /** The different texts of its links, joined by TEXT_SEPARATOR. Missing: no element with a text links to it. */
  readonly text?: string;
}

/** A stored URL. */
export interface StoredUrl {
  readonly key: number;
  readonly url: string;
  readonly state: UrlState;
  readonly depth: number | null;
  /** Whether it is a start, or on the list of the user. */
  readonly isStart: boolean;
  /** The reason of the state, for a crawl trap. */
  readonly stateReason: string | null;
}

/** Counts of URLs by state. */
export type Counts = Readonly<Record<UrlState, number>>;

/** Returns the number of successive redirects that led to a linked URL. */
export function countHops({ types }: NamedUrl, hops: number): number {
  return (types & LINK_TYPES.redirect) === 0 ? 0 : hops + 1;
}

/** Classifies a new URL behind `hops` redirects. */
export function classifyAfter(url: string, hops: number, classify: Classify): Classified {
  const classified = classify(url);
  if (hops <= MAX_HOPS || classified.state !== 'waiting') return classified;
  return { state: 'crawl-trap', reason: `more than ${MAX_HOPS} successive redirects` };
}

/** Returns the host of a stored URL, with its port. */
export function getHost(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.indexOf('/', start);
  const authority = url.slice(start, end < 0 ? undefined : end);
  return authority.slice(authority.lastIndexOf('@') + 1);
}
