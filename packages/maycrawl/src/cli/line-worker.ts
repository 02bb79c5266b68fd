/**
 * The thread that answers lines for line-pool.ts.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Job, makeAnswerer } from './line-answerer.ts';
import type { PoolAnswer, PoolTask } from './line-pool.ts';

const port = parentPort;
if (port === null) throw new Error('this module is the start of a thread');
const answerer = makeAnswerer(workerData as Job);
const encoder = new TextEncoder();

port.on('message', ({ number, blocks }: PoolTask) => {
  const text: Uint8Array<ArrayBuffer>[] = [];
  const counts = { allowed: 0, disallowed: 0, failed: 0 };
  for (const block of blocks) {
    const answered = answerer.answer(block && Buffer.from(block.buffer, block.byteOffset, block.length));
    text.push(encoder.encode(answered.text));
    counts.allowed += answered.allowed;
    counts.disallowed += answered.disallowed;
    counts.failed += answered.failed;
  }
  const answer: PoolAnswer = { number, text, ...counts };
  port.postMessage(
    answer,
    text.map(({ buffer }) => buffer),
  );
});
