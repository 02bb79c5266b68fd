// `maycrawl batch`: reads one question in JSON a line, and prints one result a line, in the same order.
import type { Readable } from 'node:stream';
import { createProgress } from '../output/progress.ts';
import { printResults } from '../output/result-lines.ts';

/**
 * Answers questions until the input ends.
 *
 * @returns the exit code: 0, or 2 if any line has no verdict.
 */
export async function batch(input: Readable): Promise<number> {
  const progress = await createProgress('questions', undefined);
  const { failed, isStopped } = await printResults(input, { kind: 'questions' }, progress);
  return failed > 0 || isStopped ? 2 : 0;
}
