// When a scheduled audit is due: after an interval, or at a time of day in a time zone.

/** Milliseconds of a day without a change of the offset from UTC. */
export const DAY = 86_400_000;

/** When a site is audited. */
export interface Schedule {
  /** Milliseconds from one start to the next. With `at` a whole number of days. */
  readonly every: number;
  /** The time of day, such as `03:00`. */
  readonly at?: string;
  /** The IANA time zone of `at`, such as `Europe/Berlin`. @defaultValue `UTC` */
  readonly timeZone?: string;
}

/** Whether a text is a time of day: `03:00`, `23:59`. */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** Whether a text is a time zone that this machine knows. */
export function isTimeZone(text: string): boolean {
  try {
    createFormat(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Returns when an audit is due next, in milliseconds since 1970. It is later than `now`: an audit that takes longer than the interval is
 * not repeated immediately.
 *
 * @param last - the start of the last audit, in milliseconds since 1970; `null` before the first one.
 * @param now - milliseconds since 1970.
 */
export function getNextAudit(
  { every, at, timeZone = 'UTC' }: Schedule,
  last: number | null,
  now: number,
): number {
  if (at === undefined) return last === null ? now : Math.max(last + every, now + 1);
  const step = last === null ? 1 : Math.max(1, Math.round(every / DAY));
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  const { year, month, day } = readParts(timeZone, last ?? now);
  const getTime = (days: number): number =>
    toInstant(Date.UTC(year, month - 1, day + days, hour, minute), timeZone);
  // An audit that began before the time of day was due on the day before: it began late, behind other audits for example.
  let days = last === null ? 0 : step - (getTime(0) > last ? 1 : 0);
  // Skips the intervals that have passed; the estimate is at most a day too early, because days have 23 to 25 hours.
  if (getTime(days) <= now) days += Math.floor((now - getTime(days)) / (step * DAY)) * step;
  while (getTime(days) <= now) days += step;
  return getTime(days);
}

/**
 * Converts a local time, given as if it were UTC. In the hour that a change of clocks skips, it is an hour later; of an hour that a change
 * repeats, it is the first one.
 */
function toInstant(local: number, timeZone: string): number {
  const before = getOffset(timeZone, local - DAY);
  const after = getOffset(timeZone, local + DAY);
  const isAfter =
    getOffset(timeZone, local - before) !== before && getOffset(timeZone, local - after) === after;
  return local - (isAfter ? after : before);
}

/** The difference between local time and UTC, in milliseconds. */
function getOffset(timeZone: string, time: number): number {
  const { year, month, day, hour, minute, second } = readParts(timeZone, time);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1_000) * 1_000;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function readParts(timeZone: string, time: number): Record<Part, number> {
  const parts = createFormat(timeZone).formatToParts(time);
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as Record<Part, number>;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric' as const;
  return new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
    ...{ hour: numeric, minute: numeric, second: numeric },
  });
}
