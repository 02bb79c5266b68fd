/**
 * Answering many lines: in this thread as long as they are few, then in a thread for each processor. The answers come in the
 * order of the lines.
 *
 * @module
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { type Answered, type Job, makeAnswerer } from './line-answerer.ts';
import { type Block, readBlocks } from './line-reader.ts';
import type { Progress } from './progress.ts';

/** Up to here other threads would take longer to start than to work. */
const INLINE_BYTES = 4 * 1024 * 1024;
/** A thread gets about so much at a time, if so much has come in. */
const TASK_BYTES = 512 * 1024;
/** So much may wait for a thread before no more is read. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** So many tasks for each thread may be answered or in work before the first of them is written. */
const MAX_AHEAD = 4;

/** Lines for a thread, with their number in the order of all tasks; `undefined` for a line that was too long. */
export interface PoolTask {
  readonly number: number;
  readonly block: Uint8Array | undefined;
}

/** Their answers. */
export interface PoolAnswer extends Omit<Answered, 'text'> {
  readonly number: number;
  readonly text: Uint8Array;
}

/** How lines were answered, and whether the user stopped it before the end. */
export interface Totals extends Omit<Answered, 'text'> {
  readonly isStopped: boolean;
}

/**
 * Answers all lines of a stream. What has come in is answered before more is waited for; memory does not grow with the
 * input, and a slow reader of the output holds it back. After an interrupt (Ctrl-C) nothing more is read, what was read is
 * answered, and that is the end.
 */
export async function answerLines(
  input: Readable,
  maxLineBytes: number,
  job: Job,
  output: NodeJS.WritableStream,
  progress: Progress,
): Promise<Totals> {
  const totals = { allowed: 0, disallowed: 0, failed: 0, isStopped: false };
  const write = async ({ text, allowed, disallowed, failed }: Answered | PoolAnswer): Promise<void> => {
    totals.allowed += allowed;
    totals.disallowed += disallowed;
    totals.failed += failed;
    progress.show(totals);
    if (text.length > 0 && !output.write(text)) await once(output, 'drain');
  };
  const stop = (): void => {
    totals.isStopped = true;
    input.destroy();
  };
  process.once('SIGINT', stop);
  const answerer = makeAnswerer(job);
  let pool: LinePool | undefined;
  let bytes = 0;
  try {
    for await (const block of readBlocks(input, maxLineBytes)) {
      if (bytes >= INLINE_BYTES) pool ??= new LinePool(job, write);
      if (pool === undefined) await write(answerer.answer(block));
      else await pool.add(block);
      bytes += block?.length ?? maxLineBytes;
      progress.read(bytes);
    }
  } catch (error) {
    // Destroying the input ends the loop with an error.
    if (!totals.isStopped) throw error;
  } finally {
    process.removeListener('SIGINT', stop);
    await pool?.finish();
    progress.finish();
  }
  return totals;
}

/** Threads that answer blocks of lines, each as soon as one is free. */
class LinePool {
  readonly #write: (answer: PoolAnswer) => Promise<void>;
  readonly #workers: Worker[];
  readonly #idle: Worker[] = [];
  #waiting: Block[] = [];
  #waitingBytes = 0;
  /** Answers that came before it was their turn. */
  readonly #early: Map<number, PoolAnswer> = new Map();
  #tasks = 0;
  #written = 0;
  #isWriting = false;
  #failure: unknown;
  /** Lets whoever waits look again. */
  #wake: () => void = () => {};

  constructor(job: Job, write: (answer: PoolAnswer) => Promise<void>) {
    this.#write = write;
    this.#workers = Array.from({ length: availableParallelism() }, () => this.#start(job));
    this.#idle.push(...this.#workers);
  }

  /** Takes lines. Resolves when there is room for more. */
  async add(block: Block): Promise<void> {
    this.#waiting.push(block);
    this.#waitingBytes += block?.length ?? 0;
    this.#handOut();
    await this.#until(() => this.#waitingBytes < MAX_WAITING_BYTES);
  }

  /** Resolves when all is written and the threads have ended. */
  async finish(): Promise<void> {
    try {
      await this.#until(() => this.#waiting.length === 0 && this.#written === this.#tasks);
    } finally {
      await Promise.all(this.#workers.map((worker) => worker.terminate()));
    }
  }

  #start(job: Job): Worker {
    const worker = new Worker(new URL('./line-worker.js', import.meta.url), { workerData: job });
    worker.on('message', (answer: PoolAnswer) => {
      this.#early.set(answer.number, answer);
      this.#idle.push(worker);
      this.#handOut();
      void this.#writeInOrder();
    });
    worker.on('error', (error) => this.#fail(error));
    return worker;
  }

  #handOut(): void {
    const mayStart = (): boolean => this.#tasks - this.#written < MAX_AHEAD * this.#workers.length;
    while (this.#waiting.length > 0 && this.#idle.length > 0 && mayStart()) {
      const block = this.#takeWaiting();
      const task: PoolTask = { number: this.#tasks++, block };
      this.#idle.pop()?.postMessage(task, block === undefined ? [] : [block.buffer as ArrayBuffer]);
      this.#wake();
    }
  }

  /** The blocks that wait, up to the size of a task, as one that has its memory for itself. */
  #takeWaiting(): Uint8Array | undefined {
    const taken: Buffer[] = [];
    let length = 0;
    while (this.#waiting[0] !== undefined && length < TASK_BYTES) {
      const block = this.#waiting.shift() as Buffer;
      taken.push(block);
      length += block.length;
    }
    this.#waitingBytes -= length;
    if (taken.length === 0) return this.#waiting.shift();
    const joined = new Uint8Array(length);
    let at = 0;
    for (const block of taken) {
      joined.set(block, at);
      at += block.length;
    }
    return joined;
  }

  async #writeInOrder(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      for (let answer = this.#early.get(this.#written); answer; answer = this.#early.get(this.#written)) {
        this.#early.delete(this.#written);
        await this.#write(answer);
        this.#written++;
        this.#handOut();
        this.#wake();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isWriting = false;
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake();
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
