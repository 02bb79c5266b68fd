// Requests `/.well-known/tdmrep.json` from each site of a run, once.
import { RequestError } from '@maycrawl/client/internal';
import {
  MAX_TDMREP,
  readTdmRepFile,
  TDMREP_PATH,
  type TdmRepFile,
} from '../../../preferences/tdmrep-file.ts';
import { TDMREP_FILES } from '../../run/records/site-facts.ts';
import type { CrawlOptions } from '../crawl-options.ts';
import type { PageClient } from '../page-client.ts';
import { type RequestParts, requestFromSites } from './request-from-sites.ts';

/** Requests the files, without following redirects. */
export function requestTdmRepFiles(options: CrawlOptions, parts: RequestParts): Promise<void> {
  return requestFromSites(options, parts, {
    facts: TDMREP_FILES,
    createUrls: (origin) => [origin + TDMREP_PATH],
    request: (url) => request(url, parts.client),
  });
}

async function request(url: string, client: PageClient): Promise<TdmRepFile> {
  try {
    return readTdmRepFile(await client.fetchFile(url, MAX_TDMREP + 1, { accept: 'application/json' }));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { text: null, problem: error.message };
  }
}
