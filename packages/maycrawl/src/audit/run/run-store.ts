/**
 * Where a run is kept: the URLs that were found, what came of those that were asked for, and where they lead. The tables are what
 * makes a run end as if nothing had happened when it was killed on the way.
 *
 * @module
 */
import type { PolicySummary } from '@maycrawl/core';
import type { PageFacts } from '@maycrawl/core/indexability';
import { LINK_TYPES, type PageLink } from './link-list.ts';

/** URLs that are found through more redirects in a row are not asked for. */
const MAX_HOPS = 20;

/** What becomes of a URL. The order is that of the numbers in the tables. */
export const STATES = [
  /** It will be asked for. */
  'waiting',
  /** It was, and what came of it is kept. */
  'asked',
  /** No crawler of the run may fetch it. */
  'blocked',
  /** It is not of what is audited. */
  'outside',
  /** There seems to be no end of URLs like this one. */
  'trap',
  /** Too many links lie between it and the start. */
  'deep',
] as const;
/** How far the audit of a URL has come. */
export type UrlState = (typeof STATES)[number];

/** What a URL that was never seen is to become. */
export interface Classified {
  readonly state: 'waiting' | 'outside' | 'trap';
  /** Why, for a trap. */
  readonly why?: string;
  /** URLs of which there may be only so many: those that have the same shape. */
  readonly shape?: { readonly name: string; readonly limit: number };
}

/** Decides about a URL that was never seen. */
export type Classify = (url: string) => Classified;

/** A URL that is to be asked for. */
export interface Waiting {
  readonly key: number;
  readonly url: string;
  /** Links from the start, as far as is known; `null` if none leads there. */
  readonly depth: number | null;
  /** Redirects in a row through which it was found. */
  readonly hops: number;
  /** How often it was tried in vain. */
  readonly tries: number;
}

/** A URL that a page names, and how. */
export interface NamedUrl {
  readonly url: string;
  /** The sum of its types (link-list.ts). */
  readonly types: number;
}

/** What a page says, but for its links, which are kept by their keys. */
export type StoredFacts = Omit<PageFacts, 'url' | 'links'>;

/** What came of asking for a URL. */
export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly facts: StoredFacts;
      /** Of the body, in hexadecimal, to find pages that are the same; `null` for what is no HTML. */
      readonly digest: string | null;
    }
  | {
      readonly kind: 'failure';
      /** A stable name: `timeout`, `network`, `private-address`, ... */
      readonly code: string;
      readonly detail: string;
    };

/** A URL that was asked for. Times are milliseconds since 1970. */
export interface Page {
  readonly key: number;
  readonly at: number;
  /** How long it took. */
  readonly milliseconds: number;
  /** Of the body, decompressed, as far as it was read. */
  readonly bytes: number;
  readonly outcome: PageOutcome;
}

/** What is to be written of one URL. */
export type Visit =
  | {
      readonly kind: 'asked';
      readonly page: Page;
      readonly depth: number | null;
      readonly hops: number;
      readonly named: readonly NamedUrl[];
    }
  | { readonly kind: 'blocked' | 'deep'; readonly key: number }
  /** It is tried again. */
  | { readonly kind: 'again'; readonly key: number };

/** A URL as it is kept. */
export interface StoredUrl {
  readonly key: number;
  readonly url: string;
  readonly state: UrlState;
  readonly depth: number | null;
  /** Whether the run begins there, or it was on the list. */
  readonly isStart: boolean;
  /** Why, for a trap. */
  readonly why: string | null;
}

/** A sitemap that was read, or not. */
export interface StoredSitemap {
  readonly id: number;
  readonly url: string;
  /** What names it: `robots.txt`, an index, or the command line. */
  readonly foundIn: string;
  /** `null` until it was read. */
  readonly entries: number | null;
  /** Why it could not be read whole; `null` if it was. */
  readonly problem: string | null;
}

/** What a site's robots.txt was, for the run. */
export interface StoredRobots {
  readonly origin: string;
  /** The policy of the site in the run. */
  readonly policy: PolicySummary;
  /** Whether the caller gave the file, which decides instead of that of the site. */
  readonly isGiven: boolean;
  readonly code: string | null;
  readonly message: string | null;
  readonly fetchedAt: number | null;
  readonly body: Uint8Array | null;
}

/** What holds for one URL and one crawler, in short; the evidence is made from it and the rest. */
export interface StoredVerdict {
  readonly key: number;
  /** The crawler's place among those of the run. */
  readonly agent: number;
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly line: number;
  readonly isIndexable: boolean;
  /** The sum of 2^i for each reason (REASONS of core) that applies, and of those that a block hides. */
  readonly reasons: number;
  readonly hidden: number;
}

/** Counts of URLs by what became of them. */
export type Counts = Readonly<Record<UrlState, number>>;

/** Where a run is kept. Everything that is written by one call is written at once. */
export interface RunStore {
  /** A setting or a fact about the run, in JSON; `undefined` if it was never set. */
  get(name: string): Promise<unknown>;
  set(name: string, value: unknown): Promise<void>;

  /** Adds URLs to begin with, unless they are there. */
  addStarts(urls: readonly string[], classify: Classify): Promise<void>;
  /**
   * Hosts (with port) that have URLs waiting, up to so many. Nobody else asks them as long as this process goes on.
   *
   * @param now - milliseconds since 1970.
   */
  claimHosts(limit: number, now: number): Promise<string[]>;
  /** Whether there are hosts with URLs waiting that are not this process's own. */
  hasOtherHosts(): Promise<boolean>;
  /** URLs of a host that wait, the least tried and the least deep first, but those with the keys given. */
  waiting(host: string, limit: number, except: ReadonlySet<number>): Promise<Waiting[]>;
  /** Writes what came of URLs, and the URLs that they name. */
  record(visits: readonly Visit[], classify: Classify): Promise<void>;
  /** @param manner - `soon`: but for `asked` they may be a second old. */
  counts(manner?: 'now' | 'soon'): Promise<Counts>;

  /** Adds a sitemap, unless it is there. */
  addSitemap(url: string, foundIn: string): Promise<void>;
  /** Those that were not read, up to a hundred. */
  unreadSitemaps(): Promise<StoredSitemap[]>;
  sitemaps(): Promise<StoredSitemap[]>;
  /** Writes URLs that a sitemap names. */
  addEntries(sitemap: number, urls: readonly string[], classify: Classify): Promise<void>;
  /** A sitemap was read. */
  closeSitemap(sitemap: number, entries: number, problem: string | null): Promise<void>;
  /** Which sitemaps name a URL. */
  findSitemaps(key: number): Promise<number[]>;

  putRobots(robots: StoredRobots): Promise<void>;
  robots(origin: string): Promise<StoredRobots | undefined>;
  allRobots(): Promise<StoredRobots[]>;

  /** URLs in the order of their keys, after one of them. */
  urls(after: number, limit: number): Promise<StoredUrl[]>;
  url(key: number): Promise<StoredUrl | undefined>;
  /** The key of a URL, which must be as it is kept; `undefined` if it was not found. */
  findKey(url: string): Promise<number | undefined>;
  page(key: number): Promise<Page | undefined>;
  links(key: number): Promise<PageLink[]>;

  /** Sets the depth of every URL: the fewest steps from a start (WALKED). */
  settleDepths(): Promise<void>;
  /**
   * Of URLs that wait or are too deep, those up to a depth and those in sitemaps wait, and the others do not.
   *
   * @returns how many wait.
   */
  limitDepth(most: number): Promise<number>;

  close(): Promise<void>;
}

/** A run that is judged, or will be. */
export interface JudgedRun extends RunStore {
  /** Forgets all verdicts. */
  clearVerdicts(): Promise<void>;
  putVerdicts(verdicts: readonly StoredVerdict[]): Promise<void>;
  verdict(key: number, agent: number): Promise<StoredVerdict | undefined>;
}

/** How many redirects in a row lead to a URL that a page names. */
export function countHops({ types }: NamedUrl, hops: number): number {
  return (types & LINK_TYPES.redirect) === 0 ? 0 : hops + 1;
}

/** What becomes of a URL that was never seen. */
export function classifyAfter(url: string, hops: number, classify: Classify): Classified {
  const classified = classify(url);
  if (hops <= MAX_HOPS || classified.state !== 'waiting') return classified;
  return { state: 'trap', why: `more than ${MAX_HOPS} redirects in a row` };
}

/** The host of an http or https URL as it is kept, with its port. */
export function getHost(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.indexOf('/', start);
  const authority = url.slice(start, end < 0 ? undefined : end);
  return authority.slice(authority.lastIndexOf('@') + 1);
}
