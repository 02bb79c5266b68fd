/**
 * Threads for work that may take seconds, so that nobody else waits for it.
 *
 * @module
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ThreadPool } from '../threads/thread-pool.ts';
import { Problem } from './problems.ts';

/** Threads of one kind. */
const THREADS = 2;

/** Does a task in a thread. @throws {Problem} if too many wait. @throws the signal's reason if the caller gives up. */
export type Examine<T> = (task: T, signal: AbortSignal) => Promise<string>;

/**
 * Threads that start when they are needed, and end with the service.
 *
 * @param file - a module that exports `examine`, as it is built.
 * @param queue - tasks that wait for a thread before clients are told to come again.
 */
export function makeThreads<T>(app: FastifyInstance, log: Logger, file: URL, queue: number): Examine<T> {
  const onError = (error: unknown): void => log.error({ err: error }, 'a thread has failed');
  const pool = new ThreadPool<T, string>({ file, threads: THREADS, onError });
  app.addHook('onClose', () => pool.close());
  return async (task, signal) => {
    if (pool.waiting >= queue)
      throw new Problem('overloaded', `${queue} questions wait already`, { 'retry-after': '5' });
    return pool.run(task, signal);
  };
}
