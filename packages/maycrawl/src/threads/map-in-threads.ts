// Maps tasks to results in threads. The results have the order of the tasks.
import type { Transferable } from 'node:worker_threads';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

/** Tasks for each thread that run or wait, or whose results wait for those of earlier tasks. */
const TASKS_PER_THREAD = 4;
/** Tasks that a thread has received, so that a thread that ends one has the next. */
const RECEIVED_TASKS = 2;

/**
 * Runs a module in threads on each task. Each result is yielded as soon as all earlier ones are, also while the next task is not there yet.
 *
 * @throws what the tasks throw, or the iterator of the tasks.
 */
export async function* mapInThreads<Task, Result>(
  tasks: AsyncGenerator<Task, undefined>,
  {
    listMoved,
    ...options
  }: Pick<ThreadPoolOptions, 'file' | 'threads' | 'newMegabytes' | 'workerData'> & {
    /** Lists the parts of a task that move to the thread. @defaultValue the thread gets a copy */
    readonly listMoved?: (task: Task) => readonly Transferable[];
  },
): AsyncGenerator<Result> {
  let failure: unknown;
  const pool = new ThreadPool<Task, Result>({
    ...options,
    tasksPerThread: RECEIVED_TASKS,
    onError: (error) => {
      failure ??= error;
    },
  });
  const running: Promise<Result>[] = [];
  let next: Promise<IteratorResult<Task, undefined>> | undefined;
  let isEnded = false;
  try {
    for (;;) {
      if (!isEnded && running.length < options.threads * TASKS_PER_THREAD) {
        next ??= tasks.next();
        const [first] = running;
        // The first result may be there long before the next task, if a program writes the input.
        const isRead = await (first === undefined
          ? next.then(() => true)
          : Promise.race([next.then(() => true), first.then(() => false)]));
        if (isRead) {
          const { value: task, done } = await next;
          next = undefined;
          if (done) isEnded = true;
          else running.push(runTask(pool, task, listMoved?.(task)));
          continue;
        }
      }
      const first = running.shift();
      if (first === undefined) return;
      yield await first;
      if (failure !== undefined) throw failure;
    }
  } finally {
    await pool.close();
    await tasks.return(undefined);
  }
}

/** Runs a task. Its failure is thrown when its turn comes, which may be never. */
function runTask<Task, Result>(
  pool: ThreadPool<Task, Result>,
  task: Task,
  moved: readonly Transferable[] | undefined,
): Promise<Result> {
  const result = pool.run(task, undefined, moved);
  result.catch(() => {});
  return result;
}
