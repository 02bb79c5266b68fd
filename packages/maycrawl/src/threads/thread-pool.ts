// Threads for work that may take seconds or never end: a thread is ended when the signal of its task aborts, and another one takes
// its place. An endless loop, a regular expression that backtracks for hours and a heap that grows without bound end with it.
import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';

/** Memory of a thread in MiB: far more than the largest file takes. */
const MEGABYTES = 1024;
/** A thread without work ends after this time, in milliseconds. */
const IDLE_TIME = 60_000;

export interface ThreadPoolOptions {
  /** A module as it is built that exports `examine`, a function of the task. */
  readonly file: URL;
  /** The largest number of threads. */
  readonly threads: number;
  /** Receives the failures of threads that belong to no task. */
  readonly onError: (error: unknown) => void;
  /** The heap of a thread in MiB. @defaultValue 1024 */
  readonly megabytes?: number;
  /** The part of the heap for new objects, in MiB. A small one is collected more often. @defaultValue that of Node.js */
  readonly newMegabytes?: number;
  /** Tasks that a thread receives before it ends the first, so that it has the next one immediately. @defaultValue 1 */
  readonly tasksPerThread?: number;
  /** Whether tasks without a signal start in their order. @defaultValue `false` */
  readonly keepsOrder?: boolean;
  /** What the module reads as `workerData` of piscina. */
  readonly workerData?: unknown;
}

/** Threads that start when they are needed. */
export class ThreadPool<Task, Result> {
  readonly #pool: Piscina;

  constructor({ file, threads, onError, workerData, ...options }: ThreadPoolOptions) {
    const { megabytes = MEGABYTES, newMegabytes, tasksPerThread = 1, keepsOrder = false } = options;
    this.#pool = new Piscina({
      filename: file.href,
      name: 'examine',
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_TIME,
      // Options of this process are not for threads that work on published files.
      execArgv: [],
      ...(workerData !== undefined && { workerData }),
      concurrentTasksPerWorker: tasksPerThread,
      stricterFIFO: keepsOrder,
      resourceLimits: {
        maxOldGenerationSizeMb: megabytes,
        ...(newMegabytes !== undefined && { maxYoungGenerationSizeMb: newMegabytes }),
      },
    });
    this.#pool.on('error', onError);
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.#pool.queueSize;
  }

  /**
   * Runs a task in a thread.
   *
   * @param signal - its abort ends the thread. A task without a signal runs to its end.
   * @param moved - parts of the task that move to the thread, such as message ports and buffers. @defaultValue none: it gets copies
   * @throws the signal's reason if it is aborted.
   * @throws what the task throws.
   */
  async run(task: Task, signal?: AbortSignal, moved: readonly Transferable[] = []): Promise<Result> {
    try {
      const options = { ...(signal !== undefined && { signal }), transferList: [...moved] };
      return (await this.#pool.run(task, options)) as Result;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
