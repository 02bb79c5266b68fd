/**
 * The thread that answers lines for line-pool.ts.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads';
import { AnswerPiece } from './answer-piece.ts';
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
  // Each is posted when the next has come, so that the last one is known as such.
  let piece = new AnswerPiece();
  for (const block of blocks) {
    for (const next of answerer.answer(block && Buffer.from(block.buffer, block.byteOffset, block.length))) {
      if (piece.text !== '') post(number, piece, false);
      piece = next;
      while (unwrittenBytes > MAX_UNWRITTEN_BYTES) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }
  post(number, piece, true);
}

function post(
  number: number,
  { text: answers, allowed, disallowed, failed }: AnswerPiece,
  isLast: boolean,
): void {
  const text = encoder.encode(answers);
  unwrittenBytes += text.length;
  const message: PoolAnswer = { number, text, allowed, disallowed, failed, isLast };
  port?.postMessage(message, [text.buffer]);
}
