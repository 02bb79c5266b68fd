// `maycrawl verify`: whether a robots.txt meets the expectations of its owner, which URLs and patterns describe, or is the same in the
// repository, in the build and on the server.

import type { RobotsTxt } from '@maycrawl/core';
import { deriveExpectations } from '../../../expectations/derive.ts';
import { checkExpectations, MAX_EXPECTATIONS_BYTES } from '../../../expectations/expectations.ts';
import { MAX_ALIASES } from '../../../expectations/read-yaml.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { isUnreachable, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';
import { writeFileAtomically } from '../../output/write-file.ts';
import { isDeployment, verifyDeployment } from './deployment.ts';
import { readExpectations } from './expectations.ts';
import type { VerifyOptions } from './options.ts';
import { CHECK_FORMATS } from './verify-formats.ts';

/**
 * Runs the check that the arguments select.
 *
 * @param name - the robots.txt to check against expectations. Without it, the options name files to compare.
 * @returns the exit code.
 * @throws {CommandError} if they select no check, or both.
 */
export async function verify(name: string | undefined, options: VerifyOptions): Promise<number> {
  const isAboutDeployment = isDeployment(options);
  if (name === undefined && !isAboutDeployment)
    throw new CommandError('give a robots.txt, or two of --source, --built and --deployed');
  if (name === undefined) return verifyDeployment(options);
  if (isAboutDeployment || options.acceptManaged === true)
    throw new CommandError(
      'a robots.txt is checked against expectations: omit it to use --source, --built, --deployed, --environment and --accept-managed',
    );
  return verifyExpectations(name, options);
}

/**
 * Checks a robots.txt against expectations and prints the results.
 *
 * @returns the exit code: 0 if all are met, 1 if any is not, 2 if any is undecided or invalid.
 * @throws {CommandError} if a file cannot be read.
 */
async function verifyExpectations(name: string, options: VerifyOptions): Promise<number> {
  const format = CHECK_FORMATS[options.format];
  const reader = new SourceReader(options);
  const source = await reader.read(name).finally(() => reader.close());
  const { message, robots } = source;
  if (isUnreachable(source))
    throw new CommandError(`${visible(name)} is unreachable: ${visible(message ?? '')}`);
  if (options.init) return init(robots, options.tests);
  const checked = checkExpectations(robots, await readExpectations(options.tests));
  process.stdout.write(format(name, options.tests, checked));
  if (checked.some(({ passed }) => passed === false)) return 1;
  return checked.some(({ passed }) => passed === null) ? 2 : 0;
}

/** Writes the expectations that the file meets: those of its rules, unless other rules contradict them. */
async function init(robots: RobotsTxt, path: string): Promise<number> {
  const { existsSync } = await import('node:fs');
  if (existsSync(path)) throw new CommandError(`${visible(path)} exists; --init does not overwrite it`);
  const { expectations, undecided } = deriveExpectations(robots);
  if (undecided > 0)
    printMessage(
      `the expectations lack rules of ${formatCount(undecided, 'crawler')}: their proofs exceed the budget`,
    );
  if (expectations.length === 0)
    throw new CommandError('no expectations found: no rule of the file decides for all URLs that it matches');
  const { stringify } = await import('yaml');
  const head =
    '# Expectations of this robots.txt. A pattern (with * or a final $) stands for all URLs that it matches.\n';
  // Crawlers with the same rules share them by aliases, up to the limit of readYaml.
  const options = { aliasDuplicateObjects: expectations.length <= MAX_ALIASES };
  const bytes = Buffer.from(`${head}${stringify(expectations, options)}`);
  if (bytes.length > MAX_EXPECTATIONS_BYTES)
    throw new CommandError(
      `not written: the expectations have more than ${formatCount(MAX_EXPECTATIONS_BYTES)} bytes, the limit of verify`,
    );
  await writeFileAtomically(path, bytes);
  printMessage(`${visible(path)}: expectations for ${formatCount(expectations.length, 'crawler')}`);
  return 0;
}
