// The defaults of scheduled audits. The command loads them at every start.

/** What is reported and kept. */
export const AUDIT_DEFAULTS = {
  /** Fewer URLs with the same cause are not reported. */
  alertUrls: 1,
  /** Percent of the indexable URLs: a change of as many is an `error`. */
  errorShare: 5,
  /** Runs of a site. */
  keepRuns: 30,
} as const;
