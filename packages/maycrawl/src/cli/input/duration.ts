/**
 * Spans of time as people write them: `15m`, `1h`, `400d`.
 *
 * @module
 */
import { CommandError } from '../output/errors.ts';
import { visible } from '../output/terminal.ts';

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR, d: 24 * HOUR };

/**
 * A span in milliseconds.
 *
 * @param option - which option it is of, such as `--every`.
 * @param shortest - the shortest that makes sense, written as people would.
 * @param examples - others that do, for the message.
 * @throws {CommandError} if it is none, or shorter.
 */
export function parseDuration(text: string, option: string, shortest: string, examples: string): number {
  const milliseconds = millisecondsIn(text.trim());
  if (milliseconds >= millisecondsIn(shortest)) return milliseconds;
  throw new CommandError(
    `${option} is a time from ${shortest} on, such as ${examples}, not ${visible(text)}`,
  );
}

function millisecondsIn(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return Number(number) * (UNITS[unit] ?? 0);
}

/** A span as people would write it. */
export function formatDuration(milliseconds: number): string {
  const unit = ['d', 'h', 'm', 's'].find((each) => milliseconds % (UNITS[each] as number) === 0) ?? 's';
  return `${Math.round(milliseconds / (UNITS[unit] as number))}${unit}`;
}
