// Reads blocks of lines: the first of a log in this thread, further ones in threads. The results have the order of the lines.
import { availableParallelism } from 'node:os';
import { mapInThreads } from '../../threads/map-in-threads.ts';
import { BlockReader, type BlockReaderOptions, type BlockResult, type BlockTask } from './block-reader.ts';

/** Bytes that this thread reads, before threads read the rest: threads need about this time to start and to compile the code. */
const INLINE_BYTES = 32 * 1024 * 1024;

/** The part of a thread's heap for new objects, in MiB: more than the requests of a block, which are copied when it ends. */
const NEW_MEGABYTES = 6;

/** Reads blocks. @param threads - @defaultValue the number of processors */
export async function* readBlockResults(
  tasks: AsyncGenerator<BlockTask, undefined>,
  options: BlockReaderOptions,
  threads: number = availableParallelism(),
): AsyncGenerator<BlockResult> {
  const reader = new BlockReader(options);
  let bytes = 0;
  while (bytes <= INLINE_BYTES || threads === 1) {
    const { value: task, done } = await tasks.next();
    if (done) return;
    bytes += task.bytes.length;
    yield reader.read(task);
  }
  yield* mapInThreads<BlockTask, BlockResult>(copyBlocks(tasks), {
    file: new URL('./log-worker.js', import.meta.url),
    threads,
    newMegabytes: NEW_MEGABYTES,
    listMoved: ({ bytes }) => [bytes.buffer as ArrayBuffer],
    workerData: options,
  });
}

/** Copies blocks, which are parts of larger buffers. The memory of a copy moves to the thread. */
async function* copyBlocks(
  tasks: AsyncGenerator<BlockTask, undefined>,
): AsyncGenerator<BlockTask, undefined> {
  for await (const task of tasks) yield { ...task, bytes: new Uint8Array(task.bytes) };
}
