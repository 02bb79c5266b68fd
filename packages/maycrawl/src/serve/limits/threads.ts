// Threads for tasks that may take seconds, so that the event loop stays free. A task that takes too long is terminated together
// with its thread.
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { runWithin, TaskLimitError } from '../../threads/run-within.ts';
import { ThreadPool } from '../../threads/thread-pool.ts';
import { Problem } from '../http/problems.ts';
import { FairQueue } from './fair-queue.ts';
import type { Limits } from './limits.ts';
import type { Work } from './work.ts';

/** Threads of one kind. */
const THREADS = 2;

/**
 * Runs a task in a thread.
 *
 * @param size - of the task, in any unit: the smallest task of a client runs first.
 * @throws {Problem} if too many tasks wait, or if the task takes too much time or memory.
 * @throws the reason of the work's signal when it aborts.
 */
export type RunInThread<T, Result = string> = (task: T, size: number, work: Work) => Promise<Result>;

/**
 * Creates threads, which start on demand and end with the service.
 *
 * @param file - a built module that exports `examine`, a function of the task.
 * @param limit - waiting tasks of all clients. @defaultValue `limits.tasks`
 */
export function createThreads<T, Result = string>(
  app: FastifyInstance,
  { limits, log }: { readonly limits: Limits; readonly log: Logger },
  file: URL,
  limit: number = limits.tasks,
): RunInThread<T, Result> {
  const onError = (error: unknown): void => log.error({ err: error }, 'worker thread failed');
  const pool = new ThreadPool<T, Result>({ file, threads: THREADS, onError });
  // One client does not occupy all threads: a task may take seconds.
  const queue = new FairQueue({ places: THREADS, clientPlaces: THREADS, limit });
  app.addHook('onClose', () => pool.close());

  const runTask = async (task: T, { signal }: Work): Promise<Result> => {
    try {
      return await runWithin(pool, task, signal, limits.threadTime);
    } catch (error) {
      if (error instanceof TaskLimitError) throw new Problem('too-much-work', error.message);
      throw error;
    }
  };
  return (task, size, work) => queue.run(work.client, work.signal, () => runTask(task, work), size);
}
