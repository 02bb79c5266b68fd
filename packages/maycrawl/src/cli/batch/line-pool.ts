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
import { readBlocks } from '../../lines/line-reader.ts';
import { CommandError, describeFileError } from '../output/errors.ts';
import type { Counts, Progress } from '../output/progress.ts';
import { type Job, makeAnswerer } from './line-answerer.ts';

/** Up to here other threads would take longer to start than to work. */
const INLINE_BYTES = 4 * 1024 * 1024;
/** A thread gets about so much at a time, if so much has come in. */
const TASK_BYTES = 512 * 1024;
/** Smaller blocks may share their memory with others (Node's pool for buffers), and are copied. */
const SHARED_BYTES = 32 * 1024;
/** So much may wait for a thread before no more is read. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** When so many bytes of a thread's answers are written, it is told so. It must be less than the thread waits for. */
const RECEIPT_BYTES = 512 * 1024;

/** Lines for a thread, with their number in the order of all tasks; `undefined` stands for a line that was too long. */
export interface PoolTask {
  readonly number: number;
  readonly blocks: readonly OwnBlock[];
}

/** A part of their answers. */
export interface PoolAnswer extends Counts {
  readonly number: number;
  readonly text: Uint8Array;
  readonly isLast: boolean;
}

/** Tells a thread that so many bytes of its answers are written. */
export interface PoolReceipt {
  readonly writtenBytes: number;
}

/** How lines were answered, and whether the user stopped it before the end. */
export interface Totals extends Counts {
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
  const hand = async (piece: PieceOfText): Promise<void> => {
    totals.allowed += piece.allowed;
    totals.disallowed += piece.disallowed;
    totals.failed += piece.failed;
    progress.show(totals);
    await write(piece.text);
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
      if (bytes > INLINE_BYTES) pool ??= new LinePool(job, hand);
      if (pool === undefined) {
        for (const piece of answerer.answer(block)) await hand(piece);
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

type PieceOfText = Counts & { readonly text: string | Uint8Array };

type OwnBlock = Uint8Array<ArrayBuffer> | undefined;

/** Threads that answer blocks of lines, each as soon as one is free. */
class LinePool {
  readonly #write: (piece: PoolAnswer) => Promise<void>;
  readonly #workers: Worker[];
  readonly #idle: Worker[] = [];
  readonly #waiting: OwnBlock[] = [];
  #waitingBytes = 0;
  /** Answers that wait for their turn, by the number of their task, and the thread that has made them. */
  readonly #answers: Map<number, { readonly worker: Worker; readonly pieces: PoolAnswer[] }> = new Map();
  /** How much of each thread's answers is written that it has not been told of. */
  readonly #untold: Map<Worker, number> = new Map();
  #tasks = 0;
  #written = 0;
  #isWriting = false;
  #failure: unknown;
  /** Lets whoever waits look again. */
  #wake: () => void = () => {};

  constructor(job: Job, write: (piece: PoolAnswer) => Promise<void>) {
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
      const task = this.#answers.get(answer.number) ?? { worker, pieces: [] };
      task.pieces.push(answer);
      this.#answers.set(answer.number, task);
      if (answer.isLast) {
        this.#idle.push(worker);
        this.#handOut();
      }
      void this.#writeInOrder();
    });
    worker.on('error', (error) => this.#fail(error));
    return worker;
  }

  #handOut(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
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
      for (let task = this.#answers.get(this.#written); task; task = this.#answers.get(this.#written)) {
        const piece = task.pieces.shift();
        if (piece === undefined) break;
        await this.#write(piece);
        this.#acknowledge(task.worker, piece.text.length);
        if (!piece.isLast) continue;
        this.#answers.delete(this.#written++);
        this.#wake();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Tells a thread how much of its answers is written, now and then. */
  #acknowledge(worker: Worker, bytes: number): void {
    const writtenBytes = (this.#untold.get(worker) ?? 0) + bytes;
    this.#untold.set(worker, writtenBytes < RECEIPT_BYTES ? writtenBytes : 0);
    if (writtenBytes < RECEIPT_BYTES) return;
    const receipt: PoolReceipt = { writtenBytes };
    worker.postMessage(receipt);
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
