// Sends the batches of a task from the thread that reads it to the main thread. The thread waits while batches are unread, so that few are
// in memory, however large an archive is, and however long the tasks before it take.
import { on } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ThreadPool } from '../threads/thread-pool.ts';
import type { InputTotalsData } from './input-totals.ts';
import type { Task } from './inputs/task.ts';
import type { ReadBatch } from './task-reader.ts';

/** Batches of a task that are unread while its thread reads on. */
const MAX_UNREAD = 2;

/** A task, and where its batches go. */
export interface SentTask {
  /** The position of the task among all. */
  readonly index: number;
  readonly task: Task;
  readonly port: MessagePort;
}

/** A message of the thread: a batch, or the end. The answer to a batch is any message. */
type Message = { readonly batch: ReadBatch } | { readonly totals: InputTotalsData };

export async function sendBatches(
  batches: AsyncGenerator<ReadBatch, InputTotalsData>,
  port: Pick<MessagePort, 'on' | 'postMessage'>,
): Promise<void> {
  let unread = 0;
  let resume = (): void => {};
  port.on('message', () => {
    unread--;
    resume();
  });
  for (;;) {
    const { done, value } = await batches.next();
    port.postMessage((done === true ? { totals: value } : { batch: value }) satisfies Message);
    if (done === true) return;
    unread++;
    while (unread >= MAX_UNREAD)
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
  }
}

/** A task that runs in a thread, or whose batches wait for those of earlier tasks. */
export class RunningTask {
  readonly task: Task;
  readonly #batches: AsyncGenerator<ReadBatch, InputTotalsData>;
  #next: Promise<IteratorResult<ReadBatch, InputTotalsData>> | undefined;

  /** Starts the task. @param index - its position among all. */
  constructor(pool: ThreadPool<SentTask, void>, index: number, task: Task) {
    this.task = task;
    const { port1, port2 } = new MessageChannel();
    const messages = on(port1, 'message', { close: ['close'] }) as AsyncIterable<[Message]>;
    const end = pool.run({ index, task, port: port2 }, undefined, [port2]);
    // The failure is thrown when its turn comes, which may be never.
    end.catch(() => port1.close());
    this.#batches = receiveBatches(port1, messages, end);
  }

  /** Waits for the next batch, or the end. @throws what the task throws. */
  async peek(): Promise<void> {
    this.#next ??= this.#batches.next();
    await this.#next;
  }

  /** Reads the next batch; the totals at the end. @throws what the task throws. */
  next(): Promise<IteratorResult<ReadBatch, InputTotalsData>> {
    const next = this.#next ?? this.#batches.next();
    this.#next = undefined;
    return next;
  }
}

async function* receiveBatches(
  port: MessagePort,
  messages: AsyncIterable<[Message]>,
  end: Promise<void>,
): AsyncGenerator<ReadBatch, InputTotalsData> {
  for await (const [message] of messages) {
    if ('totals' in message) {
      port.close();
      return message.totals;
    }
    yield message.batch;
    port.postMessage(null);
  }
  await end;
  throw new Error('internal error: a thread did not finish its task');
}
