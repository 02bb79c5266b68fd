// Tasks in threads that have a deadline.
import { formatDuration } from '../text/durations.ts';
import type { ThreadPool } from './thread-pool.ts';

/** A task exceeded what one task may use. Its thread was ended. */
export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError';
  readonly code: 'timeout' | 'out-of-memory';

  constructor(code: TaskLimitError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Runs a task in a thread for a limited time.
 *
 * @param time - milliseconds, also those that the task waits for a thread.
 * @throws {TaskLimitError} if the task takes too long, or needs more memory than a thread has.
 * @throws the signal's reason if it is aborted.
 * @throws what the task throws.
 */
export async function runWithin<Task, Result>(
  pool: ThreadPool<Task, Result>,
  task: Task,
  signal: AbortSignal,
  time: number,
): Promise<Result> {
  const late = AbortSignal.timeout(time);
  try {
    // The abort of a running task terminates its thread.
    return await pool.run(task, AbortSignal.any([signal, late]));
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted)
      throw new TaskLimitError('timeout', `the task took longer than ${formatDuration(time)}`, {
        cause: error,
      });
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new TaskLimitError('out-of-memory', 'the task needs more memory than a thread has', {
        cause: error,
      });
    throw error;
  }
}
