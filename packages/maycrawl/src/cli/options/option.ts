// The kinds of options. The command line, the configuration file, the environment and the documentation derive from the description of an
// option. This module loads no package, because the command loads it at every start.
import type { NumberRange } from '@maycrawl/core/internal';
import { visible } from '../../text/printable.ts';
import { formatDuration, parseDuration } from '../input/duration.ts';
import { CommandError } from '../output/errors.ts';

/** An option with a value of the type `T`. */
export interface OptionDescription<T> {
  readonly kind: 'flag' | 'value' | 'list';
  /** The placeholder of the value in the help, such as `<time>`; empty for a flag. */
  readonly placeholder: string;
  /** The type of the value in the documentation, such as `duration`. */
  readonly type: string;
  /** One line of the help. */
  readonly description: string;
  /** The default value, as a user would write it. */
  readonly default?: string;
  /** One letter: `-o` is short for `--output`. */
  readonly letter?: string;
  readonly isRequired?: boolean;
  /** Only an environment variable can set it: other users of the machine can see command lines. */
  readonly isSecret?: boolean;
  /**
   * Parses the value: one text, any number of them for a list, `true` or `false` for a flag.
   *
   * @param name - the option, variable or key that sets it, for messages.
   * @throws {CommandError} if the value is invalid.
   */
  readonly read: (texts: readonly string[], name: string) => T;
}

/** The descriptions of all options of a command, by name in camel case. */
export type OptionTable<T> = { readonly [K in keyof T]-?: OptionDescription<Exclude<T[K], undefined>> };

type Details = Partial<Pick<OptionDescription<unknown>, 'default' | 'letter' | 'isRequired' | 'isSecret'>>;

/** A flag. With the default `true` the command line has `--no-NAME`. */
export function flag(description: string, details: Details = {}): OptionDescription<boolean> {
  const read = ([text = '']: readonly string[], name: string): boolean => {
    if (['true', 'false'].includes(text)) return text === 'true';
    throw new CommandError(`${name} must be true or false, not ${visible(text)}`);
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

/** One of several words. */
export function choice<T extends string>(
  placeholder: string,
  choices: readonly T[],
  description: string,
  details: Details = {},
): OptionDescription<T> {
  return value(`one of ${choices.join(', ')}`, placeholder, description, details, (given, name) => {
    const chosen = choices.find((each) => each === given);
    if (chosen !== undefined) return chosen;
    throw new CommandError(`${name} must be one of ${choices.join(', ')}, not ${visible(given)}`);
  });
}

/** A whole number within bounds. */
export function count(
  placeholder: string,
  [least, most]: NumberRange,
  description: string,
  details: Details = {},
): OptionDescription<number> {
  const bounds = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
  return value(`whole number ${bounds}`, placeholder, description, details, (given, name) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new CommandError(`${name} must be a whole number ${bounds}, not ${visible(given)}`);
  });
}

/** The longest duration: a time that is as far from now is one that dates can have. */
const LONGEST = '36500d';

/** A duration in milliseconds. @param bounds - as a user would write them. */
export function duration(
  placeholder: string,
  [least, most]: readonly [string, string | undefined],
  description: string,
  details: Details = {},
): OptionDescription<number> {
  const [shortest, longest] = [parseDuration(least) ?? 0, parseDuration(most ?? LONGEST) ?? 0];
  const bounds = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  return value(`duration ${bounds}`, placeholder, description, details, (given, name) => {
    const time = parseDuration(given);
    if (time !== undefined && time >= shortest && time <= longest) return time;
    if (time !== undefined && time > longest && most === undefined)
      throw new CommandError(`${name} must be a duration of at most ${LONGEST}, not ${visible(given)}`);
    const example = formatDuration(Math.max(shortest, 30_000));
    if (/^\d+$/.test(given))
      throw new CommandError(`${name} ${given}: add a unit, such as ${given}s (ms, s, m, h or d; ${bounds})`);
    throw new CommandError(
      `${name} must be a duration ${bounds}, not ${visible(given)}; for example ${example}`,
    );
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
    throw new CommandError(`${name} must be a size such as 500MB or 2GB, not ${visible(given)}`);
  });
}

/** Also accepts the word `none`, which sets no limit (`Infinity`). */
export function orNone({ read, ...item }: OptionDescription<number>): OptionDescription<number> {
  const readOne = (texts: readonly string[], name: string): number => {
    if (texts[0] === 'none') return Number.POSITIVE_INFINITY;
    try {
      return read(texts, name);
    } catch (error) {
      if (error instanceof CommandError) throw new CommandError(`${error.message}; \`none\` is no limit`);
      throw error;
    }
  };
  return { ...item, type: `${item.type}, or none`, read: readOne };
}

/** A list: the user repeats the option. */
export function list<T>({ read, ...item }: OptionDescription<T>): OptionDescription<readonly T[]> {
  return {
    ...item,
    kind: 'list',
    type: `list of ${item.type}`,
    read: (texts, name) => texts.map((each) => read([each], name)),
  };
}

/** A list of words with commas between them; the user can also repeat the option. */
export function words<T extends string>(
  placeholder: string,
  choices: readonly T[],
  description: string,
): OptionDescription<readonly T[]> {
  const item = list(choice(placeholder, choices, description));
  const split = (texts: readonly string[]): string[] =>
    texts.flatMap((each) => each.split(',').map((word) => word.trim()));
  return { ...item, read: (texts, name) => item.read(split(texts), name) };
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
