/**
 * Judges many lines: the first in this thread, further ones in a thread for each processor. The results have the order of the lines.
 *
 * @module
 */
import { availableParallelism } from 'node:os';
import { addAbortSignal, Readable } from 'node:stream';
import { type Block, readBlocks } from '../lines/line-reader.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import { createLineJudge, getMaxLineBytes, getTaskBytes, type Job } from './job.ts';
import type { LineTask } from './line-worker.ts';
import { type ResultLines, toResultLines } from './result-lines.ts';

/** Number of bytes that this thread judges. Fewer are not worth starting threads. */
const INLINE_BYTES = 1024 * 1024;
/** Tasks for each thread that run or wait, or whose results wait for those of earlier tasks. */
const TASKS_PER_THREAD = 4;
/** Tasks that a thread has received, so that a thread that ends one has the next. */
const RECEIVED_TASKS = 2;
/** The heap for new objects in MiB. Results leave it soon, and a larger one would only be filled before it is collected. */
const NEW_MEGABYTES = 6;

/** How lines are read. */
export interface ReadingOptions {
  /** Its abort ends the reading of the input. What has been read is judged still. */
  readonly signal?: AbortSignal;
  /** Receives the number of bytes that have been read. */
  readonly onRead?: (bytes: number) => void;
}

/**
 * Judges all lines of a stream. What has come in is judged before more is waited for. Memory does not grow with the input, and the input
 * is read as fast as the caller takes the results.
 *
 * @throws what the input throws.
 */
export async function* judgeJob(
  input: AsyncIterable<Uint8Array>,
  job: Job,
  { signal, onRead }: ReadingOptions = {},
): AsyncGenerator<ResultLines> {
  const stream = input instanceof Readable ? input : Readable.from(input, { objectMode: false });
  if (signal !== undefined) addAbortSignal(signal, stream);
  const maxBytes = getMaxLineBytes(job);
  let bytes = 0;
  const blocks = endAtAbort(readBlocks(stream, maxBytes), signal);
  const judge = createLineJudge(job);
  while (bytes <= INLINE_BYTES) {
    const { value: block, done } = await blocks.next();
    if (done) return;
    bytes += block?.length ?? maxBytes;
    onRead?.(bytes);
    for (const piece of judge.judge(block)) if (piece.text !== '') yield toResultLines(piece);
  }
  const count = (block: Block): void => {
    bytes += block?.length ?? maxBytes;
    onRead?.(bytes);
  };
  yield* judgeInThreads(cutTasks(blocks, job, count), job);
}

/** Passes blocks on until the input ends, or the signal ends it. */
async function* endAtAbort(
  blocks: AsyncIterable<Block>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Block, undefined> {
  try {
    yield* blocks;
  } catch (error) {
    // The signal destroys the stream, which then throws.
    if (!signal?.aborted) throw error;
  }
}

/** Cuts blocks at line ends into tasks. */
async function* cutTasks(
  blocks: AsyncIterable<Block>,
  job: Job,
  count: (block: Block) => void,
): AsyncGenerator<Block, undefined> {
  const size = getTaskBytes(job);
  for await (const block of blocks) {
    count(block);
    if (block === undefined) yield undefined;
    for (let start = 0; block !== undefined && start < block.length; ) {
      let end = block.length;
      if (end - start > size) {
        const before = block.lastIndexOf('\n', start + size);
        const lineEnd = before >= start ? before : block.indexOf('\n', start + size);
        if (lineEnd >= 0) end = lineEnd + 1;
      }
      yield block.subarray(start, end);
      start = end;
    }
  }
}

async function* judgeInThreads(
  tasks: AsyncGenerator<Block, undefined>,
  job: Job,
): AsyncGenerator<ResultLines> {
  const threads = availableParallelism();
  let failure: unknown;
  const pool = new ThreadPool<LineTask, ResultLines>({
    file: new URL('./line-worker.js', import.meta.url),
    threads,
    workerData: job,
    newMegabytes: NEW_MEGABYTES,
    tasksPerThread: RECEIVED_TASKS,
    onError: (error) => {
      failure ??= error;
    },
  });
  const running: Promise<ResultLines>[] = [];
  let next: Promise<IteratorResult<Block, undefined>> | undefined;
  const memory = new TaskMemory(getTaskBytes(job));
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
          else running.push(runTask(pool, memory, block));
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
function runTask(
  pool: ThreadPool<LineTask, ResultLines>,
  memory: TaskMemory,
  block: Block,
): Promise<ResultLines> {
  const task = block && memory.copy(block);
  const result = pool.run(task).finally(() => task && memory.release(task));
  result.catch(() => {});
  return result;
}

/** Memory that threads share with this one, used again for later tasks. Messages with copies would wait for the garbage collection. */
class TaskMemory {
  readonly #size: number;
  readonly #free: SharedArrayBuffer[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Copies the lines of a task. */
  copy(block: Buffer): Uint8Array {
    const { length } = block;
    const free = length > this.#size ? undefined : this.#free.pop();
    const task = new Uint8Array(free ?? new SharedArrayBuffer(Math.max(length, this.#size)), 0, length);
    task.set(block);
    return task;
  }

  /** Frees the memory of a task that has ended, unless the task was larger than usual. */
  release({ buffer }: Uint8Array): void {
    if (buffer.byteLength === this.#size) this.#free.push(buffer as SharedArrayBuffer);
  }
}
