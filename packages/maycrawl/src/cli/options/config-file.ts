// The configuration file: `maycrawl.config.json` or `maycrawl.config.yaml`, with a section for each command.
import { type Stats, statSync } from 'node:fs';
import { isObject } from '@maycrawl/core/internal';
import { readYaml } from '../../expectations/read-yaml.ts';
import { describeFileError } from '../../files/file-error.ts';
import { visible } from '../../text/printable.ts';
import { readTextFile } from '../input/file.ts';
import { CommandError } from '../output/errors.ts';
import { SECTIONS } from './option-record.ts';
import type { ConfigSection } from './resolve.ts';

/** The names of the file in the current directory. */
const NAMES = ['maycrawl.config.json', 'maycrawl.config.yaml'];
/** Maximum size of the file in bytes. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads one section of the configuration file.
 *
 * @param path - of the file; by default the one in the current directory, if there is one.
 * @throws {CommandError} if the file cannot be read or is invalid, or there are two; if the one in the current directory is not a regular
 *   file: a pipe would be read until a process writes to it.
 */
export async function readConfig(
  section: string,
  path: string | undefined,
): Promise<ConfigSection | undefined> {
  const found = path === undefined ? NAMES.filter(isPresent) : [path];
  if (found.length > 1) throw new CommandError(`found ${found.join(' and ')}: choose one with --config`);
  const [file] = found;
  if (file === undefined) return undefined;
  const config = await parseConfig(file, await readTextFile(file, MAX_BYTES));
  if (!isObject(config)) throw new CommandError(`${visible(file)}: it must have sections, such as serve`);
  const unknown = Object.keys(config).find((each) => !SECTIONS.some((name) => name === each));
  if (unknown !== undefined)
    throw new CommandError(
      `${visible(file)}: ${visible(unknown)} is not a section; sections: ${SECTIONS.join(', ')}`,
    );
  const values = config[section] ?? {};
  if (!isObject(values)) throw new CommandError(`${visible(file)}: ${section} must have options as its keys`);
  return { path: file, values };
}

/** Checks whether a file is in the current directory. @throws {CommandError} if it is not a regular file. */
function isPresent(name: string): boolean {
  let found: Stats | undefined;
  try {
    found = statSync(name, { throwIfNoEntry: false });
  } catch (cause) {
    throw new CommandError(`cannot read ${name}: ${describeFileError(cause)}`, { cause });
  }
  if (found?.isFile() === false) throw new CommandError(`cannot read ${name}: it is not a regular file`);
  return found !== undefined;
}

async function parseConfig(path: string, text: string): Promise<unknown> {
  const toError = (problem: string, cause?: unknown): CommandError =>
    new CommandError(`cannot read ${visible(path)}: ${visible(problem)}`, { cause });
  if (!path.endsWith('.json')) return (await readYaml(text, 'section', toError)) ?? {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw toError((cause as Error).message, cause);
  }
}
