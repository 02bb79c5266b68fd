/**
 * What a crawl is told.
 *
 * @module
 */
import type { Fetcher } from '@maycrawl/client/origins';
import type { Counts, RunStore } from '../run/run-store.ts';
import type { RunSettings } from '../run/settings.ts';

/** What is crawled, how, and where it is kept. */
export interface CrawlOptions {
  readonly run: RunStore;
  readonly settings: RunSettings;
  readonly userAgent: string;
  /** Further headers of requests to the hosts of the starts, and to no others. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** A robots.txt that is taken for that of every site. */
  readonly robots?: Uint8Array | null;
  /** URLs that are asked for beside those of the start. It is read once in a run, until it was read whole. */
  readonly list?: AsyncIterable<readonly string[]>;
  /** Requests to one host at the same time. */
  readonly concurrency: number;
  /** Milliseconds between requests to one host. */
  readonly spacing: number;
  /** Whether the Crawl-delay of the crawlers is obeyed. */
  readonly obeysCrawlDelay: boolean;
  /** Milliseconds for one page. */
  readonly timeout: number;
  /** Whether private addresses may be connected to: omitted, only for the origins of the starts; `true`, always; `false`, never. */
  readonly allowPrivate?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly fetcher?: Fetcher;
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a crawl has come. */
interface Progress {
  readonly counts: Counts;
  /** Requests that are under way. */
  readonly underWay: number;
}
