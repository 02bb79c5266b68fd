// Requests a URL that does not exist from each site of a run, once, to find out how the site responds to missing pages.
import { randomUUID } from 'node:crypto';
import { type CollectedResponse, RequestError } from '@maycrawl/client/internal';
import { MISSING_PAGES, type MissingPage } from '../../run/records/site-facts.ts';
import type { CrawlOptions } from '../crawl-options.ts';
import type { PageClient } from '../page-client.ts';
import { readVisit } from '../visit.ts';
import { type RequestParts, requestFromSites } from './request-from-sites.ts';

/** Requests the URLs, which are below the root of a site, or below the folders of the starts if the root is out of scope. */
export function requestMissingPages(options: CrawlOptions, parts: RequestParts): Promise<void> {
  const { classify } = parts;
  return requestFromSites(options, parts, {
    facts: MISSING_PAGES,
    createUrls: (_, folders) => {
      const name = `maycrawl-${randomUUID()}`;
      return folders.map((folder) => folder + name).filter((url) => classify(url).state === 'waiting');
    },
    request: (url) => request(url, options, parts.client),
  });
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
