// The options of scheduled audits. This module loads no package, because the command loads it at every start.
import { AUDIT_DEFAULTS } from '../../../../watch/audits/audit-defaults.ts';
import type { OptionValues } from '../../../options/option-record.ts';
import { CRAWL_OPTIONS } from '../../audit/crawl-options.ts';

/** When audits begin. */
const TIMES = {
  every: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1h', undefined],
    description: 'interval of audits, such as 1d or 7d',
    default: '1d',
  },
  at: {
    type: 'text',
    placeholder: '<hh:mm>',
    description: 'time of day of the audits; the interval is a number of days then',
  },
  timeZone: {
    type: 'text',
    placeholder: '<zone>',
    description: 'time zone of --at, such as Europe/Berlin (default: that of this machine)',
  },
} as const;

/** What is reported and kept. */
const RESULTS = {
  alertUrls: {
    type: 'count',
    placeholder: '<count>',
    range: [1, undefined],
    description: 'report a cause only if at least this many URLs have it',
    default: String(AUDIT_DEFAULTS.alertUrls) as string,
    sections: ['watch'],
  },
  errorShare: {
    type: 'count',
    placeholder: '<percent>',
    range: [1, 100],
    description: 'a change of this share of the indexable URLs is an error',
    default: String(AUDIT_DEFAULTS.errorShare) as string,
    sections: ['watch'],
  },
  keepRuns: {
    type: 'count',
    placeholder: '<count>',
    range: [2, 100_000],
    description: 'number of runs of a site that are kept',
    default: String(AUDIT_DEFAULTS.keepRuns) as string,
    sections: ['watch'],
  },
} as const;

/** The options by name. */
export const SCHEDULE_OPTIONS: typeof TIMES & typeof CRAWL_OPTIONS & typeof RESULTS = {
  ...TIMES,
  ...CRAWL_OPTIONS,
  ...RESULTS,
};
/** A schedule and the options of its audits, as given. */
export type GivenSchedule = OptionValues<typeof SCHEDULE_OPTIONS>;
