// `maycrawl minify`: a smaller file with the same verdicts.

import { parse } from '@maycrawl/core';
import { minify } from '@maycrawl/core/proofs';
import { formatCount } from '../../text/counts.ts';
import { visible } from '../../text/printable.ts';
import { describeSource, SourceReader } from '../input/source.ts';
import { CommandError } from '../output/errors.ts';
import { writeContent } from '../output/standard-output.ts';
import { printMessage } from '../output/terminal.ts';
import { writeFileAtomically } from '../output/write-file.ts';
import type { MinifyCommandOptions } from './options.ts';

/**
 * Writes a smaller file with the same verdicts for every crawler and URL, and prints both sizes on standard error. Rules whose proof
 * exceeds the budget stay.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the file cannot be read or written.
 */
export async function minifyCommand(name: string, options: MinifyCommandOptions): Promise<number> {
  const reader = new SourceReader(options);
  const source = await reader.read(name).finally(() => reader.close());
  const { policy, robots } = source;
  if (policy.kind !== 'rules') throw new CommandError(`${visible(name)}: ${visible(describeSource(source))}`);
  if (robots.truncated)
    printMessage(
      `bytes after the first ${formatCount(robots.maxBytes)} are ignored, and omitted from the result`,
    );
  const { bytes, isComplete } = minify(parse(robots.bytes, { profile: robots.profile }), {
    keepComments: options.comments ?? false,
  });
  if (options.output === undefined) await writeContent(bytes);
  else await writeFileAtomically(options.output, bytes);
  const [before, after] = [robots.bytes.length, bytes.length];
  const share = before === 0 ? 0 : Math.round(((before - after) / before) * 100);
  printMessage(
    after < before
      ? `${formatCount(before)} bytes reduced to ${formatCount(after)} (${share} % less); same verdicts for every crawler and URL`
      : `${formatCount(before)} bytes: no smaller file was found`,
  );
  if (!isComplete) printMessage('some rules stay unchecked: their proofs exceed the budget');
  return 0;
}
