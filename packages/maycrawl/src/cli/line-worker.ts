/**
 * The thread that answers lines for line-pool.ts.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Counts } from './answer-piece.ts';
import { type Job, makeAnswerer } from './line-answerer.ts';
import type { PoolAnswer, PoolReceipt, PoolTask } from './line-pool.ts';

/** A thread that has made so many bytes of answers that are not written yet waits. */
const MAX_UNWRITTEN_BYTES = 2 * 1024 * 1024;

const port = parentPort;
if (port === null) throw new Error('this module is the start of a thread');
const answerer = makeAnswerer(workerData as Job);
const encoder = new TextEncoder();
let unwrittenBytes = 0;
/** Lets a task that waits for its answers to be written look again. */
let wake = (): void => {};

port.on('message', (message: PoolTask | PoolReceipt) => {
  if ('blocks' in message) void answer(message);
  else {
    unwrittenBytes -= message.writtenBytes;
    wake();
  }
});

/** Posts the answers to the lines of a task. It is handed the next one when the last of them has come. */
async function answer({ number, blocks }: PoolTask): Promise<void> {
  for (const block of blocks) {
    for (const piece of answerer.answer(block && Buffer.from(block.buffer, block.byteOffset, block.length))) {
      post(number, piece, false);
      while (unwrittenBytes > MAX_UNWRITTEN_BYTES) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }
  post(number, { text: '', allowed: 0, disallowed: 0, failed: 0 }, true);
}

function post(number: number, piece: Counts & { readonly text: string }, isLast: boolean): void {
  const text = encoder.encode(piece.text);
  const { allowed, disallowed, failed } = piece;
  unwrittenBytes += text.length;
  const message: PoolAnswer = { number, text, allowed, disallowed, failed, isLast };
  port?.postMessage(message, [text.buffer]);
}
