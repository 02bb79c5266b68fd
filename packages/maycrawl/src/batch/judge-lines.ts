// Judges many lines: the first in this thread, further ones in threads. The results have the order of the lines.
import { addAbortSignal, Readable } from 'node:stream';
import { type Block, readBlocks } from '../lines/line-reader.ts';
import { createLineJudge, getMaxLineBytes, getTaskBytes, type Job } from './job.ts';
import { type ResultLines, toResultLines } from './result-lines.ts';

/** Number of tasks that this thread judges, before threads judge the rest: threads need about this time to start and to compile the code. */
const INLINE_TASKS = 256;

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
  const tasks = cutTasks(endAtAbort(readBlocks(stream, maxBytes), signal), job, (block) => {
    bytes += block?.length ?? maxBytes;
    onRead?.(bytes);
  });
  const judge = createLineJudge(job);
  while (bytes <= INLINE_TASKS * getTaskBytes(job)) {
    const { value: block, done } = await tasks.next();
    if (done) return;
    for (const piece of judge.judge(block)) if (piece.text !== '') yield toResultLines(piece);
  }
  // Loading the library of threads takes longer than judging some thousand lines.
  const { judgeInThreads } = await import('./judge-in-threads.ts');
  yield* judgeInThreads(tasks, job);
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
