/**
 * `maycrawl batch`: a filter for pipes. One question in JSON a line, one answer a line, in the same order.
 *
 * @module
 */
import type { Readable } from 'node:stream';
import { answerLines } from '../batch/line-pool.ts';
import { MAX_QUESTION_BYTES } from '../batch/question.ts';
import { makeProgress } from '../output/progress.ts';

/**
 * Answers questions until the input ends.
 *
 * @returns the exit code: 0, or 2 if any line got no answer.
 */
export async function batch(input: Readable, output: NodeJS.WritableStream): Promise<number> {
  const progress = await makeProgress('questions', undefined);
  const job = { kind: 'questions' } as const;
  const { failed, isStopped } = await answerLines(input, MAX_QUESTION_BYTES, job, output, progress);
  return failed > 0 || isStopped ? 2 : 0;
}
