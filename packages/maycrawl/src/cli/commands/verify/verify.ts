/**
 * `maycrawl verify`: whether a robots.txt does what its owner expects, for every URL that is described.
 *
 * @module
 */

import type { RobotsTxt } from '@maycrawl/core';
import { deriveExpectations } from '../../../expectations/derive.ts';
import {
  type Checked,
  checkExpectations,
  type Expectation,
  MAX_EXPECTATIONS_BYTES,
} from '../../../expectations/expectations.ts';
import { MAX_ALIASES } from '../../../expectations/read-yaml.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { requireProfile } from '../../input/options.ts';
import { isUnreachable, type ReadingOptions, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';
import { writeFileAtomically } from '../../output/write-file.ts';
import { addPath, readExpectations } from './expectations.ts';
import { CHECK_FORMATS, type CheckFormatName } from './verify-formats.ts';

export interface VerifyOptions extends Omit<ReadingOptions, 'profile'> {
  readonly profile: string;
  readonly tests: string;
  readonly format: CheckFormatName;
  readonly init?: boolean;
}

/**
 * Checks a robots.txt against expectations and prints what came of each.
 *
 * @returns the exit code: 0 if all hold, 1 if any does not, 2 if any was not decided.
 * @throws {CommandError} if a file cannot be read.
 */
export async function verify(name: string, options: VerifyOptions): Promise<number> {
  const profile = requireProfile(options.profile);
  const format = CHECK_FORMATS[options.format];
  const reader = new SourceReader({ ...options, profile });
  const source = await reader.read(name).finally(() => reader.close());
  const { message, robots } = source;
  if (isUnreachable(source))
    throw new CommandError(`${visible(name)} is unreachable: ${visible(message ?? '')}`);
  if (options.init) return init(robots, options.tests);
  const checked = check(robots, await readExpectations(options.tests), options.tests);
  process.stdout.write(format(name, options.tests, checked));
  if (checked.some(({ passed }) => passed === false)) return 1;
  return checked.some(({ passed }) => passed === null) ? 2 : 0;
}

function check(robots: RobotsTxt, expectations: readonly Expectation[], tests: string): Checked[] {
  try {
    return checkExpectations(robots, expectations);
  } catch (cause) {
    throw addPath(tests, cause);
  }
}

/** Writes expectations of what holds today: what each rule says, as far as no other rule says something else. */
async function init(robots: RobotsTxt, path: string): Promise<number> {
  const { existsSync } = await import('node:fs');
  if (existsSync(path))
    throw new CommandError(`${visible(path)} is there already; --init does not write over it`);
  const { expectations, undecided } = deriveExpectations(robots);
  if (undecided > 0)
    printMessage(
      `${formatCount(undecided)} crawlers: not all of their rules are in the expectations, because the proofs take too many steps`,
    );
  if (expectations.length === 0)
    throw new CommandError(
      'nothing can be expected: the file has no rules that hold for all that they describe',
    );
  const { stringify } = await import('yaml');
  const head =
    '# What this robots.txt must do. A pattern (with * or ending with $) speaks for all URLs that it describes.\n';
  // Crawlers with the same rules share them in the file, as far as it can be read again.
  const options = { aliasDuplicateObjects: expectations.length <= MAX_ALIASES };
  const bytes = Buffer.from(`${head}${stringify(expectations, options)}`);
  if (bytes.length > MAX_EXPECTATIONS_BYTES)
    throw new CommandError(
      `nothing is written: the expectations have more than ${MAX_EXPECTATIONS_BYTES} bytes, which verify would refuse`,
    );
  await writeFileAtomically(path, bytes);
  printMessage(`${visible(path)}: ${formatCount(expectations.length)} crawlers`);
  return 0;
}
