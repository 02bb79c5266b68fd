// The aspects of changes, and their severities.
import type { Aspect } from '../../api/watch-api.ts';
import type { Expectation } from '../../expectations/expectations.ts';
import type { Severity, SiteSettings } from '../site.ts';

export type { Aspect };

/**
 * The default severity of each. A cause has the lowest one that it can have: the severity of a change comes from its effect, so that
 * equal effects of different causes are equally severe.
 */
export const DEFAULT_SEVERITIES: Readonly<Record<Aspect, Severity>> = {
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
};

/** The aspects of scheduled audits. The others are those of checks of the robots.txt. */
export const AUDIT_ASPECTS: readonly Aspect[] = [
  'audit-first',
  'not-indexable',
  'indexable',
  'unlinked',
  'linked',
  'finding',
  'finding-fixed',
  'titles-changed',
  'audit-incomplete',
  'audit-complete',
];

/** A part of an impact, in words and as data. */
export interface FileImpact {
  readonly aspects: readonly Aspect[];
  /** The most important line first. */
  readonly lines: readonly string[];
  readonly details: object;
}

/** A change and its impact, in words and as data. */
export interface Impact {
  readonly kind: Aspect;
  readonly aspects: readonly Aspect[];
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  readonly details: object;
}

/** What is important to the owner of a site. */
export interface ImpactOptions {
  readonly origin: string;
  readonly settings: SiteSettings;
  /** URLs whose verdicts matter. Those of other sites are ignored. */
  readonly urls: readonly string[];
  readonly expectations: readonly Expectation[];
}
