/**
 * How a site responds to a URL that does not exist. The crawl requests one for each site, and stores the response with the run.
 *
 * @module
 */
import { SiteFacts } from './site-facts.ts';

/** The response to a random URL. */
export interface MissingPage {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `null`: no response. */
  readonly status: number | null;
  /** The target of a redirect. */
  readonly location: string | null;
  readonly title: string | null;
  /** Bytes and digest of the body; `null`: it was not read. */
  readonly bytes: number | null;
  readonly digest: string | null;
}

/** The responses of sites. */
export const MISSING_PAGES: SiteFacts<MissingPage> = new SiteFacts('missing page');
