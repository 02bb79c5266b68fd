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

port.on('message', ({ number, block }: PoolTask) => {
  const answered = answerer.answer(block === undefined ? undefined : Buffer.from(block));
  const text = new TextEncoder().encode(answered.text);
  const answer: PoolAnswer = { ...answered, number, text };
  port.postMessage(answer, [text.buffer]);
});
