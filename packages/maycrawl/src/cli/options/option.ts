/**
 * The kinds of options. A description of an option says all that there is to it: the command line, the configuration file, the
 * environment and the documentation follow from it. It loads no other package, because the command loads it at every start.
 *
 * @module
 */
import { visible } from '../../text/printable.ts';
import { formatDuration, parseDuration } from '../input/duration.ts';
import { CommandError } from '../output/errors.ts';

/** An option with a value of the type `T`. */
export interface OptionDescription<T> {
  readonly kind: 'flag' | 'value' | 'list';
  /** What stands for the value in the help, such as `<time>`; empty for a flag. */
  readonly placeholder: string;
  /** What the value is, such as `duration`, for the documentation. */
  readonly type: string;
  /** What it is for, in one line. */
  readonly description: string;
  /** The value if the user gives none, as a user would write it. */
  readonly default?: string;
  /** One letter: `-o` is short for `--output`. */
  readonly letter?: string;
  /** The command needs it. */
  readonly isRequired?: boolean;
  /** Only an environment variable can set it: other users of the machine can see command lines. */
  readonly isSecret?: boolean;
  /**
   * Reads the value: one text, or for a list any number of them. That of a flag is `true` or `false`.
   *
   * @param name - of the option where it was set, for messages.
   * @throws {CommandError} if it is no such value.
   */
  readonly read: (texts: readonly string[], name: string) => T;
}

/** The descriptions of all options of a command, by their names in camel case. */
export type OptionTable<T> = { readonly [K in keyof T]-?: OptionDescription<Exclude<T[K], undefined>> };

type Details = Partial<Pick<OptionDescription<unknown>, 'default' | 'letter' | 'isRequired' | 'isSecret'>>;

/** A flag. With the default `true` the command line has `--no-NAME`. */
export function flag(description: string, details: Details = {}): OptionDescription<boolean> {
  const read = ([text = '']: readonly string[], name: string): boolean => {
    if (['true', 'false'].includes(text)) return text === 'true';
    throw new CommandError(`${name} is true or false, not ${visible(text)}`);
  };
  return { kind: 'flag', placeholder: '', type: 'flag', description, ...details, read };
}

/** A text, such as a path. */
export function text(
  placeholder: string,
  description: string,
  details: Details = {},
): OptionDescription<string> {
  return value('text', placeholder, description, details, (given) => given);
}

/** One of some words. */
export function choice<T extends string>(
  placeholder: string,
  choices: readonly T[],
  description: string,
  details: Details = {},
): OptionDescription<T> {
  return value(`one of ${choices.join(', ')}`, placeholder, description, details, (given, name) => {
    const chosen = choices.find((each) => each === given);
    if (chosen !== undefined) return chosen;
    throw new CommandError(`${name} is one of ${choices.join(', ')}, not ${visible(given)}`);
  });
}

/** A whole number within bounds. */
export function count(
  placeholder: string,
  [least, most]: readonly [number, number],
  description: string,
  details: Details = {},
): OptionDescription<number> {
  const bounds = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`;
  return value(`whole number ${bounds}`, placeholder, description, details, (given, name) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new CommandError(`${name} is a whole number ${bounds}, not ${visible(given)}`);
  });
}

/** A duration in milliseconds, within bounds that are written as users write them. */
export function duration(
  placeholder: string,
  [least, most]: readonly [string, string | undefined],
  description: string,
  details: Details = {},
): OptionDescription<number> {
  const [shortest, longest] = [parseDuration(least) ?? 0, parseDuration(most ?? '')];
  const bounds = most === undefined ? `from ${least} on` : `from ${least} to ${most}`;
  return value(`duration ${bounds}`, placeholder, description, details, (given, name) => {
    const time = parseDuration(given);
    if (time !== undefined && time >= shortest && time <= (longest ?? time)) return time;
    const advice = /^\d+$/.test(given)
      ? `${given} needs a unit (ms, s, m, h or d), such as ${given}s`
      : `${visible(given)} is none: write one such as ${formatDuration(Math.max(shortest, 30_000))}`;
    throw new CommandError(`${name} is a duration ${bounds}; ${advice}`);
  });
}

const SIZE_UNITS: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

/** A size in bytes: `500MB`, `2GB`, or a number of bytes. */
export function size(
  placeholder: string,
  description: string,
  details: Details = {},
): OptionDescription<number> {
  return value('size in bytes, kB, MB or GB', placeholder, description, details, (given, name) => {
    const [, number = '', unit = ''] = /^(\d{1,12})(kb|mb|gb|)$/i.exec(given.trim()) ?? [];
    const bytes = Number(number) * (SIZE_UNITS[unit.toLowerCase()] ?? 1);
    if (bytes > 0) return bytes;
    throw new CommandError(`${name} is a size such as 500MB or 2GB, not ${visible(given)}`);
  });
}

/** A list of what an option is: the user repeats it. */
export function list<T>({ read, ...item }: OptionDescription<T>): OptionDescription<readonly T[]> {
  return {
    ...item,
    kind: 'list',
    type: `list of ${item.type}`,
    read: (texts, name) => texts.map((each) => read([each], name)),
  };
}

function value<T>(
  type: string,
  placeholder: string,
  description: string,
  details: Details,
  read: (given: string, name: string) => T,
): OptionDescription<T> {
  const readOne = ([given = '']: readonly string[], name: string): T => read(given, name);
  return { kind: 'value', placeholder, type, description, ...details, read: readOne };
}
