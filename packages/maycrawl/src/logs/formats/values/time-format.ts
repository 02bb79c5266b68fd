// Patterns of times: those of C's strftime (ISO C 7.27.3.5; POSIX.1-2017), and the tokens of Apache's `%{...}t`
// (https://httpd.apache.org/docs/2.4/mod/mod_log_config.html).
import { quoteValue } from '@maycrawl/core/internal';

/**
 * What a pattern describes: a time in milliseconds since 1970 (`absolute`), the start of a day (`date`), milliseconds since the start of
 * a day (`timeOfDay`), or milliseconds within a second (`fraction`).
 */
export type TimeKind = 'absolute' | 'date' | 'timeOfDay' | 'fraction';

/** A step of a pattern: the code of a character, or a negated one of {@link DIRECTIVES}. */
export type TimeStep = number;

/** The time of the common log format: `28/Nov/2026:18:40:03 +0200`. */
export const CLF_TIME = '%d/%b/%Y:%H:%M:%S %z';
/** A time of RFC 3339, with or without a fraction: `2026-11-28T18:40:03.5+02:00`. The directive `%f` is an extension. */
export const ISO_TIME = '%Y-%m-%dT%H:%M:%S%f%z';
/** Seconds since 1970, with or without a fraction. */
export const UNIX_TIME = '%s%f';

/** Directives that stand for several others. */
const SHORTHANDS: Readonly<Record<string, string>> = {
  T: '%H:%M:%S',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  c: '%a %b %e %H:%M:%S %Y',
  h: '%b',
  e: '%d',
  k: '%H',
  l: '%I',
  G: '%Y',
  A: '%a',
  w: '%u',
  n: '\n',
  t: '\t',
};

/** Tokens of Apache. `%Q` is a number of milliseconds, `%J` one of microseconds, `%L` and `%N` are fractions of a second. */
const TOKENS: Readonly<Record<string, string>> = {
  sec: '%s',
  msec: '%Q',
  usec: '%J',
  msec_frac: '%L',
  usec_frac: '%N',
};

/** Directives that a pattern consists of in the end. Names of days and zones have no effect on the time. */
const DIRECTIVES = 'dmyYbBHIMSpzZsfQJLNau';

/**
 * Compiles a pattern.
 *
 * @throws {RangeError} for a directive that does not exist, and for a pattern of neither a date nor a time.
 */
export function compileTimeFormat(pattern: string): { steps: readonly TimeStep[]; kind: TimeKind } {
  const token = Object.hasOwn(TOKENS, pattern) ? TOKENS[pattern] : undefined;
  const steps = compile(token ?? pattern, pattern);
  const has = (directives: string) => [...directives].some((each) => steps.includes(-each.charCodeAt(0)));
  const hasDate = has('yY') && has('mbB') && has('d');
  const hasTime = has('HI') && has('M');
  if (has('sQJ') || (hasDate && hasTime)) return { steps, kind: 'absolute' };
  if (hasDate) return { steps, kind: 'date' };
  if (hasTime) return { steps, kind: 'timeOfDay' };
  if (has('LN')) return { steps, kind: 'fraction' };
  throw new RangeError(`${quoteValue(pattern)} is not the pattern of a date, a time of the day, or both`);
}

function compile(text: string, pattern: string): TimeStep[] {
  const steps: TimeStep[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '%') {
      for (const byte of Buffer.from(text[at] as string)) steps.push(byte);
      continue;
    }
    at++;
    // Modifiers of padding and of other calendars.
    while (at < text.length && '-_0^#EO'.includes(text[at] as string)) at++;
    const directive = text[at] ?? '';
    if (directive === '%') steps.push(0x25);
    else if (Object.hasOwn(SHORTHANDS, directive))
      steps.push(...compile(SHORTHANDS[directive] as string, pattern));
    else if (directive !== '' && DIRECTIVES.includes(directive)) steps.push(-directive.charCodeAt(0));
    else
      throw new RangeError(
        `the pattern of a time ${quoteValue(pattern)} has an unknown directive %${directive}`,
      );
  }
  return steps;
}
