// The pages of a run: what a visit to a URL found, and what is stored of it.
import type { PageFacts } from '@maycrawl/core/indexability';
import type { UsedResource } from './page-lists.ts';
import type { Classify, NamedUrl, StoredUrl } from './url.ts';

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
  | { readonly kind: 'blocked' | 'too-deep' | 'outside'; readonly key: number }
  /** To be retried. */
  | { readonly kind: 'again'; readonly key: number };

/** The URLs that a page names only after its scripts. */
export interface RenderedLinks {
  /** Of the page. */
  readonly depth: number | null;
  readonly named: readonly NamedUrl[];
  readonly classify: Classify;
}

/** A stored URL, its page and its sitemaps. They are read for many URLs at a time: a query for each takes longer than all the rest. */
export interface UrlRecord extends StoredUrl {
  /** `null` if it was not fetched. */
  readonly page: Page | null;
  /** Ids of the sitemaps that list it. */
  readonly inSitemaps: readonly number[];
}
