// The values of options: their types in the documentation, and their parsers. The command line, the configuration file, the environment and
// the documentation derive from the record of an option. This module loads no package, because the command loads it at every start.
import { visible } from '../../text/printable.ts';
import { formatDuration, parseDuration } from '../input/duration.ts';
import { CommandError } from '../output/errors.ts';
import type { OptionRecord, OptionValue, ValueRecord } from './option-record.ts';

type CountRange = Extract<ValueRecord, { readonly type: 'count' }>['range'];
type TimeRange = Extract<ValueRecord, { readonly type: 'duration' }>['range'];

/** The longest duration: a time that is as far from now is one that dates can have. */
const LONGEST = '36500d';

const SIZE_UNITS: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

export function isList(option: OptionRecord): boolean {
  return option.type === 'words' || (option.type !== 'flag' && option.isList === true);
}

/** Returns the type of the value in the documentation, such as `duration of at least 1s`. */
export function describeType(option: OptionRecord): string {
  if (option.type === 'flag') return 'flag';
  const item = `${describeItem(option)}${option.acceptsNone ? ', or none' : ''}`;
  return isList(option) ? `list of ${item}` : item;
}

function describeItem(option: ValueRecord): string {
  switch (option.type) {
    case 'text':
      return 'text';
    case 'header':
      return 'text in ASCII';
    case 'choice':
    case 'words':
      return `one of ${option.choices.join(', ')}`;
    case 'count':
      return `whole number ${formatRange(option.range)}`;
    case 'duration':
      return `duration ${formatRange(option.range)}`;
    case 'size':
      return 'size in bytes, kB, MB or GB';
  }
}

function formatRange([least, most]: CountRange | TimeRange): string {
  return most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
}

/**
 * Parses the value of an option.
 *
 * @param texts - one text, any number of them for a list, `true` or `false` for a flag.
 * @param name - the option, variable or key that sets it, for messages.
 * @throws {CommandError} if the value is invalid.
 */
export function parseOption<Option extends OptionRecord>(
  option: Option,
  texts: readonly string[],
  name: string,
): OptionValue<Option> {
  return parseTexts(option, texts, name) as OptionValue<Option>;
}

function parseTexts(option: OptionRecord, texts: readonly string[], name: string): unknown {
  const [text = ''] = texts;
  if (option.type === 'flag') return parseFlag(text, name);
  if (option.type === 'words') return texts.flatMap(splitWords).map((word) => parseItem(option, word, name));
  if (option.isList) return texts.map((each) => parseItem(option, each, name));
  return option.acceptsNone ? parseItemOrNone(option, text, name) : parseItem(option, text, name);
}

function splitWords(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

function parseItemOrNone(option: ValueRecord, text: string, name: string): unknown {
  if (text === 'none') return Number.POSITIVE_INFINITY;
  try {
    return parseItem(option, text, name);
  } catch (error) {
    if (error instanceof CommandError) throw new CommandError(`${error.message}; \`none\` is no limit`);
    throw error;
  }
}

function parseItem(option: ValueRecord, text: string, name: string): string | number {
  switch (option.type) {
    case 'text':
      return text;
    case 'header':
      return parseHeader(text, name);
    case 'choice':
    case 'words':
      return parseChoice(option.choices, text, name);
    case 'count':
      return parseCount(option.range, text, name);
    case 'duration':
      return parseTime(option.range, text, name);
    case 'size':
      return parseSize(text, name);
  }
}

function parseFlag(text: string, name: string): boolean {
  if (['true', 'false'].includes(text)) return text === 'true';
  throw new CommandError(`${name} must be true or false, not ${visible(text)}`);
}

function parseHeader(text: string, name: string): string {
  if (/^[ -~]+$/.test(text)) return text;
  throw new CommandError(`${name} must be printable ASCII characters, not "${visible(text)}"`);
}

function parseChoice(choices: readonly string[], text: string, name: string): string {
  if (choices.includes(text)) return text;
  throw new CommandError(`${name} must be one of ${choices.join(', ')}, not ${visible(text)}`);
}

function parseCount(range: CountRange, text: string, name: string): number {
  const [least, most = Number.POSITIVE_INFINITY] = range;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new CommandError(`${name} must be a whole number ${formatRange(range)}, not ${visible(text)}`);
}

function parseTime(range: TimeRange, text: string, name: string): number {
  const [least, most] = range;
  const [shortest, longest] = [parseDuration(least) ?? 0, parseDuration(most ?? LONGEST) ?? 0];
  const bounds = formatRange(range);
  const time = parseDuration(text);
  if (time !== undefined && time >= shortest && time <= longest) return time;
  if (time !== undefined && time > longest && most === undefined)
    throw new CommandError(`${name} must be a duration of at most ${LONGEST}, not ${visible(text)}`);
  const example = formatDuration(Math.max(shortest, 30_000));
  if (/^\d+$/.test(text))
    throw new CommandError(`${name} ${text}: add a unit, such as ${text}s (ms, s, m, h or d; ${bounds})`);
  throw new CommandError(
    `${name} must be a duration ${bounds}, not ${visible(text)}; for example ${example}`,
  );
}

function parseSize(text: string, name: string): number {
  const [, number = '', unit = ''] = /^(\d{1,12})(kb|mb|gb|)$/i.exec(text.trim()) ?? [];
  const bytes = Number(number) * (SIZE_UNITS[unit.toLowerCase()] ?? 1);
  if (bytes > 0) return bytes;
  throw new CommandError(`${name} must be a size such as 500MB or 2GB, not ${visible(text)}`);
}
