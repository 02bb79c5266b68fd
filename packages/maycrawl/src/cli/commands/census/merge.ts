// `maycrawl census merge`: merges the parts that slices wrote.
import { mergeCensus } from '../../../census/merge-census.ts';
import { CommandError } from '../../output/errors.ts';
import { createProgress } from '../../output/progress.ts';
import { printMessage } from '../../output/terminal.ts';
import { onInterrupt } from './interrupt.ts';
import { printSummary, requireOut, withCensusErrors } from './output.ts';

export interface CensusMergeOptions {
  readonly out: string;
}

/**
 * Merges parts.
 *
 * @returns the exit code: 0, or 2 if an input of a part could not be read or the user interrupted the command.
 * @throws {CommandError} if a part is missing, damaged, there twice, or of another census.
 */
export async function censusMerge(folders: readonly string[], { out }: CensusMergeOptions): Promise<number> {
  if (folders.length === 0) throw new CommandError('name the folders of the parts');
  requireOut(out);
  const progress = await createProgress('captures', undefined);
  const controller = new AbortController();
  const { signal } = controller;
  const finish = onInterrupt(() => controller.abort());
  try {
    const { summary, isComplete } = await withCensusErrors(() =>
      mergeCensus(folders, { folder: out, signal, onProgress: (captures) => progress.show(captures) }),
    );
    progress.finish();
    return printSummary(summary, out, isComplete);
  } catch (error) {
    if (!signal.aborted) throw error;
    printMessage('interrupted; nothing was written');
    return 2;
  } finally {
    finish();
    progress.finish();
  }
}
