/**
 * Crawling a site into a run: what waits is asked for, what it names waits in turn, until nothing does.
 *
 * @module
 */
import { resolveUrl } from '@maycrawl/core/page';
import type { Fetcher } from '../../client/asking.ts';
import { PAGE_LIMITS } from '../html/read-page.ts';
import type { Counts, RunStore } from '../run/run-store.ts';
import type { RunEnd, RunSettings } from '../run/settings.ts';
import { Gate } from './gate.ts';
import { Lanes } from './lanes.ts';
import { PageClient } from './page-client.ts';
import { classifier } from './scope.ts';
import { SitemapLane } from './sitemap-lane.ts';

export interface CrawlOptions {
  readonly run: RunStore;
  readonly settings: RunSettings;
  readonly userAgent: string;
  /** Further headers of requests for pages. */
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
  readonly publicOnly: boolean;
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

/** Crawls until nothing waits, or it is told to stop. What it did is in the run. @returns how it ended. */
export async function crawl(options: CrawlOptions): Promise<RunEnd> {
  const {
    run,
    settings,
    list,
    signal,
    now,
    userAgent,
    headers = [],
    concurrency,
    timeout,
    publicOnly,
  } = options;
  const classify = classifier(settings);
  await run.addStarts(resolved(settings.starts), classify);
  if (list !== undefined && (await run.get('listed')) !== true) {
    for await (const urls of list) await run.addStarts(resolved(urls), classify);
    await run.set('listed', true);
  }
  const gate = new Gate(run, {
    ...{ agents: settings.agents, profile: settings.profile, instead: options.robots ?? null },
    ...{ userAgent, publicOnly, timeout, now },
    ...(options.fetcher && { fetcher: options.fetcher }),
  });
  const client = new PageClient({
    ...{ userAgent, headers, connections: concurrency, timeout, publicOnly },
    maxBytes: PAGE_LIMITS.bytes,
  });
  const sitemaps = new SitemapLane({ run, gate, client, classify, timeout, signal, isOn: settings.sitemaps });
  const lanes = new Lanes(options, { gate, client, sitemaps, classify });
  try {
    let why = await lanes.crawl();
    if (settings.maxDepth !== null)
      while (why === 'complete' && (await deepen(run, settings.maxDepth)) > 0) why = await lanes.crawl();
    if (!signal.aborted) await run.settleDepths();
    return { why, at: now(), waiting: (await run.counts()).waiting };
  } finally {
    await client.close();
  }
}

/** Finds out which URLs are near enough after all. @returns how many wait. */
async function deepen(run: RunStore, maxDepth: number): Promise<number> {
  await run.settleDepths();
  return run.limitDepth(maxDepth);
}

function resolved(urls: readonly string[]): string[] {
  return urls.flatMap((url) => resolveUrl(url, url) ?? []);
}
