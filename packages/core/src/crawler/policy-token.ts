// Policy tokens: product tokens of crawlers that send no requests. A group for such a token says how the content may be used that
// other crawlers of the operator fetch.

/** An operator that announced that it intends to honour a token. */
export interface Announcement {
  readonly operator: string;
  /** The date of the announcement: a year, month or day. */
  readonly date: string;
  /** The page of the announcement. */
  readonly url: string;
}

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
  /** Whether the groups for `*` apply if no group names the token. @defaultValue true */
  readonly obeysGlobal?: boolean;
  /** Who announced that it intends to honour the token, if no operator honours it yet. @defaultValue operators honour it */
  readonly announced?: readonly Announcement[];
}
