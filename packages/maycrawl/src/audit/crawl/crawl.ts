/**
 * Crawling a site into a run: what waits is asked for, what it names waits in turn, until nothing does.
 *
 * @module
 */

import { createAddressPolicy } from '@maycrawl/client/http';
import { resolveUrl } from '@maycrawl/core/indexability';
import { PAGE_LIMITS } from '../html/read-page.ts';
import { hostOf, type RunStore } from '../run/run-store.ts';
import type { RunEnd } from '../run/settings.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { Gate } from './gate.ts';
import { Lanes } from './lanes.ts';
import { PageClient } from './page-client.ts';
import { classifier } from './scope.ts';
import { SitemapLane } from './sitemap-lane.ts';

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
    allowPrivate,
  } = options;
  const classify = classifier(settings);
  const addressPolicy = createAddressPolicy({ allowPrivate, openOrigins: settings.starts });
  await run.addStarts(resolved(settings.starts), classify);
  if (list !== undefined && (await run.get('listed')) !== true) {
    for await (const urls of list) await run.addStarts(resolved(urls), classify);
    await run.set('listed', true);
  }
  const gate = new Gate(run, {
    ...{ agents: settings.agents, profile: settings.profile, instead: options.robots ?? null },
    ...{ userAgent, addressPolicy, timeout, now },
    ...(options.fetcher && { fetcher: options.fetcher }),
  });
  const client = new PageClient({
    ...{ userAgent, headers, connections: concurrency, timeout, addressPolicy },
    headerHosts: new Set(resolved(settings.starts).map(hostOf)),
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
