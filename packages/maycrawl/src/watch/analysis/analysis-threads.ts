// Analyses in threads, under a deadline: an analysis that takes too long is ended, and the worker continues with other sites.
import { ThreadPool } from '../../threads/thread-pool.ts';
import type { AnalysisTask } from './analysis.ts';
import type { Impact } from './impact/impact-types.ts';

/** An analysis has no result. */
export class AnalysisError extends Error {
  override readonly name = 'AnalysisError';
  readonly code: 'deadline' | 'failed';

  constructor(code: AnalysisError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

interface AnalysisRun {
  /** Ends the analysis when the worker stops. */
  readonly signal: AbortSignal;
  /** Whether it runs without any other analysis in this process, so that it is known which one ends the process. */
  readonly isAlone: boolean;
  /** Called when a thread is free, before the analysis starts. The analysis does not start if this throws. */
  readonly onStart: () => Promise<void>;
}

/**
 * Runs an analysis.
 *
 * @throws {AnalysisError} if it was ended, or failed.
 * @throws the signal's reason if that is aborted; what `onStart` throws.
 */
export type Analyse = (task: AnalysisTask, run: AnalysisRun) => Promise<Impact | undefined>;

export interface AnalysisOptions {
  /** Milliseconds for one analysis, the start of its thread included. @defaultValue 30,000 */
  readonly deadline?: number;
  /** The largest number of threads. @defaultValue 2 */
  readonly threads?: number;
  /** The heap of a thread in MiB. @defaultValue 512 */
  readonly megabytes?: number;
  /** Another module that exports `examine`. */
  readonly file?: URL;
  /** Receives the failures of threads that belong to no analysis. */
  readonly onError: (error: unknown) => void;
}

/** The longest time of an analysis, in milliseconds: proofs have budgets that end long before. */
const ANALYSIS_DEADLINE = 30_000;

/** Threads for analyses, which the caller closes. */
export function createAnalysisThreads({
  deadline = ANALYSIS_DEADLINE,
  threads = 2,
  megabytes = 512,
  file = new URL('./analysis.js', import.meta.url),
  onError,
}: AnalysisOptions): { readonly analyse: Analyse; readonly close: () => Promise<void> } {
  const pool = new ThreadPool<AnalysisTask, Impact | undefined>({ file, threads, megabytes, onError });
  const slots = new Slots(threads);
  const analyse: Analyse = async (task, { signal, isAlone, onStart }) => {
    const count = isAlone ? threads : 1;
    await slots.take(count);
    try {
      signal.throwIfAborted();
      await onStart();
      const ended = AbortSignal.timeout(deadline);
      try {
        return await pool.run(task, AbortSignal.any([signal, ended]));
      } catch (error) {
        signal.throwIfAborted();
        throw ended.aborted ? createDeadlineError(deadline, error) : createFailure(error);
      }
    } finally {
      slots.give(count);
    }
  };
  return { analyse, close: () => pool.close() };
}

function createDeadlineError(deadline: number, cause: unknown): AnalysisError {
  return new AnalysisError('deadline', `the analysis was ended after ${deadline / 1_000} s`, { cause });
}

function createFailure(cause: unknown): AnalysisError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AnalysisError('failed', `the analysis failed: ${reason}`, { cause });
}

/**
 * A counting semaphore, first come, first served. The deadline of an analysis starts when a thread is free for it: time in a queue is
 * not the fault of the site.
 */
class Slots {
  #free: number;
  readonly #waiting: { readonly count: number; readonly start: () => void }[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ count, start: resolve });
      this.#startNext();
    });
  }

  give(count: number): void {
    this.#free += count;
    this.#startNext();
  }

  #startNext(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.count <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.start();
    }
  }
}
