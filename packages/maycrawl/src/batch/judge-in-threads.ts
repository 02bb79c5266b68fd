// Judges tasks in a thread for each processor. The results have the order of the tasks.
import { availableParallelism } from 'node:os';
import type { Block } from '../lines/line-reader.ts';
import { mapInThreads } from '../threads/map-in-threads.ts';
import type { Job } from './job.ts';
import type { LineTask } from './line-worker.ts';
import type { ResultLines } from './result-lines.ts';

/** Judges tasks. Each result is yielded as soon as all earlier ones are, also while the next task is not there yet. */
export function judgeInThreads(
  blocks: AsyncGenerator<Block, undefined>,
  job: Job,
): AsyncGenerator<ResultLines> {
  return mapInThreads<LineTask, ResultLines>(toTasks(blocks), {
    file: new URL('./line-worker.js', import.meta.url),
    threads: availableParallelism(),
    workerData: job,
    listMoved: (block) => (block === undefined ? [] : [block]),
  });
}

/** Copies blocks, which are parts of larger buffers. The memory of a copy moves to the thread. */
async function* toTasks(blocks: AsyncGenerator<Block, undefined>): AsyncGenerator<LineTask, undefined> {
  for await (const block of blocks) yield block && new Uint8Array(block).buffer;
}
