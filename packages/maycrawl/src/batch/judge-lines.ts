/**
 * Judges many lines: the first in this thread, further ones in a thread for each processor. The results have the order of the lines.
 *
 * @module
 */
import { availableParallelism } from 'node:os';
import { addAbortSignal, Readable } from 'node:stream';
import { type Block, readBlocks } from '../lines/line-reader.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import { countResults, createJudge, getMaxLineBytes, type Job } from './job.ts';
import type { LineTask } from './line-worker.ts';
import { type ResultLines, toResultLines } from './result-lines.ts';

/** Number of bytes that this thread judges. Fewer are not worth starting threads. */
const INLINE_BYTES = 4 * 1024 * 1024;
/**
 * Bytes of lines in the task of a thread where each line has one result. A result can be a hundred times as long as its line, so that the
 * results of a task have some MiB at most.
 */
const TASK_BYTES = 128 * 1024;
/** The smallest task, in bytes. */
const MIN_TASK_BYTES = 4 * 1024;
/** Tasks for each thread that run or wait, so that a thread that ends one has the next. */
const TASKS_PER_THREAD = 2;

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
  const judge = createJudge(job);
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

/** Cuts blocks at line ends into tasks, each with memory of its own. */
async function* cutTasks(
  blocks: AsyncIterable<Block>,
  job: Job,
  count: (block: Block) => void,
): AsyncGenerator<LineTask, undefined> {
  const size = Math.max(MIN_TASK_BYTES, Math.floor(TASK_BYTES / countResults(job)));
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
      yield new Uint8Array(block.subarray(start, end));
      start = end;
    }
  }
}

async function* judgeInThreads(
  tasks: AsyncGenerator<LineTask, undefined>,
  job: Job,
): AsyncGenerator<ResultLines> {
  const threads = availableParallelism();
  let failure: unknown;
  const pool = new ThreadPool<LineTask, ResultLines>({
    file: new URL('./line-worker.js', import.meta.url),
    threads,
    workerData: job,
    onError: (error) => {
      failure ??= error;
    },
  });
  const running: Promise<ResultLines>[] = [];
  let next: Promise<IteratorResult<LineTask, undefined>> | undefined;
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
          const { value: task, done } = await next;
          next = undefined;
          if (done) isEnded = true;
          else running.push(runIn(pool, task));
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
function runIn(pool: ThreadPool<LineTask, ResultLines>, task: LineTask): Promise<ResultLines> {
  const result = pool.run(task);
  result.catch(() => {});
  return result;
}
