// The options of a monitor, and their types.
import type { OptionTypes } from '@maycrawl/core/internal';
import type { Activity } from './activity.ts';
import type { ScheduledAuditsOptions } from './audits/scheduled-audits.ts';
import type { EventReport } from './event-report.ts';
import type { ScheduledLogsOptions } from './logs/scheduled-logs.ts';
import type { Severity } from './site.ts';
import type { Pruned } from './storage/pruning.ts';

/** The database of a monitor, and how it fetches. */
export interface MonitorOptions {
  /** A path of a SQLite file, or `postgres://user:password@host:port/database`. */
  readonly database: string;
  /** The User-Agent header. @defaultValue `'maycrawl'` */
  readonly userAgent?: string;
  /** Milliseconds for one fetch. @defaultValue 30,000 */
  readonly timeout?: number;
  /** Whether private addresses may be connected to. @defaultValue only those of sites and targets that `Monitor.add` named */
  readonly allowPrivateAddresses?: boolean;
  /** Variables with secrets, such as `MAYCRAWL_SECRET_KEY`. @defaultValue `process.env` */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** How sites are watched. */
export interface WatchSettings {
  /** Milliseconds from one check to the next. @defaultValue 3,600,000 */
  readonly every?: number;
  /** Milliseconds from a failure to the check that confirms it; 0 reports it immediately. @defaultValue 120,000 */
  readonly confirm?: number;
  /** Crawlers whose verdicts matter. @defaultValue all */
  readonly agents?: readonly string[];
  /** URLs whose verdicts matter, one a line. */
  readonly urls?: string;
  /** Expectations in YAML. */
  readonly tests?: string;
  /** Targets of notifications, such as `https://hooks.example.com/x` or `log` (docs/watch.md). */
  readonly notify?: readonly string[];
  /** The least severity of events that each target receives, by target. @defaultValue `info`: all events */
  readonly notifyFrom?: Readonly<Record<string, Severity>>;
  /** How severe a kind of change is, by its aspect (docs/watch.md). */
  readonly severity?: Readonly<Record<string, Severity>>;
}

/** How a monitor works. */
export interface WorkOptions
  extends Pick<ScheduledAuditsOptions, 'audits' | 'onAuditStarted' | 'onAuditEnded'>,
    Pick<ScheduledLogsOptions, 'onLogRead'> {
  /** Its abort ends the work: checks in progress are completed first. */
  readonly signal?: AbortSignal;
  /** Stop when no site is due any more. @defaultValue `false` */
  readonly once?: boolean;
  /** Milliseconds: older events and versions are deleted at the start and every hour. @defaultValue nothing is deleted */
  readonly keep?: number;
  /** Receives each origin that was checked, with the event if there is one. */
  readonly onChecked?: (origin: string, event: EventReport | undefined) => void;
  /** Receives each origin that fails, and when it is checked again before that is reported, in milliseconds since 1970. */
  readonly onUnconfirmed?: (origin: string, dueAt: number) => void;
  /** Receives what was deleted. */
  readonly onPruned?: (pruned: Pruned) => void;
  /** Receives failures, after which the work continues. `what` describes the operation. */
  readonly onError?: (what: string, error: unknown) => void;
  /** Receives each step of the checks and deliveries, without names of sites: for metrics. */
  readonly onActivity?: (activity: Activity) => void;
}

export const MONITOR_OPTIONS: OptionTypes<MonitorOptions> = {
  ...{ database: 'string', userAgent: 'string', timeout: 'number', allowPrivateAddresses: 'boolean' },
  environment: 'object',
};

export const WATCH_SETTINGS: OptionTypes<WatchSettings> = {
  ...{ every: 'number', confirm: 'number', agents: 'array', urls: 'string', tests: 'string' },
  ...{ notify: 'array', notifyFrom: 'object', severity: 'object' },
};

export const WORK_OPTIONS: OptionTypes<WorkOptions> = {
  ...{ signal: 'object', once: 'boolean', keep: 'number', onChecked: 'function', onUnconfirmed: 'function' },
  ...{ onPruned: 'function', onError: 'function', audits: 'string' },
  ...{ onAuditStarted: 'function', onAuditEnded: 'function', onLogRead: 'function' },
  onActivity: 'function',
};
