// The options of `maycrawl watch`. The module loads no package, because the command loads it at every start.
import { ALLOW_PRIVATE, JSON_OUTPUT, TIMEOUT, USER_AGENT } from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';
import { SCHEDULE_OPTIONS } from './audits/schedule-options.ts';
import { CONFIRM, EVERY } from './intervals.ts';

export const DATABASE = {
  type: 'text',
  placeholder: '<path|url>',
  description: 'database of the monitor: a SQLite file (default: in your data folder) or a postgres:// URL',
  sections: ['watch'],
} as const;

/** Options of the commands that only read the database. */
export const DATABASE_OPTIONS = {
  database: DATABASE as typeof DATABASE,
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type DatabaseOptions = OptionValues<typeof DATABASE_OPTIONS>;

/** Options of `maycrawl watch add`. */
export const ADD_OPTIONS = {
  database: DATABASE as typeof DATABASE,
  from: { type: 'text', placeholder: '<file>', description: 'file with sites, one a line' },
  every: EVERY as typeof EVERY,
  confirm: CONFIRM as typeof CONFIRM,
  agent: {
    type: 'text',
    placeholder: '<name>',
    description: 'a crawler to report changes for (default: all)',
    isList: true,
  },
  urls: {
    type: 'text',
    placeholder: '<file>',
    description: 'file with URLs to report changes for, one a line',
  },
  tests: { type: 'text', placeholder: '<file>', description: 'file with expectations, as for verify' },
  notify: {
    type: 'text',
    placeholder: '<target>',
    description: 'a target of notifications (docs/watch.md)',
    isList: true,
  },
  notifyFrom: {
    type: 'text',
    placeholder: '<severity|target=severity>',
    description: 'the least severity of events that all targets, or one of them, receive (default: info)',
    isList: true,
  },
  severity: {
    type: 'text',
    placeholder: '<aspect=severity>',
    description: 'the severity of an aspect of changes',
    isList: true,
  },
} as const;
export type AddOptions = OptionValues<typeof ADD_OPTIONS>;
/** Settings of sites, as given in options or in a file. */
export type GivenSettings = Omit<AddOptions, 'database' | 'from'>;

/** Options of `maycrawl watch check`. */
export const CHECK_OPTIONS = {
  database: DATABASE as typeof DATABASE,
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: TIMEOUT as typeof TIMEOUT,
  allowPrivate: ALLOW_PRIVATE as typeof ALLOW_PRIVATE,
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type CheckSitesOptions = OptionValues<typeof CHECK_OPTIONS>;

/** Options of `maycrawl watch run`. */
export const RUN_OPTIONS = {
  database: DATABASE as typeof DATABASE,
  once: { type: 'flag', description: 'stop when no site is due' },
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: TIMEOUT as typeof TIMEOUT,
  allowPrivate: ALLOW_PRIVATE as typeof ALLOW_PRIVATE,
  keep: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1d', undefined],
    description: 'delete older data, like prune (default: keep all)',
    sections: ['watch'],
  },
  audits: {
    type: 'text',
    placeholder: '<folder>',
    description: 'folder of the runs of scheduled audits (default: audits beside the SQLite file)',
    sections: ['watch'],
  },
  metricsPort: {
    type: 'count',
    placeholder: '<number>',
    range: [0, 65_535],
    description: 'port of /metrics, /healthz and /readyz; 0: any free port (default: none; not with --once)',
    sections: ['watch'],
  },
  metricsHost: {
    type: 'text',
    placeholder: '<address>',
    description: 'address to listen on, with --metrics-port',
    default: '127.0.0.1',
    sections: ['watch'],
  },
  allowedHost: {
    type: 'text',
    placeholder: '<name>',
    description: 'a host name in requests for metrics, in addition to localhost and --metrics-host',
    isList: true,
    sections: ['watch'],
  },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type RunOptions = OptionValues<typeof RUN_OPTIONS>;

const OFF = {
  type: 'flag',
  description: 'stop auditing these sites on a schedule; stored runs are kept',
} as const;

/** Options of `maycrawl watch audit`. */
export const AUDIT_OPTIONS: {
  readonly database: typeof DATABASE;
  readonly off: typeof OFF;
} & typeof SCHEDULE_OPTIONS = { database: DATABASE, ...SCHEDULE_OPTIONS, off: OFF };
export type ScheduleOptions = OptionValues<typeof AUDIT_OPTIONS>;

/** Options of `maycrawl watch logs`. */
export const LOGS_OPTIONS = {
  database: DATABASE as typeof DATABASE,
  site: { type: 'text', placeholder: '<site>', description: 'the monitored site of the log' },
  every: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1m', undefined],
    description: 'interval of readings, such as 1h or 1d',
    default: '1d',
  },
  format: {
    type: 'text',
    placeholder: '<name|pattern>',
    description: 'format of the lines (default: recognised; docs/logs-formats.md)',
  },
  ranges: {
    type: 'text',
    placeholder: '<folder>',
    description: 'folder with the address ranges of operators (maycrawl logs ranges update)',
  },
  clientIp: {
    type: 'text',
    placeholder: '<field>',
    description: 'header field with the address of the client, such as x-forwarded-for',
  },
  trustedProxies: {
    type: 'text',
    placeholder: '<cidr>',
    description: 'network of a proxy whose entries in --client-ip are true',
    isList: true,
  },
  remove: { type: 'flag', description: 'stop reading the log; recorded events are kept' },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type WatchLogsOptions = OptionValues<typeof LOGS_OPTIONS>;

/** Options of `maycrawl watch prune`. */
export const PRUNE_OPTIONS = {
  database: DATABASE as typeof DATABASE,
  olderThan: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1d', undefined],
    description: 'minimum age of deleted versions, events and messages, such as 400d',
  },
  dryRun: { type: 'flag', description: 'print the counts, but delete nothing' },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type PruneCommandOptions = OptionValues<typeof PRUNE_OPTIONS>;

/** Options of `maycrawl watch log`. */
export const LOG_OPTIONS = {
  database: DATABASE as typeof DATABASE,
  limit: {
    type: 'count',
    placeholder: '<count>',
    range: [1, 1_000_000],
    description: 'maximum number of events',
    default: '50',
  },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type LogOptions = OptionValues<typeof LOG_OPTIONS>;
