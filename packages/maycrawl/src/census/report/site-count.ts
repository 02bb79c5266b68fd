// Numbers of sites with examples, of which the report of a census consists. The page imports this module, so it needs no Node.

/** Examples of a number. A report of many agents and crawls shows fewer, so that its size has a limit. */
export const MAX_EXAMPLES = 20;

/** A URL that shows a class, and the line that decides about it: `captures` and `files` have both. */
export interface Witness {
  readonly isAllowed: boolean;
  readonly path: string;
  /** 0 if no rule matches. */
  readonly line: number;
}

/** A site that is counted in a number. */
export interface Example {
  /** Its host, with the port if that is not the default. Any text. */
  readonly host: string;
  /** Of the agent of the number; of the later crawl for a transition. Empty if the number is not about an agent, or there is no file. */
  readonly witnesses: readonly Witness[];
  /** What else the number is about: an HTTP status, a weight, a statement, a size. Any text. */
  readonly note: string | null;
}

/** A number of sites. */
export interface SiteCount {
  readonly count: number;
  /**
   * At most {@link MAX_EXAMPLES}: the sites with the best ranks if there are any, and then those with the smallest MD5 of their host, which
   * is a sample that does not depend on the order of the tables. For weights, the sites with the largest ones.
   */
  readonly examples: readonly Example[];
}
