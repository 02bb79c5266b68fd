// How sites are audited on a schedule, as options and in the file of `watch export` and `watch import`.
import { createPlan } from '../../../../audit/plan.ts';
import { visible } from '../../../../text/printable.ts';
import type { AuditSettings } from '../../../../watch/audits/audit-settings.ts';
import { DAY, isTimeOfDay, isTimeZone, type Schedule } from '../../../../watch/audits/schedule.ts';
import { formatDuration } from '../../../input/duration.ts';
import { requireCrawler } from '../../../input/options.ts';
import { resolveOptions } from '../../../options/resolve.ts';
import { CommandError } from '../../../output/errors.ts';
import { type GivenSchedule, SCHEDULE_OPTIONS } from './schedule-options.ts';

/** Creates settings. @param start - an http or https URL. @throws {CommandError} if the audit could not begin with them. */
export function createAuditSettings(start: string, given: GivenSchedule): AuditSettings {
  const { agent, scope, maxPages, maxDepth, concurrency, delay, crawlDelay = false } = given;
  const { include = [], exclude = [], alertUrls, errorShare, keepRuns } = given;
  const schedule = createSchedule(given);
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

/** @throws {CommandError} for an invalid time of day or time zone. */
function createSchedule({ every, at, timeZone }: GivenSchedule): Schedule {
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

/** Returns settings as they are written into a file: the URL and the options by their names. */
export function formatAuditEntry({ start, plan, every, ...settings }: AuditSettings): object {
  const { agents, include, exclude, delay = 0, ...others } = plan;
  return {
    ...{ url: start, every: formatDuration(every), ...settings },
    ...{ agent: agents, ...others, delay: formatDuration(delay) },
    ...(include !== undefined && include.length > 0 && { include }),
    ...(exclude !== undefined && exclude.length > 0 && { exclude }),
  };
}

/** Reads settings from a file. @param origin - of the site. @throws {CommandError} if they are invalid. */
export function readAuditEntry(entry: unknown, origin: string): AuditSettings {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new CommandError('"audit" must be a mapping');
  const { url = `${origin}/`, ...given } = entry as Readonly<Record<string, unknown>>;
  if (typeof url !== 'string' || !url.startsWith(`${origin}/`))
    throw new CommandError(`"url" of "audit" must be a URL of ${visible(origin)}`);
  const [unknown] = Object.keys(given).filter((name) => !Object.hasOwn(SCHEDULE_OPTIONS, name));
  if (unknown !== undefined) throw new CommandError(`unknown key "${visible(unknown)}" of "audit"`);
  return createAuditSettings(url, resolveOptions(SCHEDULE_OPTIONS, given));
}
