// The aspects of changes of monitored sites, each with its default severity.
//
// A cause has the lowest severity that it can have: the severity of a change comes from its effect, so that equal effects of different
// causes are equally severe.

const OF_CHECKS = {
  first: 'info',
  formatting: 'info',
  records: 'info',
  others: 'info',
  allowed: 'info',
  blocked: 'warning',
  'root-blocked': 'error',
  unrestricted: 'warning',
  restored: 'info',
  redirected: 'info',
  truncated: 'warning',
  'not-understood': 'warning',
  'text-fixed': 'info',
  'urls-allowed': 'info',
  'urls-blocked': 'error',
  'tests-broken': 'error',
  'tests-fixed': 'info',
  'search-disallowed': 'warning',
  'refusal-ended': 'warning',
  'use-disallowed': 'info',
  'use-allowed': 'info',
  licenses: 'info',
  undecided: 'warning',
  appeared: 'info',
  disappeared: 'info',
  unreachable: 'error',
  'outage-continues': 'error',
  recovered: 'info',
  'no-text': 'warning',
  'set-aside': 'error',
} as const;

const OF_AUDITS = {
  'audit-first': 'info',
  'not-indexable': 'warning',
  indexable: 'info',
  unlinked: 'info',
  linked: 'info',
  finding: 'warning',
  'finding-fixed': 'info',
  'titles-changed': 'info',
  'audit-incomplete': 'warning',
  'audit-complete': 'info',
} as const;

const OF_LOGS = {
  'log-first': 'info',
  'crawler-new': 'info',
  'crawler-violates': 'warning',
  'crawler-without-robots': 'info',
  'crawler-rise': 'warning',
  'log-incomplete': 'warning',
  'log-complete': 'info',
} as const;

/** The default severities: those of checks of the robots.txt, then those of scheduled audits, then those of access logs. */
export const DEFAULT_SEVERITIES: typeof OF_CHECKS & typeof OF_AUDITS & typeof OF_LOGS = {
  ...OF_CHECKS,
  ...OF_AUDITS,
  ...OF_LOGS,
};

/** What a change is about, each with a severity of its own. */
export type Aspect = keyof typeof DEFAULT_SEVERITIES;

/** The aspects of scheduled audits and of access logs, which are no changes of the robots.txt. */
export const OTHER_ASPECTS: readonly Aspect[] = /* @__PURE__ */ Object.keys({
  ...OF_AUDITS,
  ...OF_LOGS,
}) as Aspect[];
