// `maycrawl batch`: reads lines in JSON, and prints one result a line, in the same order.
import type { Readable } from 'node:stream';
import { createProgress } from '../output/progress.ts';
import { printResults } from '../output/result-lines.ts';

/**
 * Judges lines until the input ends.
 *
 * @returns the exit code: 0, or 2 if any line has no verdict.
 */
export async function batch(input: Readable): Promise<number> {
  const progress = await createProgress('json-lines', undefined);
  const { failed, isStopped } = await printResults(input, { kind: 'json-lines' }, progress);
  return failed > 0 || isStopped ? 2 : 0;
}
