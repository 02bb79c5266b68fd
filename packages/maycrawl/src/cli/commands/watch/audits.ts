/**
 * `maycrawl watch audit, audits`: scheduled audits of monitored sites.
 *
 * @module
 */
import { createPlan } from '../../../audit/plan.ts';
import type { ScopeKind } from '../../../audit/run/settings.ts';
import { formatTime } from '../../../reports/policy.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { AuditRepository } from '../../../watch/audits/audit-repository.ts';
import { type AuditSettings, readAuditSettings } from '../../../watch/audits/audit-settings.ts';
import { DAY, getNextAudit, isTimeOfDay, isTimeZone, type Schedule } from '../../../watch/audits/schedule.ts';
import type { AuditRow } from '../../../watch/storage/tables.ts';
import { formatDuration } from '../../input/duration.ts';
import { requireCrawler } from '../../input/options.ts';
import { parseUrlOrHost } from '../../input/origin.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { type DatabaseOptions, requireOrigin, withRepository } from './database.ts';

export interface ScheduleOptions extends Pick<DatabaseOptions, 'database'> {
  /** Milliseconds. */
  readonly every: number;
  readonly at?: string;
  readonly timeZone?: string;
  readonly agent: readonly string[];
  readonly scope: ScopeKind;
  readonly maxPages?: number;
  readonly maxDepth?: number;
  readonly concurrency: number;
  /** Milliseconds. */
  readonly delay: number;
  readonly crawlDelay?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly alertUrls: number;
  /** Percent. */
  readonly errorShare: number;
  readonly keepRuns: number;
  readonly off?: boolean;
}

/** Schedules audits, or ends them. @returns the exit code, 0. @throws {CommandError} if a site is not monitored, or an option is invalid. */
export async function scheduleAudits(urls: readonly string[], options: ScheduleOptions): Promise<number> {
  return withRepository(options, async (repository, _outbox, database) => {
    const audits = new AuditRepository(database);
    const starts = new Map<string, string>();
    for (const url of urls) {
      const origin = await requireOrigin(repository, url);
      if (starts.has(origin))
        throw new CommandError(`${visible(origin)} is named twice: a site has one scheduled audit`);
      // A host without a scheme means the monitored site, which may be an http site.
      const { pathname, search } = parseUrlOrHost(url);
      starts.set(origin, `${origin}${pathname}${search}`);
    }
    if (options.off) {
      const count = await audits.unschedule([...starts.keys()]);
      printLine(`${formatCount(count, 'site')} no longer audited; the runs stay`);
      return 0;
    }
    const schedule = createSchedule(options);
    const settings = new Map(
      [...starts].map(([origin, start]) => [origin, createSettings(start, schedule, options)] as const),
    );
    const now = Date.now();
    const dueAt = getNextAudit(schedule, null, now);
    await audits.schedule([...settings.keys()], (origin) => settings.get(origin) as AuditSettings, dueAt);
    printLine(
      `${formatCount(settings.size, 'site')} audited every ${formatDuration(schedule.every)}, first ${dueAt <= now ? 'now' : `at ${formatTime(dueAt)}`}; maycrawl watch run audits them`,
    );
    return 0;
  });
}

/** @throws {CommandError} for an invalid time of day or time zone. */
function createSchedule({ every, at, timeZone }: ScheduleOptions): Schedule {
  if (at === undefined) {
    if (timeZone !== undefined) throw new CommandError('--time-zone requires --at');
    return { every };
  }
  if (!isTimeOfDay(at))
    throw new CommandError(`--at must be a time of day such as 03:00, not ${visible(at)}`);
  if (every % DAY !== 0)
    throw new CommandError(`with --at, --every must be a number of days, not ${formatDuration(every)}`);
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!isTimeZone(zone))
    throw new CommandError(`--time-zone must be a time zone such as Europe/Berlin, not ${visible(zone)}`);
  return { every, at, timeZone: zone };
}

/** @throws {CommandError} if the audit could not begin with these settings. */
function createSettings(start: string, schedule: Schedule, options: ScheduleOptions): AuditSettings {
  const { agent, scope, maxPages, maxDepth, concurrency, delay, crawlDelay = false } = options;
  const { include = [], exclude = [], alertUrls, errorShare, keepRuns } = options;
  const plan = {
    ...{ agents: agent.map((name) => requireCrawler(name).name), scope, include, exclude },
    ...(maxPages !== undefined && { maxPages }),
    ...(maxDepth !== undefined && { maxDepth }),
    ...{ concurrency, delay, crawlDelay },
  };
  try {
    const { settings } = createPlan([start], plan);
    return { ...schedule, start: settings?.starts[0] ?? start, plan, alertUrls, errorShare, keepRuns };
  } catch (cause) {
    if (cause instanceof RangeError) throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
}

/** Lists the scheduled audits. @returns the exit code: 0, or 1 if the last audit of a site did not finish. */
export async function listAudits(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (_repository, _outbox, database) => {
    const rows = await new AuditRepository(database).list();
    if (options.json) for (const row of rows) printJson(toReport(row));
    else {
      const { printTable } = await import('../../output/table.ts');
      printTable(['site', 'every', 'next (UTC)', 'last run', 'result'], rows.map(toCells));
    }
    return rows.some(({ failure }) => failure !== null) ? 1 : 0;
  });
}

function toReport({ origin, settings, due_at, run, last_run, last_at, failure }: AuditRow): object {
  return {
    ...{ origin, dueAt: formatTime(due_at), run, lastRun: last_run, lastAt: formatTime(last_at), failure },
    settings: readAuditSettings(settings),
  };
}

function toCells({ origin, settings, due_at, run, last_run, failure }: AuditRow): string[] {
  const schedule = readAuditSettings(settings);
  const time = schedule?.at === undefined ? '' : ` at ${schedule.at} ${schedule.timeZone ?? ''}`;
  const result = failure ?? (last_run === null ? '-' : 'complete');
  return [
    visible(origin),
    schedule === null ? 'damaged' : `${formatDuration(schedule.every)}${visible(time)}`,
    run === null ? (formatTime(due_at) ?? '-') : 'in progress',
    visible(last_run ?? '-'),
    visible(result),
  ];
}
