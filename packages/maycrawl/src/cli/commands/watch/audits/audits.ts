// `maycrawl watch audit, audits`: scheduled audits of monitored sites.
import { formatTime } from '../../../../reports/policy.ts';
import { formatCount } from '../../../../text/counts.ts';
import { visible } from '../../../../text/printable.ts';
import { AuditRepository } from '../../../../watch/audits/audit-repository.ts';
import { type AuditSettings, readAuditSettings } from '../../../../watch/audits/audit-settings.ts';
import { getNextAudit } from '../../../../watch/audits/schedule.ts';
import type { AuditRow } from '../../../../watch/storage/tables.ts';
import { formatDuration } from '../../../input/duration.ts';
import { parseUrlOrHost } from '../../../input/origin.ts';
import { CommandError } from '../../../output/errors.ts';
import { printJson, printLine } from '../../../output/standard-output.ts';
import { requireOrigin, withRepository } from '../database.ts';
import type { DatabaseOptions, ScheduleOptions } from '../options.ts';
import { createAuditSettings } from './schedule.ts';

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
    const settings = new Map(
      [...starts].map(([origin, start]) => [origin, createAuditSettings(start, options)] as const),
    );
    const now = Date.now();
    const [first] = settings.values();
    const dueAt = first === undefined ? now : getNextAudit(first, null, now);
    await audits.schedule([...settings.keys()], (origin) => settings.get(origin) as AuditSettings, dueAt);
    printLine(
      `${formatCount(settings.size, 'site')} audited every ${formatDuration(options.every)}, first ${dueAt <= now ? 'now' : `at ${formatTime(dueAt)}`}; maycrawl watch run audits them`,
    );
    return 0;
  });
}

/** Lists the scheduled audits. @returns the exit code: 0, or 1 if the last audit of a site did not finish. */
export async function listAudits(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (_repository, _outbox, database) => {
    const rows = await new AuditRepository(database).list();
    if (options.json) for (const row of rows) printJson(toReport(row));
    else {
      const { printTable } = await import('../../../output/table.ts');
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
