/**
 * Dates and durations in sentences. Times are in UTC, because the reader's time zone is unknown.
 *
 * @module
 */

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** Formats the day of a time in milliseconds since 1970: `November 22`, with the year if `now` is in another one. */
export function formatDay(time: number, now: number): string {
  const date = new Date(time);
  const day = `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
  const year = date.getUTCFullYear();
  return year === new Date(now).getUTCFullYear() ? day : `${day}, ${year}`;
}

/** Formats a time in milliseconds since 1970 to the minute: `November 22, 14:05 UTC`. */
export function formatMinute(time: number, now: number): string {
  return `${formatDay(time, now)}, ${new Date(time).toISOString().slice(11, 16)} UTC`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
] as const;

/** Formats a duration in milliseconds in its largest unit, rounded down: `3 days`, `5 hours`, `1 minute`. */
export function formatSpan(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => milliseconds >= each) ?? (['minute', 60_000] as const);
  const count = Math.floor(milliseconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
