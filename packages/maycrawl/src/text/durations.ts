// Durations in sentences, for the command, the monitor and the pages. Options have a format of their own (cli/input/duration.ts).
import { formatCount } from './counts.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;
/** From this duration on, hours are no longer of interest. */
const MANY_DAYS = 7 * DAY;

/** Formats a duration in milliseconds in its largest unit, rounded down: `3 days`, `5 hours`, `1 minute`. Seconds are no unit of it. */
export function formatSpan(milliseconds: number): string {
  const [unit, length] =
    UNITS.find(([, each]) => each > SECOND && milliseconds >= each) ?? (['minute', MINUTE] as const);
  return formatCount(Math.floor(milliseconds / length), unit);
}

/**
 * Formats a duration in milliseconds in its two largest units, the second of them rounded: `32 days`, `1 day 3 hours`,
 * `1 hour 30 minutes`, `2 minutes 5 seconds`, `250 ms`.
 */
export function formatDuration(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / SECOND) * SECOND;
  const smallest = seconds >= MANY_DAYS ? DAY : seconds >= DAY ? HOUR : seconds >= HOUR ? MINUTE : SECOND;
  let left = Math.round(seconds / smallest) * smallest;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(formatCount(count, unit));
  }
  return parts.length === 0 ? 'no time' : parts.join(' ');
}
