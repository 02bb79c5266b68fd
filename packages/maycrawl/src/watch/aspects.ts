/**
 * What there is to say of a change, and how bad each is.
 *
 * @module
 */
import type { Expectation } from '../expectations/expectations.ts';
import type { Severity, SiteSettings } from './site.ts';

/** What there is to say of a change. Each has a severity, which owners can set otherwise. */
export type Aspect =
  | 'first'
  | 'formatting'
  | 'records'
  | 'others'
  | 'allowed'
  | 'blocked'
  | 'root-blocked'
  | 'urls-allowed'
  | 'urls-blocked'
  | 'tests-broken'
  | 'tests-fixed'
  | 'undecided'
  | 'appeared'
  | 'disappeared'
  | 'unreachable'
  | 'outage-continues'
  | 'recovered'
  | 'no-text'
  | 'set-aside';

export const SEVERITY_OF: Readonly<Record<Aspect, Severity>> = {
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

/** What matters to the owner of a site. */
export interface Concerns {
  readonly origin: string;
  readonly settings: SiteSettings;
  /** URLs whose verdicts matter; those of other sites do not count here. */
  readonly urls: readonly string[];
  readonly expectations: readonly Expectation[];
}
