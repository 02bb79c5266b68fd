// The options of scheduled audits. This module loads no package, because the command loads it at every start.
import type { ScopeKind } from '../../../../audit/run/settings.ts';
import { AUDIT_DEFAULTS } from '../../../../watch/audits/audit-defaults.ts';
import { count, duration, type OptionTable, text } from '../../../options/option.ts';
import { describeOptions } from '../../../options/option-record.ts';
import { CRAWL_OPTIONS } from '../../audit/crawl-options.ts';

/** A schedule and the options of its audits, as given. Times are in milliseconds. */
export interface GivenSchedule {
  readonly every: number;
  readonly at?: string;
  readonly timeZone?: string;
  readonly agent: readonly string[];
  readonly scope: ScopeKind;
  readonly maxPages?: number;
  readonly maxDepth?: number;
  readonly concurrency: number;
  readonly delay: number;
  readonly crawlDelay?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly alertUrls: number;
  /** Percent. */
  readonly errorShare: number;
  readonly keepRuns: number;
}

/** The options by name. */
export const SCHEDULE_OPTIONS: OptionTable<GivenSchedule> = {
  every: duration('<time>', ['1h', undefined], 'interval of audits, such as 1d or 7d', { default: '1d' }),
  at: text('<hh:mm>', 'time of day of the audits; the interval is a number of days then'),
  timeZone: text('<zone>', 'time zone of --at, such as Europe/Berlin (default: that of this machine)'),
  ...describeOptions(CRAWL_OPTIONS),
  alertUrls: count(
    '<count>',
    [1, Number.POSITIVE_INFINITY],
    'report a cause only if at least this many URLs have it',
    { default: String(AUDIT_DEFAULTS.alertUrls) },
  ),
  errorShare: count('<percent>', [1, 100], 'a change of this share of the indexable URLs is an error', {
    default: String(AUDIT_DEFAULTS.errorShare),
  }),
  keepRuns: count('<count>', [2, 100_000], 'number of runs of a site that are kept', {
    default: String(AUDIT_DEFAULTS.keepRuns),
  }),
};
