// Times on the command line.
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';

/** A day, or a time with an offset (RFC 3339). */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i;

/**
 * Parses a time in milliseconds since 1970. A day begins at midnight in UTC.
 *
 * @param name - the option.
 * @throws {CommandError} if it is neither a day nor a time in RFC 3339.
 */
export function parseTime(name: string, text: string): number {
  const time = TIME.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CommandError(
    `${name} must be a day such as 2026-11-20, or a time such as 2026-11-20T10:00:00Z, not ${visible(text)}`,
  );
}
