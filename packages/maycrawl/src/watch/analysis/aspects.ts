/**
 * The aspects of changes, and their severities.
 *
 * @module
 */
import type { Aspect } from '../../api/watch-api.ts';
import type { Expectation } from '../../expectations/expectations.ts';
import type { Severity, SiteSettings } from '../site.ts';

export type { Aspect };

/** The default severity of each. */
export const DEFAULT_SEVERITIES: Readonly<Record<Aspect, Severity>> = {
  first: 'info',
  formatting: 'info',
  records: 'info',
  others: 'info',
  allowed: 'info',
  blocked: 'warning',
  'root-blocked': 'error',
  'urls-allowed': 'info',
  'urls-blocked': 'error',
  'tests-broken': 'error',
  'tests-fixed': 'info',
  undecided: 'warning',
  appeared: 'info',
  disappeared: 'warning',
  unreachable: 'warning',
  'outage-continues': 'error',
  recovered: 'info',
  'no-text': 'error',
  'set-aside': 'error',
};

/** What is important to the owner of a site. */
export interface ImpactOptions {
  readonly origin: string;
  readonly settings: SiteSettings;
  /** URLs whose verdicts matter. Those of other sites are ignored. */
  readonly urls: readonly string[];
  readonly expectations: readonly Expectation[];
}
