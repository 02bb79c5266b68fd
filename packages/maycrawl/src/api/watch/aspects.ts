// The aspects of changes of monitored sites: one record for each, with its default severity and its name (docs/watch.md).
//
// A cause has the lowest severity that it can have: the severity of a change comes from its effect, so that equal effects of different
// causes are equally severe.
import type { Severity } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/internal';

const OF_CHECKS = {
  first: { severity: 'info', label: 'first check' },
  formatting: { severity: 'info', label: 'only formatting changes' },
  others: { severity: 'info', label: 'verdicts change for other crawlers' },
  records: { severity: 'info', label: 'sitemaps or other records change' },
  allowed: { severity: 'info', label: 'paths are newly allowed' },
  blocked: { severity: 'warning', label: 'paths are newly blocked' },
  'root-blocked': { severity: 'error', label: 'the start page is newly blocked' },
  unrestricted: { severity: 'warning', label: 'all URLs become allowed for all crawlers' },
  restored: { severity: 'info', label: 'the site is back to an earlier version' },
  redirected: { severity: 'info', label: 'the robots.txt redirects to another host' },
  truncated: { severity: 'warning', label: 'the size limit cuts the file' },
  'not-understood': { severity: 'warning', label: 'lines are not understood by crawlers' },
  'text-fixed': {
    severity: 'info',
    label: 'every line is understood again, or the file is not cut any more',
  },
  'urls-allowed': { severity: 'info', label: 'listed URLs are newly allowed' },
  'urls-blocked': { severity: 'error', label: 'listed URLs are newly blocked' },
  'tests-fixed': { severity: 'info', label: 'expectations are met again' },
  'tests-broken': { severity: 'error', label: 'expectations are no longer met' },
  'search-disallowed': { severity: 'warning', label: 'use in search is newly disallowed' },
  'refusal-ended': { severity: 'warning', label: 'a use of content is no longer disallowed' },
  'use-disallowed': { severity: 'info', label: 'another use of content is newly disallowed' },
  'use-allowed': { severity: 'info', label: 'a permission to use content begins or ends' },
  licenses: { severity: 'info', label: 'the licences of the content change' },
  undecided: { severity: 'warning', label: 'the comparison is not decided' },
  appeared: { severity: 'info', label: 'a robots.txt appears' },
  disappeared: { severity: 'info', label: 'the robots.txt disappears' },
  'no-text': { severity: 'warning', label: 'the robots.txt is an HTML page, or in UTF-16' },
  'set-aside': { severity: 'error', label: 'the analysis of the site does not end' },
  unreachable: { severity: 'error', label: 'an outage begins' },
  'outage-continues': { severity: 'error', label: 'an outage has another effect' },
  recovered: { severity: 'info', label: 'an outage ends' },
} as const;

const OF_AUDITS = {
  'audit-first': { severity: 'info', label: 'first audit' },
  'not-indexable': { severity: 'warning', label: 'an audit finds URLs that are no longer indexable' },
  indexable: { severity: 'info', label: 'an audit finds URLs that are indexable now' },
  unlinked: { severity: 'info', label: 'an audit no longer finds indexable URLs' },
  linked: { severity: 'info', label: 'an audit finds such URLs again' },
  finding: { severity: 'warning', label: 'an audit has new findings' },
  'finding-fixed': { severity: 'info', label: 'findings of the last audit are fixed' },
  'titles-changed': { severity: 'info', label: 'an audit finds changed titles' },
  'audit-incomplete': { severity: 'warning', label: 'an audit does not finish' },
  'audit-complete': { severity: 'info', label: 'an audit is complete again' },
} as const;

const OF_LOGS = {
  'log-first': { severity: 'info', label: 'first reading of an access log' },
  'crawler-new': { severity: 'info', label: 'an access log has a new crawler' },
  'crawler-violates': { severity: 'warning', label: 'a crawler begins to violate the robots.txt' },
  'crawler-without-robots': { severity: 'info', label: 'a crawler no longer fetches the robots.txt' },
  'crawler-rise': { severity: 'warning', label: 'the requests of a crawler rise fivefold' },
  'log-incomplete': { severity: 'warning', label: 'an access log cannot be read' },
  'log-complete': { severity: 'info', label: 'an access log can be read again' },
} as const;

/** What a change is about. */
export type Aspect = keyof typeof OF_CHECKS | keyof typeof OF_AUDITS | keyof typeof OF_LOGS;

/** The aspects: those of checks of the robots.txt, then those of scheduled audits, then those of access logs. */
export const ASPECTS: Readonly<Record<Aspect, { readonly severity: Severity; readonly label: string }>> =
  /* @__PURE__ */ freezeDeep({ ...OF_CHECKS, ...OF_AUDITS, ...OF_LOGS });

/** The aspects of scheduled audits and of access logs, which are no changes of the robots.txt. */
export const OTHER_ASPECTS: readonly Aspect[] = /* @__PURE__ */ Object.keys({
  ...OF_AUDITS,
  ...OF_LOGS,
}) as Aspect[];
