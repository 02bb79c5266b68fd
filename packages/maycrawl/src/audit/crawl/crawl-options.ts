// The options of a crawl.
import type { Fetcher } from '@maycrawl/client/internal';
import type { Classify, Counts } from '../run/records/url.ts';
import type { RunStore } from '../run/run-store.ts';
import type { RunSettings } from '../run/settings.ts';
import type { PageClient } from './page-client.ts';
import type { RobotsGuard } from './robots-guard.ts';

/** What is crawled, how, and where the results are stored. */
export interface CrawlOptions {
  readonly run: RunStore;
  readonly settings: RunSettings;
  readonly userAgent: string;
  /** Further headers of requests to the origins of the starts (of an http start also to https on the same host), and to no others. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** A robots.txt that replaces that of every site. */
  readonly robots?: Uint8Array | null;
  /** Further URLs to begin with. The list is read once in a run, until it was read to its end. */
  readonly list?: AsyncIterable<readonly string[]>;
  /** Requests to one host at the same time. */
  readonly concurrency: number;
  /** Milliseconds between requests to one host. */
  readonly spacing: number;
  /** Whether the Crawl-delay of the crawlers is obeyed. */
  readonly obeysCrawlDelay: boolean;
  /** Milliseconds for a connection, and for a request from the moment at which it is sent. */
  readonly timeout: number;
  /** Milliseconds after which a host is down whose requests all fail. @defaultValue three minutes */
  readonly downTime?: number;
  /** Whether a URL that does not exist is requested from each site. @defaultValue `false` */
  readonly requestsMissingPages?: boolean;
  /** Whether the variants of the hosts of the starts are requested: http and https, with and without www. @defaultValue `false` */
  readonly requestsHostVariants?: boolean;
  /** Whether `/.well-known/tdmrep.json` is requested from each site. @defaultValue `false` */
  readonly requestsTdmRep?: boolean;
  /** Milliseconds for all sitemaps together. Those that stay unread make the run incomplete. @defaultValue two hours */
  readonly sitemapTime?: number;
  /** Whether private addresses may be connected to: omitted, only for the origins of the starts; `true`, always; `false`, never. */
  readonly allowPrivateAddresses?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly fetcher?: Fetcher;
  readonly onProgress?: (progress: Progress) => void;
  /** Finds more URLs when no URL is waiting. */
  readonly extend?: (parts: CrawlParts) => CrawlExtension;
}

/** What an extension of a crawl shares with it. */
export interface CrawlParts
  extends Pick<
    CrawlOptions,
    'run' | 'userAgent' | 'concurrency' | 'spacing' | 'obeysCrawlDelay' | 'signal' | 'now'
  > {
  readonly guard: RobotsGuard;
  readonly client: PageClient;
  readonly classify: Classify;
}

/** Works between two parts of a crawl. */
export interface CrawlExtension {
  /** Adds URLs to the run. Returns 0 if it has nothing left to do. */
  findMore(): Promise<number>;
  close(): Promise<void>;
}

/** The progress of a crawl. */
interface Progress {
  readonly counts: Counts;
  /** Requests that are under way. */
  readonly underWay: number;
}
