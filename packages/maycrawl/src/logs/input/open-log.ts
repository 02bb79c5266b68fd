// The bytes of a log, which can be compressed: gzip, also several members one after another, and Zstandard where Node.js has it (RFC 8878).
import { PassThrough, pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { LogError } from './log-error.ts';

/** Where a part of a file begins. */
export interface LogStart {
  /** The name of the format of the file. */
  readonly format: string;
  /** The header that applies (log-format.ts). */
  readonly header: string;
}

/** A log: a file, or standard input. */
export interface LogSource {
  /** The name in messages. */
  readonly name: string;
  /** Whether it can be opened again: files are opened for their first lines, and again when their time comes. */
  readonly canReopen: boolean;
  /** Opens the bytes as they are stored. A chunk is valid until the next one is requested. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** That of the rest of a file that was read to this point; its bytes are not compressed. @defaultValue it is a whole file */
  readonly start?: LogStart;
  /** Receives where further lines of the file would begin, after its last line. */
  readonly onEnd?: (end: LogStart) => void;
}

/** Bytes of a chunk of decompressed data. */
const CHUNK_BYTES = 512 * 1024;

/** Compressions by the first bytes of a file. */
const COMPRESSIONS: readonly {
  readonly magic: Uint8Array;
  readonly create: (() => Transform) | undefined;
}[] = [
  { magic: Buffer.from([0x1f, 0x8b]), create: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }) },
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), create: findZstd() },
];

/** Node.js has it from 22.15 on. */
function findZstd(): (() => Transform) | undefined {
  const { createZstdDecompress } = zlib as typeof zlib & { createZstdDecompress?: () => Transform };
  return createZstdDecompress;
}

/**
 * Reads a log, decompressed. A chunk is valid until the next one is requested.
 *
 * @throws {LogError} if it cannot be read or decompressed. What was read before is yielded.
 */
export async function* readBytes({ name, open, start: part }: LogSource): AsyncGenerator<Uint8Array> {
  const iterator = open()[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    if (first.done) return;
    const start = first.value;
    const compression = COMPRESSIONS.find(({ magic }) => magic.every((byte, index) => start[index] === byte));
    const bytes = prepend(start, iterator);
    if (part !== undefined || compression === undefined) yield* bytes;
    else if (compression.create === undefined)
      throw new LogError(
        'unsupported-compression',
        `cannot read ${name}: this Node.js does not decompress Zstandard`,
      );
    else yield* decompress(name, bytes, compression.create());
  } catch (cause) {
    if (cause instanceof LogError) throw cause;
    throw new LogError('unreadable', `cannot read ${name}: ${(cause as Error).message}`, cause);
  } finally {
    await iterator.return?.();
  }
}

async function* prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

async function* decompress(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  decompressor: Transform,
): AsyncGenerator<Uint8Array> {
  // The failure of a source is none of the decompressor.
  let sourceError: unknown;
  const source = Readable.from(copyChunks(bytes), { objectMode: false }).once('error', (error) => {
    sourceError = error;
  });
  const output = new PassThrough({ highWaterMark: CHUNK_BYTES });
  pipeline(source, decompressor, output, () => {});
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (sourceError !== undefined) throw sourceError;
    throw new LogError('damaged', `cannot read ${name}: its compressed data is damaged or cut off`, cause);
  } finally {
    source.destroy();
    decompressor.destroy();
  }
}

/** Copies chunks: a stream requests the next ones before it has used them. */
async function* copyChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield new Uint8Array(chunk);
}
