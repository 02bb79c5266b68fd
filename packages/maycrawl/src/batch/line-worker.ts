// The thread that judges lines for judge-lines.ts.
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { createLineJudge, type Job } from './job.ts';
import type { ResultLines } from './result-lines.ts';

/** Whole lines; `undefined` stands for a line that was too long. */
export type LineTask = ArrayBuffer | undefined;

const judge = createLineJudge(workerData as Job);

/** Judges the lines of a task. @returns the {@link ResultLines}; their memory moves to the other thread. */
export function examine(task: LineTask): ReturnType<typeof move> {
  const block = task && Buffer.from(task);
  const pieces: Buffer[] = [];
  const counts = { allowed: 0, disallowed: 0, failed: 0 };
  for (const { text, allowed, disallowed, failed } of judge.judge(block)) {
    pieces.push(Buffer.from(text));
    counts.allowed += allowed;
    counts.disallowed += disallowed;
    counts.failed += failed;
  }
  // With memory of its own, because all of the memory behind it is transferred.
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const results: ResultLines = { bytes, ...counts };
  return move({ [transferableSymbol]: bytes.buffer, [valueSymbol]: results });
}
