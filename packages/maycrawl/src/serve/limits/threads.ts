/**
 * Threads for work that may take seconds, so that the event loop goes on. A task that takes too long ends together with its thread.
 *
 * @module
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ThreadPool } from '../../threads/thread-pool.ts';
import { Problem } from '../http/problems.ts';
import { FairQueue, type FairQueueOptions } from './fair-queue.ts';
import type { Limits } from './limits.ts';
import type { Work } from './work.ts';

/** Threads of one kind. */
const THREADS = 2;

/**
 * Runs a task in a thread.
 *
 * @param size - of the task, in bytes: of the tasks of one client the smallest is the next.
 * @throws {Problem} if too many tasks wait, or if this one takes too long or too much memory.
 * @throws the reason of the work's signal when it aborts.
 */
export type RunInThread<T, Result = string> = (task: T, size: number, work: Work) => Promise<Result>;

/**
 * Makes threads that start when they are needed, and end with the service.
 *
 * @param file - a module that exports `examine`, as it is built.
 * @param waiting - how many tasks may wait.
 */
export function makeThreads<T, Result = string>(
  app: FastifyInstance,
  { limits, log }: { readonly limits: Limits; readonly log: Logger },
  file: URL,
  waiting: Omit<FairQueueOptions, 'places'> = { limit: limits.tasks, isShared: true },
): RunInThread<T, Result> {
  const onError = (error: unknown): void => log.error({ err: error }, 'a thread has failed');
  const pool = new ThreadPool<T, Result>({ file, threads: THREADS, onError });
  const queue = new FairQueue({ places: THREADS, ...waiting });
  app.addHook('onClose', () => pool.close());

  const runNow = async (task: T, { signal }: Work): Promise<Result> => {
    const seconds = limits.threadTime / 1000;
    const controller = new AbortController();
    const end = (): void => controller.abort(signal.reason);
    const timer = setTimeout(
      () =>
        controller.abort(new Problem('too-much-work', `it was not done in ${seconds} seconds of a thread`)),
      limits.threadTime,
    );
    signal.addEventListener('abort', end, { once: true });
    try {
      // Aborting a task that runs ends its thread.
      return await pool.run(task, controller.signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new Problem('too-much-work', 'it needs more memory than a thread has');
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  };
  return (task, size, work) => queue.run(work.client, size, work.signal, () => runNow(task, work));
}
