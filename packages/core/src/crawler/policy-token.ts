// Policy tokens: product tokens of crawlers that send no requests. A group for such a token says how the content may be used that
// other crawlers of the operator fetch.

/** A policy token. */
export interface PolicyToken {
  readonly token: string;
  readonly operator: string | null;
  /** The tokens of the crawlers whose content it governs; `null` for all crawlers. */
  readonly governs: readonly string[] | null;
  /** The purposes that a disallow rule for the token refuses. */
  readonly purposes: readonly string[];
  /** A page that documents it; `null` if it does not exist. */
  readonly source: string | null;
  /** The date on which the source was read, as `YYYY-MM-DD`. */
  readonly checked: string | null;
}
