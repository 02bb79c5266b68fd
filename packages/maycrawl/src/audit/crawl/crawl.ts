// Crawls sites into a run: requests the URLs that wait, and adds those that their pages name, until none waits.

import { createAddressPolicy } from '@maycrawl/client/internal';
import { PAGE_LIMITS } from '../../html/read-page.ts';
import type { RunStore } from '../run/run-store.ts';
import type { RunEnd } from '../run/settings.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { checkUrls } from './external/check-urls.ts';
import { getHeaderOrigins, PageClient } from './page-client.ts';
import { fetchResourceSites } from './resource-sites.ts';
import { RobotsGuard } from './robots-guard.ts';
import { Scheduler } from './scheduler.ts';
import { createClassifier, resolveUrls } from './scope.ts';
import { requestHostVariants } from './site-requests/host-variants.ts';
import { requestMissingPages } from './site-requests/missing-pages.ts';
import { requestTdmRepFiles } from './site-requests/tdmrep-files.ts';
import { SitemapQueue } from './sitemaps/sitemap-queue.ts';
import { StartList } from './start-list.ts';

/** Milliseconds for all sitemaps of a run together: 50,000 of them could take weeks. */
const SITEMAP_TIME = 7_200_000;

/** Crawls until no URL is waiting, or the signal is aborted. Stores the results in the run. Returns its end. */
export async function crawl(options: CrawlOptions): Promise<RunEnd> {
  const {
    run,
    settings,
    signal,
    now,
    userAgent,
    headers = [],
    concurrency,
    timeout,
    allowPrivateAddresses,
    sitemapTime = SITEMAP_TIME,
  } = options;
  const classify = await createClassifier(settings);
  const addressPolicy = createAddressPolicy({ allowPrivateAddresses, openOrigins: settings.starts });
  run.addStarts(resolveUrls(settings.starts), classify);
  run.hosts.start();
  const guard = new RobotsGuard(run, {
    agents: settings.agents,
    profile: settings.profile,
    instead: options.robots ?? null,
    userAgent,
    addressPolicy,
    timeout,
    now,
    ...(options.fetcher && { fetcher: options.fetcher }),
  });
  const client = new PageClient({
    userAgent,
    headers,
    connections: concurrency,
    timeout,
    addressPolicy,
    headerOrigins: getHeaderOrigins(resolveUrls(settings.starts)),
    maxBytes: PAGE_LIMITS.bytes,
  });
  const sitemaps = new SitemapQueue({
    run,
    guard,
    client,
    classify,
    signal,
    now,
    isOn: settings.sitemaps,
    timeLimit: sitemapTime,
  });
  const scheduler = new Scheduler(options, { guard, client, sitemaps, classify });
  const extension = options.extend?.({ ...options, guard, client, classify });
  const list = new StartList(options, classify);
  try {
    let reason: RunEnd['reason'];
    do {
      await list.readMore();
      reason = await crawlDeep(run, settings.maxDepth, scheduler);
    } while (!list.isRead && reason !== 'max-pages' && reason !== 'interrupted');
    if (extension !== undefined) {
      while (!signal.aborted && (await extension.findMore()) > 0)
        reason = await crawlDeep(run, settings.maxDepth, scheduler);
      if (signal.aborted) reason = 'interrupted';
    }
    const isReached = reason === 'complete' || reason === 'max-pages';
    if (options.requestsTdmRep === true && isReached)
      await requestTdmRepFiles(options, { guard, client, classify });
    if (options.requestsMissingPages === true && isReached)
      await requestMissingPages(options, { guard, client, classify });
    if (options.requestsHostVariants === true && isReached && !settings.isRobotsGiven)
      await requestHostVariants(options, { guard, client, classify });
    // A given file replaces those of the audited sites only.
    if (!signal.aborted && !settings.isRobotsGiven) await fetchResourceSites(run, guard, signal);
    if (isReached && settings.external) {
      await checkUrls(options, { guard, client }, settings.external.limit);
      // A resumed run checks the rest.
      if (signal.aborted) reason = 'interrupted';
    }
    if (!signal.aborted) run.settleDepths();
    const { waiting } = run.counts();
    return { reason, at: now(), waiting, ...(reason === 'no-responses' && { hosts: run.hosts.count() }) };
  } finally {
    await list.close();
    await extension?.close();
    await client.close();
    await guard.idle();
  }
}

/** Crawls, also URLs that turn out to be near enough. */
async function crawlDeep(
  run: RunStore,
  maxDepth: number | null,
  scheduler: Scheduler,
): Promise<RunEnd['reason']> {
  let reason = await scheduler.crawl();
  if (maxDepth !== null)
    while (reason === 'complete' && deepen(run, maxDepth) > 0) reason = await scheduler.crawl();
  return reason;
}

/** Recomputes which URLs are too deep. Returns the number of waiting URLs. */
function deepen(run: RunStore, maxDepth: number): number {
  run.settleDepths();
  return run.limitDepth(maxDepth);
}
