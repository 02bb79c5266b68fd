// A file of a log that is open while its new lines are read, and what is stored of it until the next reading.
//
// A file is the same as before if it has the same device and inode, and begins with the same bytes: inodes of deleted files are used again,
// and a log can be emptied in place. A copy, or a compressed file, is the same if it begins with the same bytes.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { readChunks } from '../../files/read-chunks.ts';
import { LogError } from '../../logs/input/log-error.ts';
import { type LogSource, type LogStart, readBytes } from '../../logs/input/open-log.ts';
import { isCompressedName } from './rotated-names.ts';

/** A file that was read. */
export interface TrackedFile {
  readonly dev: string;
  readonly ino: string;
  /** The bytes that were read, decompressed: all lines before it are whole. */
  readonly position: number;
  /** The first bytes of the file, of those that were read: their number, and their SHA-256 in hexadecimal. */
  readonly head: { readonly bytes: number; readonly hash: string };
  /** The format, and the header that applies at the position; `null` before the first line. */
  readonly start: LogStart | null;
}

/** Bytes of the start of a file that identify it. Lines of logs have times. */
const HEAD_BYTES = 1024;
/** Bytes of one step of the search for the last line end. */
const SEARCH_BYTES = 64 * 1024;
const LF = 0x0a;

/** An open file. */
export class LogFile {
  readonly path: string;
  readonly isCompressed: boolean;
  readonly dev: string;
  readonly ino: string;
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly changedAt: bigint;
  readonly #handle: FileHandle;
  readonly #signal: AbortSignal;
  #first: Buffer | undefined;
  #position = 0;
  #start: LogStart | null = null;

  private constructor(
    path: string,
    handle: FileHandle,
    stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint },
    signal: AbortSignal,
  ) {
    this.path = path;
    this.isCompressed = isCompressedName(path);
    this.dev = String(stats.dev);
    this.ino = String(stats.ino);
    this.size = Number(stats.size);
    this.changedAt = stats.mtimeNs;
    this.#handle = handle;
    this.#signal = signal;
  }

  /** Opens a file, which the caller closes. @param signal - its abort ends each read. @throws {LogError} if it is no file that can be read. */
  static async open(path: string, signal: AbortSignal): Promise<LogFile> {
    try {
      const handle = await open(path);
      try {
        const stats = await handle.stat({ bigint: true });
        if (!stats.isFile()) throw new Error('it is not a file');
        return new LogFile(path, handle, stats, signal);
      } catch (error) {
        await handle.close();
        throw error;
      }
    } catch (cause) {
      throw new LogError('unreadable', `cannot read ${path}: ${describeError(cause)}`, cause);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Whether it has the device and the inode of a tracked file. */
  hasInode({ dev, ino }: Pick<TrackedFile, 'dev' | 'ino'>): boolean {
    return this.dev === dev && this.ino === ino;
  }

  /** Whether it can be a tracked file, by its first bytes and its size. @throws {LogError} if it cannot be read. */
  async fits({ position, head }: TrackedFile): Promise<boolean> {
    if (!this.isCompressed && this.size < position) return false;
    const first = await this.#readFirst();
    return first.length >= head.bytes && hash(first.subarray(0, head.bytes)) === head.hash;
  }

  /**
   * Continues a tracked file, or begins a new one.
   *
   * @returns the new lines; `undefined` if there are none.
   * @throws {LogError} if the start of the file cannot be read.
   */
  async continue(tracked: TrackedFile | undefined): Promise<LogSource | undefined> {
    const { position = 0, start = null } = tracked ?? {};
    [this.#position, this.#start] = [position, start];
    // A compressed file that was read does not grow.
    if (this.isCompressed && tracked !== undefined && this.hasInode(tracked)) return undefined;
    const end = this.isCompressed ? Number.POSITIVE_INFINITY : await this.#findEnd(position);
    // Before the lines are read: the file can be emptied meanwhile.
    const first = await this.#readFirst();
    if (!this.isCompressed && first.length < Math.min(HEAD_BYTES, end)) throw this.#createShortenedError();
    if (end === position) return undefined;
    return {
      name: this.path,
      canReopen: true,
      open: () => (this.isCompressed ? this.#readCompressed(position) : this.#read(position, end)),
      ...(position > 0 && start !== null && { start }),
      onEnd: (each) => {
        this.#start = each;
      },
    };
  }

  /** Returns what is stored of it after its lines were read. */
  async track(): Promise<TrackedFile> {
    const first = (await this.#readFirst()).subarray(0, this.#position);
    return {
      ...{ dev: this.dev, ino: this.ino, position: this.#position, start: this.#start },
      head: { bytes: first.length, hash: hash(first) },
    };
  }

  /** Whether its bytes are the first ones of another file: that file is copied, and emptied then. */
  async isCopyOf(other: LogFile): Promise<boolean> {
    if (this.isCompressed || this.size === 0 || this.size > other.size) return false;
    const [first, otherFirst] = [await this.#readFirst(), await other.#readFirst()];
    if (!otherFirst.subarray(0, first.length).equals(first)) return false;
    const from = Math.max(0, this.size - HEAD_BYTES);
    const [last, otherLast] = [Buffer.alloc(HEAD_BYTES), Buffer.alloc(HEAD_BYTES)];
    await this.#handle.read(last, 0, this.size - from, from);
    await other.#handle.read(otherLast, 0, this.size - from, from);
    return last.equals(otherLast);
  }

  #createShortenedError(): LogError {
    return new LogError('unreadable', `cannot read ${this.path}: it was shortened while it was read`);
  }

  async #readFirst(): Promise<Buffer> {
    if (this.#first !== undefined) return this.#first;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const open = (): AsyncIterable<Uint8Array> => this.#readChunks(0, this.size);
    for await (const chunk of this.isCompressed ? readBytes(this.#toSource(open)) : open()) {
      chunks.push(new Uint8Array(chunk));
      bytes += chunk.length;
      if (bytes >= HEAD_BYTES) break;
    }
    // A copy: the chunks are larger.
    this.#first = Buffer.from(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
    return this.#first;
  }

  #readChunks(from: number, to: number): AsyncGenerator<Uint8Array> {
    return readChunks(this.#handle, { from, to, signal: this.#signal });
  }

  async *#read(from: number, to: number): AsyncGenerator<Uint8Array> {
    let position = from;
    for await (const chunk of this.#readChunks(from, to)) {
      position += chunk.length;
      this.#position = position;
      yield chunk;
    }
    if (position < to) throw this.#createShortenedError();
  }

  async *#readCompressed(from: number): AsyncGenerator<Uint8Array> {
    let position = 0;
    const source = this.#toSource(() => this.#readChunks(0, this.size));
    for await (const chunk of readBytes(source)) {
      const rest = chunk.subarray(Math.max(0, from - position));
      position += chunk.length;
      this.#position = Math.max(from, position);
      if (rest.length > 0) yield rest;
    }
  }

  #toSource(open: LogSource['open']): LogSource {
    return { name: this.path, canReopen: true, open };
  }

  /** Finds the end of the last whole line after a position; the position if there is none. */
  async #findEnd(position: number): Promise<number> {
    const buffer = Buffer.allocUnsafe(SEARCH_BYTES);
    for (let end = this.size; end > position; ) {
      this.#signal.throwIfAborted();
      const from = Math.max(position, end - SEARCH_BYTES);
      const { bytesRead } = await this.#handle.read(buffer, 0, end - from, from);
      const found = buffer.subarray(0, bytesRead).lastIndexOf(LF);
      if (found >= 0) return from + found + 1;
      end = from;
    }
    return position;
  }
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Describes why a file cannot be opened, without its path. */
function describeError(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'it does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not read it';
    default:
      return (error as Error).message;
  }
}
