// Reads a file in chunks that share one buffer: new memory for each chunk takes longer than reading it.
import { type FileHandle, open } from 'node:fs/promises';

/** The part of a file to read. */
export interface FileRange {
  /** @defaultValue where the file was read to, for files without positions, such as pipes */
  readonly from?: number;
  /** @defaultValue the end of the file */
  readonly to?: number;
  readonly signal?: AbortSignal;
}

const CHUNK_BYTES = 128 * 1024;

/** Reads an open file. A chunk is valid until the next one is requested. @throws the error of the system, or the reason of the signal. */
export async function* readChunks(
  handle: FileHandle,
  { from, to = Number.POSITIVE_INFINITY, signal }: FileRange = {},
): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let bytes = 0, start = from ?? 0; start + bytes < to; ) {
    signal?.throwIfAborted();
    const length = Math.min(CHUNK_BYTES, to - start - bytes);
    const { bytesRead } = await handle.read(buffer, 0, length, from === undefined ? null : from + bytes);
    if (bytesRead === 0) return;
    bytes += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Opens a file, and reads it, as {@link readChunks} does. */
export async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    yield* readChunks(handle);
  } finally {
    await handle.close();
  }
}
