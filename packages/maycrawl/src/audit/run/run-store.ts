/**
 * The storage of a run: the URLs found, the results of those fetched, and their links. A run that was killed can be resumed from it.
 *
 * @module
 */

import type { PolicySummary } from '@maycrawl/core';
import type { PageFacts } from '@maycrawl/core/indexability';
import { freezeDeep } from '@maycrawl/core/options';
import type { HostRotation } from './host-rotation.ts';
import { LINK_TYPES, type PageLink } from './records/link-list.ts';
import type { UsedResource } from './records/page-lists.ts';
import type { RenderablePage, Rendering } from './records/rendering.ts';

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
  'trap',
  /** Too many links from a start. */
  'deep',
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
  readonly state: 'waiting' | 'outside' | 'trap';
  /** The reason, for a trap. */
  readonly why?: string;
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

/** The URLs that a page names only after its scripts. */
export interface RenderedLinks {
  /** Of the page. */
  readonly depth: number | null;
  readonly named: readonly NamedUrl[];
  readonly classify: Classify;
}

/** The facts about a page, without its links and resources, which are stored by key. */
export type StoredFacts = Omit<PageFacts, 'url' | 'links' | 'resources'>;

/** The result of fetching a URL. */
export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly facts: StoredFacts;
      /** Hash of the body in hexadecimal, to find equal pages; `null` if it is not HTML. */
      readonly digest: string | null;
    }
  | {
      readonly kind: 'failure';
      /** A stable code: `timeout`, `network`, `private-address`, ... */
      readonly code: string;
      readonly detail: string;
    };

/** A fetched URL. Times are milliseconds since 1970. */
export interface Page {
  readonly key: number;
  readonly at: number;
  /** Duration of the request. */
  readonly milliseconds: number;
  /** Length of the body that was read, decompressed. */
  readonly bytes: number;
  readonly outcome: PageOutcome;
}

/** The result of a visit to a URL. */
export type Visit =
  | {
      readonly kind: 'fetched';
      readonly page: Page;
      readonly depth: number | null;
      readonly hops: number;
      readonly named: readonly NamedUrl[];
      /** @defaultValue none */
      readonly resources?: readonly UsedResource[];
      /** What it says about its use (records/preferences.ts). @defaultValue nothing */
      readonly declarations?: string;
      /** Whether it is a target outside the scope. @defaultValue `false` */
      readonly isTarget?: boolean;
    }
  /** A target outside the scope is not `fetched` but `outside`, with or without a page. */
  | { readonly kind: 'blocked' | 'deep' | 'outside'; readonly key: number }
  /** To be retried. */
  | { readonly kind: 'again'; readonly key: number };

/** A stored URL. */
export interface StoredUrl {
  readonly key: number;
  readonly url: string;
  readonly state: UrlState;
  readonly depth: number | null;
  /** Whether it is a start, or on the list of the user. */
  readonly isStart: boolean;
  /** The reason, for a trap. */
  readonly why: string | null;
}

/** A stored URL, its page and its sitemaps. They are read for many URLs at a time: a query for each takes longer than all the rest. */
export interface UrlRecord extends StoredUrl {
  /** `null` if it was not fetched. */
  readonly page: Page | null;
  /** Ids of the sitemaps that list it. */
  readonly inSitemaps: readonly number[];
}

/** A sitemap. */
export interface StoredSitemap {
  readonly id: number;
  readonly url: string;
  /** Where it was found: `robots.txt`, an index, or the command line. */
  readonly foundIn: string;
  /** Number of entries; `null` until it is read. */
  readonly entries: number | null;
  /** Why it could not be read completely; `null` otherwise. */
  readonly problem: string | null;
}

/** The robots.txt of a site in the run. */
export interface StoredRobots {
  readonly origin: string;
  /** The policy of the site in the run. */
  readonly policy: PolicySummary;
  /** Whether the user gave the file, which replaces that of the site. */
  readonly isGiven: boolean;
  readonly code: string | null;
  readonly message: string | null;
  readonly fetchedAt: number | null;
  readonly body: Uint8Array | null;
}

/** The verdict about one URL for one crawler. With the other rows it yields the evidence. */
export interface StoredVerdict {
  readonly key: number;
  /** Index of the crawler in the settings. */
  readonly agent: number;
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly line: number;
  readonly isIndexable: boolean;
  /** The sum of 2^i for each reason (REASONS of core) that applies, and the sum for those that a block hides. */
  readonly reasons: number;
  readonly hidden: number;
}

/** Counts of URLs by state. */
export type Counts = Readonly<Record<UrlState, number>>;

/** The storage of a run. Each call writes in one transaction. */
export interface RunStore {
  /** Returns a setting or a fact about the run; `undefined` if it was never set. */
  get(name: string): Promise<unknown>;
  set(name: string, value: unknown): Promise<void>;
  /** Sets a fact that was never set. @returns `false` if it was. */
  setIfAbsent(name: string, value: unknown): Promise<boolean>;

  /** Adds starts, unless they exist. */
  addStarts(urls: readonly string[], classify: Classify): Promise<void>;
  /** The hosts with waiting URLs. */
  readonly hosts: HostRotation;
  /** Returns the waiting URLs of a host except those with the given keys, ordered by attempts and depth. */
  waiting(host: string, limit: number, except: ReadonlySet<number>): Promise<Waiting[]>;
  /** Stores the results of visits, and the URLs that the pages link to. */
  record(visits: readonly Visit[], classify: Classify): Promise<void>;
  /** @param mode - `cached`: all counts but that of fetched URLs may be a second old. */
  counts(mode?: 'exact' | 'cached'): Promise<Counts>;

  /** Adds a sitemap, unless it exists. Returns whether it is new. */
  addSitemap(url: string, foundIn: string): Promise<boolean>;
  /** Returns unread sitemaps. */
  unreadSitemaps(): Promise<StoredSitemap[]>;
  sitemaps(): Promise<StoredSitemap[]>;
  /** Stores URLs of a sitemap. */
  addEntries(sitemap: number, urls: readonly string[], classify: Classify): Promise<void>;
  /** Marks a sitemap as read. */
  closeSitemap(sitemap: number, entries: number, problem: string | null): Promise<void>;
  /** Returns the sitemaps that list a URL. */
  findSitemaps(key: number): Promise<number[]>;

  putRobots(robots: StoredRobots): Promise<void>;
  robots(origin: string): Promise<StoredRobots | undefined>;
  allRobots(): Promise<StoredRobots[]>;

  /** Returns the URLs after a key, in the order of the keys. */
  urls(after: number, limit: number): Promise<StoredUrl[]>;
  url(key: number): Promise<StoredUrl | undefined>;
  /** Returns the key of a URL in its stored form; `undefined` if the run does not contain it. */
  findKey(url: string): Promise<number | undefined>;
  page(key: number): Promise<Page | undefined>;
  links(key: number): Promise<PageLink[]>;

  /** Returns the URLs of resources of pages after an id, in the order of the ids. */
  resources(after: number, limit: number): Promise<{ readonly id: number; readonly url: string }[]>;
  /** Returns the number of pages that were rendered, or could not be. */
  countRenderings(): Promise<number>;
  /** Returns fetched HTML pages with status 200 that were not rendered, after a key, in the order of the keys. */
  renderablePages(after: number, limit: number): Promise<RenderablePage[]>;
  /** Claims a page for rendering. Returns `false` if another process has it. */
  claimRendering(key: number): Promise<boolean>;
  /** Stores the result of rendering a page, and adds its links to those of the page. */
  recordRendering(rendering: Rendering, links: RenderedLinks): Promise<void>;
  /** Returns the result of rendering a page; `undefined` if it was not rendered. */
  rendering(key: number): Promise<Rendering | undefined>;

  /** Sets the depth of every URL: the least number of links (WALKED) from a start. */
  settleDepths(): Promise<void>;
  /**
   * Sets waiting and deep URLs to `waiting` if they are in a sitemap or within a depth, and to `deep` otherwise.
   *
   * @returns the number of waiting URLs.
   */
  limitDepth(most: number): Promise<number>;

  close(): Promise<void>;
}

/** Returns the number of successive redirects that led to a linked URL. */
export function countHops({ types }: NamedUrl, hops: number): number {
  return (types & LINK_TYPES.redirect) === 0 ? 0 : hops + 1;
}

/** Classifies a new URL behind `hops` redirects. */
export function classifyAfter(url: string, hops: number, classify: Classify): Classified {
  const classified = classify(url);
  if (hops <= MAX_HOPS || classified.state !== 'waiting') return classified;
  return { state: 'trap', why: `more than ${MAX_HOPS} successive redirects` };
}

/** Returns the host of a stored URL, with its port. */
export function getHost(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.indexOf('/', start);
  const authority = url.slice(start, end < 0 ? undefined : end);
  return authority.slice(authority.lastIndexOf('@') + 1);
}
