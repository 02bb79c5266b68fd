/**
 * Threads for work that may take seconds, so that nobody else waits for it.
 *
 * @module
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import { Problem } from './problems.ts';

/** Threads of one kind. */
const THREADS = 2;
/** Memory of a thread: far more than the largest file takes. */
const MEGABYTES = 1024;

/** Does a task in a thread. @throws {Problem} if too many wait. @throws the signal's reason if the caller gives up. */
export type Examine<T> = (task: T, signal: AbortSignal) => Promise<string>;

/**
 * Threads that start when they are needed, and end with the service.
 *
 * @param file - a module that exports `examine`, as it is built.
 * @param queue - tasks that wait for a thread before clients are told to come again.
 */
export function makeThreads<T>(app: FastifyInstance, log: Logger, file: URL, queue: number): Examine<T> {
  const pool = new Piscina({
    filename: file.href,
    name: 'examine',
    minThreads: 0,
    maxThreads: THREADS,
    maxQueue: queue,
    idleTimeout: 60_000,
    // Options of this process are not for threads that run published files.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  pool.on('error', (error: unknown) => log.error({ err: error }, 'a thread has failed'));
  app.addHook('onClose', async () => pool.destroy());
  return async (task, signal) => {
    if (pool.queueSize >= queue)
      throw new Problem('overloaded', `${queue} questions wait already`, { 'retry-after': '5' });
    return pool.run(task, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  };
}
