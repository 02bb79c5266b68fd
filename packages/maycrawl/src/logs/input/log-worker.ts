// The thread that reads blocks of lines for read-blocks.ts.
import { workerData } from 'piscina';
import { BlockReader, type BlockReaderOptions, type BlockResult, type BlockTask } from './block-reader.ts';

const reader = new BlockReader(workerData as BlockReaderOptions);

/** Reads the lines of a task. */
export function examine(task: BlockTask): BlockResult {
  return reader.read(task);
}
