// How URLs are checked that the crawl does not fetch.

/** Options of the check of links to other sites, and of scripts, stylesheets and images. */
export interface ExternalOptions {
  /** Maximum number of URLs; 0: no limit. @defaultValue 1000 */
  readonly limit?: number;
}

/** The default of {@link ExternalOptions.limit}. */
export const EXTERNAL_LIMIT = 1_000;
