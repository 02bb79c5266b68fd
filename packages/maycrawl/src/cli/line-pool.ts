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
import { CommandError, describeFileError } from './errors.ts';
import { type Answered, type Job, makeAnswerer } from './line-answerer.ts';
import { readBlocks } from './line-reader.ts';
import type { Progress } from './progress.ts';

/** Up to here other threads would take longer to start than to work. */
const INLINE_BYTES = 4 * 1024 * 1024;
/** A thread gets about so much at a time, if so much has come in. */
const TASK_BYTES = 512 * 1024;
/** Smaller blocks may share their memory with others (Node's pool for buffers), and are copied. */
const SHARED_BYTES = 32 * 1024;
/** So much may wait for a thread before no more is read. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** So many tasks for each thread may be answered or in work before the first of them is written. */
const MAX_AHEAD = 4;

/** Lines for a thread, with their number in the order of all tasks; `undefined` stands for a line that was too long. */
export interface PoolTask {
  readonly number: number;
  readonly blocks: readonly OwnBlock[];
}

/** Their answers. */
export interface PoolAnswer extends Omit<Answered, 'text'> {
  readonly number: number;
  readonly text: readonly Uint8Array[];
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
  const write = async (text: string | Uint8Array): Promise<void> => {
    if (text.length > 0 && !output.write(text)) await once(output, 'drain');
  };
  const count = ({ allowed, disallowed, failed }: Omit<Answered, 'text'>): void => {
    totals.allowed += allowed;
    totals.disallowed += disallowed;
    totals.failed += failed;
    progress.show(totals);
  };
  const writeTask = async (answer: PoolAnswer): Promise<void> => {
    count(answer);
    for (const text of answer.text) await write(text);
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
      bytes += block?.length ?? maxLineBytes;
      progress.read(bytes);
      if (bytes > INLINE_BYTES) pool ??= new LinePool(job, writeTask);
      if (pool === undefined) {
        const answered = answerer.answer(block);
        count(answered);
        await write(answered.text);
      } else await pool.add(block);
    }
  } catch (error) {
    // Destroying the input ends the loop with an error.
    if (!totals.isStopped) throw isFileError(error) ? unreadable(error) : error;
  } finally {
    process.removeListener('SIGINT', stop);
    await pool?.finish();
    progress.finish();
  }
  return totals;
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'read';
}

function unreadable(cause: unknown): CommandError {
  return new CommandError(`cannot read the input: ${describeFileError(cause)}`, { cause });
}

type OwnBlock = Uint8Array<ArrayBuffer> | undefined;

/** Threads that answer blocks of lines, each as soon as one is free. */
class LinePool {
  readonly #write: (answer: PoolAnswer) => Promise<void>;
  readonly #workers: Worker[];
  readonly #idle: Worker[] = [];
  readonly #waiting: OwnBlock[] = [];
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
  async add(block: OwnBlock): Promise<void> {
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
      const blocks = this.#takeWaiting();
      const task: PoolTask = { number: this.#tasks++, blocks };
      const memory = blocks.flatMap((block) => (block === undefined ? [] : [block.buffer]));
      this.#idle.pop()?.postMessage(task, memory);
      this.#wake();
    }
  }

  /** The blocks that wait, up to the size of a task, each with memory of its own. */
  #takeWaiting(): PoolTask['blocks'] {
    const taken: OwnBlock[] = [];
    for (let bytes = 0; this.#waiting.length > 0 && bytes < TASK_BYTES; ) {
      const block = this.#waiting.shift();
      taken.push(block && (block.length < SHARED_BYTES ? new Uint8Array(block) : block));
      bytes += block?.length ?? 0;
    }
    this.#waitingBytes -= taken.reduce((sum, block) => sum + (block?.length ?? 0), 0);
    return taken;
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
