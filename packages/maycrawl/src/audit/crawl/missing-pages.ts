/**
 * Requests a URL that does not exist from each site of a run, once, to find out how the site responds to missing pages.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CollectedResponse, RequestError } from '@maycrawl/client/http';
import { getOrigin } from '@maycrawl/core/url';
import {
  claimMissingPage,
  isMissingPageClaimed,
  type MissingPage,
  setMissingPage,
} from '../run/records/missing-page.ts';
import type { Classify } from '../run/run-store.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { PageClient } from './page-client.ts';
import type { RobotsGuard } from './robots-guard.ts';
import { getFolderUrl } from './scope.ts';
import { readVisit } from './visit.ts';

/** Maximum number of sites. */
const MAX_SITES = 100;

interface Parts {
  readonly guard: RobotsGuard;
  readonly client: PageClient;
  readonly classify: Classify;
}

/** Requests the URLs after the crawl, so that a site gets no further request at the same time. Ends early if the signal is aborted. */
export async function requestMissingPages(options: CrawlOptions, parts: Parts): Promise<void> {
  const { run, settings, signal, spacing, obeysCrawlDelay } = options;
  const abort = (): void => parts.client.abort(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    let left = MAX_SITES;
    for (const { origin } of await run.allRobots()) {
      const urls = createUrls(origin, settings.starts).filter(
        (url) => parts.classify(url).state === 'waiting',
      );
      if (left === 0) return;
      if (urls.length === 0 || (await isMissingPageClaimed(run, origin))) continue;
      const site = await parts.guard.getSite(origin, signal);
      const url = urls.find((each) => site.mayFetch(each));
      if (url === undefined || !(await claimMissingPage(run, origin))) continue;
      left--;
      await sleep(Math.max(spacing, obeysCrawlDelay ? site.crawlDelay : 0), undefined, { signal });
      await setMissingPage(run, origin, await request(url, options, parts.client));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Creates URLs that do not exist: below the root, and below the folders of the starts if the root is out of scope. */
function createUrls(origin: string, starts: readonly string[]): string[] {
  const name = `maycrawl-${randomUUID()}`;
  const folders = starts.filter((start) => getOrigin(start) === origin).map(getFolderUrl);
  return [`${origin}/`, ...folders].map((folder) => folder + name);
}

async function request(url: string, { now }: CrawlOptions, client: PageClient): Promise<MissingPage> {
  const at = now();
  try {
    return { url, at, ...describe(url, await client.fetch(url)) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { url, at, status: null, location: null, title: null, bytes: null, digest: null };
  }
}

function describe(url: string, response: CollectedResponse): Omit<MissingPage, 'url' | 'at'> {
  const { outcome } = readVisit(url, response);
  const { digest, facts } = outcome;
  const { title, location } = facts;
  return {
    ...{ status: response.status, location, title, digest },
    bytes: digest === null ? null : response.body.length,
  };
}
