// One request to each site of a run, after the crawl, so that a site gets no other request at the same time.
import { sleepUnlessAborted } from '@maycrawl/client/internal';
import { getOrigin } from '@maycrawl/core/url';
import type { SiteFacts } from '../../run/records/site-facts.ts';
import type { Classify } from '../../run/records/url.ts';
import type { CrawlOptions } from '../crawl-options.ts';
import type { PageClient } from '../page-client.ts';
import type { RobotsGuard } from '../robots-guard.ts';
import { getFolderUrl } from '../scope.ts';

const MAX_SITES = 100;
/** Maximum number of concurrent requests, each to another site. */
const MAX_REQUESTS = 10;

/** The parts of a crawl that send the requests. */
export interface RequestParts {
  readonly guard: RobotsGuard;
  readonly client: PageClient;
  readonly classify: Classify;
}

export interface SiteRequest<Fact> {
  readonly facts: SiteFacts<Fact>;
  /**
   * Returns the URLs that can be requested: the first one that robots.txt allows is.
   *
   * @param folders - the folders of the site that are in the scope of the audit: its root, or those of the starts.
   */
  readonly createUrls: (origin: string, folders: readonly string[]) => readonly string[];
  readonly request: (url: string) => Promise<Fact>;
}

/** Sends the requests, and stores the facts in the run. Ends early if the signal is aborted. */
export async function requestFromSites<Fact>(
  { run, settings, signal, spacing, obeysCrawlDelay }: CrawlOptions,
  { guard, client, classify }: RequestParts,
  { facts, createUrls, request }: SiteRequest<Fact>,
): Promise<void> {
  const abort = (): void => client.abort(signal.reason);
  signal.addEventListener('abort', abort);
  let left = MAX_SITES;
  const origins = run.robots
    .list()
    .map(({ origin }) => origin)
    .values();
  // Several at the same time: a hundred sites that do not respond would keep the run for an hour.
  const requestNext = async (): Promise<void> => {
    for (const origin of origins) {
      const starts = settings.starts.filter((start) => getOrigin(start) === origin).map(getFolderUrl);
      const folders = [`${origin}/`, ...starts].filter((url) => classify(url).state === 'waiting');
      if (left === 0) return;
      if (folders.length === 0 || facts.isClaimed(run, origin)) continue;
      const site = await guard.getSite(origin, signal);
      const url = createUrls(origin, folders).find((each) => site.mayFetch(each));
      if (url === undefined || left === 0) continue;
      left--;
      if (!facts.claim(run, origin)) {
        left++;
        continue;
      }
      await sleepUnlessAborted(Math.max(spacing, obeysCrawlDelay ? site.crawlDelay : 0), signal);
      facts.set(run, origin, await request(url));
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_REQUESTS }, requestNext));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
