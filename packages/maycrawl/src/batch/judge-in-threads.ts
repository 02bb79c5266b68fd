// Judges tasks in a thread for each processor. The results have the order of the tasks.
import { availableParallelism } from 'node:os';
import { move } from 'piscina';
import type { Block } from '../lines/line-reader.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { Job } from './job.ts';
import type { LineTask } from './line-worker.ts';
import type { ResultLines } from './result-lines.ts';

/** Tasks for each thread that run or wait, or whose results wait for those of earlier tasks. */
const TASKS_PER_THREAD = 4;
/** Tasks that a thread has received, so that a thread that ends one has the next. */
const RECEIVED_TASKS = 2;

/** Judges tasks. Each result is yielded as soon as all earlier ones are, also while the next task is not there yet. */
export async function* judgeInThreads(
  tasks: AsyncGenerator<Block, undefined>,
  job: Job,
): AsyncGenerator<ResultLines> {
  const threads = availableParallelism();
  let failure: unknown;
  const pool = new ThreadPool<LineTask, ResultLines>({
    file: new URL('./line-worker.js', import.meta.url),
    threads,
    workerData: job,
    tasksPerThread: RECEIVED_TASKS,
    onError: (error) => {
      failure ??= error;
    },
  });
  const running: Promise<ResultLines>[] = [];
  let next: Promise<IteratorResult<Block, undefined>> | undefined;
  let isEnded = false;
  try {
    for (;;) {
      if (!isEnded && running.length < threads * TASKS_PER_THREAD) {
        next ??= tasks.next();
        const [first] = running;
        // The first result may be there long before the next lines, if a program writes them.
        const isRead = await (first === undefined
          ? next.then(() => true)
          : Promise.race([next.then(() => true), first.then(() => false)]));
        if (isRead) {
          const { value: block, done } = await next;
          next = undefined;
          if (done) isEnded = true;
          else running.push(runTask(pool, block));
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
function runTask(pool: ThreadPool<LineTask, ResultLines>, block: Block): Promise<ResultLines> {
  // A copy, because the block is a part of a larger buffer. Its memory moves to the thread.
  const task = block && (move(new Uint8Array(block).buffer) as unknown as ArrayBuffer);
  const result = pool.run(task);
  result.catch(() => {});
  return result;
}
