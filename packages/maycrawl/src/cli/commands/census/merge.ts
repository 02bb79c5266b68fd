// `maycrawl census merge`: merges the parts that slices wrote.
import { mergeCensus } from '../../../census/merge-census.ts';
import { CommandError } from '../../output/errors.ts';
import type { CensusMergeOptions } from './options.ts';
import { requireOut, writeWithProgress } from './output.ts';

/**
 * Merges parts.
 *
 * @returns the exit code: 0, or 2 if an input of a part could not be read or the user interrupted the command.
 * @throws {CommandError} if a part is missing, damaged, there twice, or of another census.
 */
export async function censusMerge(folders: readonly string[], { out }: CensusMergeOptions): Promise<number> {
  if (folders.length === 0) throw new CommandError('name the folders of the parts');
  requireOut(out);
  return writeWithProgress(out, undefined, (progress, signal) =>
    mergeCensus(folders, { folder: out, signal, onProgress: (captures) => progress.show(captures) }),
  );
}
