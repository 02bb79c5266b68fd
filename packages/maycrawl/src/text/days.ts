// Dates in sentences. Times are in UTC, because the reader's time zone is unknown.

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
