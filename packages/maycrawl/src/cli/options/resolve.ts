// The values of options: the command line decides, then the environment, then the configuration file, then the default.

import { isStringList } from '@maycrawl/core/internal';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';
import { isList, parseOption } from './option.ts';
import type { OptionRecord, OptionRecords, OptionValues, Section } from './option-record.ts';

/** Where options are set besides the command line. */
export interface Settings {
  readonly section: Section;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file?: ConfigSection | undefined;
  /** The names of the options in this section that the environment and the file can set. */
  readonly names: readonly string[];
}

/** What a configuration file sets. */
export interface ConfigSection {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The name of an option on the command line. */
export function toFlag(name: string): string {
  return `--${toWords(name).join('-')}`;
}

/** The name of the environment variable of an option. */
export function toVariable(section: Section, name: string): string {
  return ['MAYCRAWL', section, ...toWords(name)].join('_').toUpperCase();
}

function toWords(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

/**
 * Reads the options of a command.
 *
 * @param given - the values on the command line: `true` or `false` for a flag, one text or a list of them.
 * @throws {CommandError} for an invalid value, an unknown variable or key, and a missing option.
 */
export function resolveOptions<Records extends OptionRecords>(
  records: Records,
  given: Readonly<Record<string, unknown>>,
  settings?: Settings,
): OptionValues<Records> {
  if (settings !== undefined) requireKnown(settings);
  const values = Object.entries(records).map(([name, option]) => [
    name,
    resolveOption(name, option, given[name], settings),
  ]);
  return Object.fromEntries(values.filter(([, each]) => each !== undefined)) as OptionValues<Records>;
}

function resolveOption(
  name: string,
  option: OptionRecord,
  given: unknown,
  settings: Settings | undefined,
): unknown {
  if (given !== undefined && !option.isSecret) return parseOption(option, toTexts(given), toFlag(name));
  if (settings?.names.includes(name)) {
    const { section, environment, file } = settings;
    const variable = toVariable(section, name);
    const written = environment[variable];
    // Without the secret, the command would be less protected than the operator intends.
    if (written === '' && option.isSecret)
      throw new CommandError(`${variable} is empty: set a value, or remove the variable`);
    // Any other empty variable counts as unset, as in a unit of systemd or a compose file.
    if (written !== undefined && written !== '')
      return parseOption(option, isList(option) ? toList(written, variable) : [written], variable);
    const inFile = file?.values[name];
    if (file !== undefined && inFile !== undefined) {
      const place = `${visible(file.path)}: ${section}.${name}`;
      if (option.isSecret) throw new CommandError(`${place} is a secret: set ${variable} instead`);
      return parseOption(option, readTexts(inFile, option, place), place);
    }
  }
  if (option.default !== undefined) return parseOption(option, [option.default], toFlag(name));
  if (option.isRequired) throw new CommandError(`${toFlag(name)} is required: ${option.description}`);
  return undefined;
}

function toTexts(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.map(String) : [String(given)];
}

/** Parses the list in a variable: JSON, or texts separated by commas. */
function toList(written: string, variable: string): readonly string[] {
  if (!written.startsWith('[')) return written.split(',').map((each) => each.trim());
  let items: unknown;
  try {
    items = JSON.parse(written);
  } catch {
    // Reported below.
  }
  if (isStringList(items)) return items;
  throw new CommandError(`${variable} begins with "[", but is not a JSON array of strings`);
}

function readTexts(value: unknown, option: OptionRecord, place: string): readonly string[] {
  if (isList(option)) {
    if (isStringList(value)) return value;
    throw new CommandError(`${place} must be a list of strings`);
  }
  if (option.type === 'flag') {
    if (typeof value === 'boolean') return [String(value)];
    throw new CommandError(`${place} must be true or false`);
  }
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  throw new CommandError(`${place} must be a string or a number`);
}

/** @throws {CommandError} for an unknown variable or key: a misspelled one would have no effect. */
function requireKnown({ section, environment, file, names }: Settings): void {
  const prefix = toVariable(section, '');
  const variables = names.map((name) => toVariable(section, name));
  const variable = Object.keys(environment).find(
    (each) => each.startsWith(prefix) && !variables.includes(each),
  );
  if (variable !== undefined)
    throw new CommandError(`the environment variable ${visible(variable)} is not an option of ${section}`);
  const key = Object.keys(file?.values ?? {}).find((each) => !names.includes(each));
  if (key !== undefined)
    throw new CommandError(
      `${visible(file?.path ?? '')}: ${section}.${visible(key)} is not an option of ${section}`,
    );
}
