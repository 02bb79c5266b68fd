// A configuration file of the system that is parsed again when it has changed.
import { readFileSync, statSync } from 'node:fs';

/** How often it is checked whether the file has changed, in milliseconds. */
const CHECK_INTERVAL = 1_000;
/** A file with more bytes is used up to here. */
const MAX_BYTES = 8 * 1024 * 1024;

export class CachedFile<T> {
  readonly #path: string;
  readonly #parse: (text: string) => T;
  readonly #now: () => number;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #version: string | undefined;
  #content: T;

  /**
   * @param parse - takes the text of the file; an empty text if the file cannot be read, as the system's own resolver does.
   * @param now - milliseconds of a clock that never goes back.
   */
  constructor(path: string, parse: (text: string) => T, now: () => number) {
    this.#path = path;
    this.#parse = parse;
    this.#now = now;
    this.#content = parse('');
  }

  /** The parsed content. It reads in this thread: other threads may all be occupied, and the files are small. */
  get content(): T {
    const now = this.#now();
    if (now - this.#checkedAt < CHECK_INTERVAL) return this.#content;
    this.#checkedAt = now;
    const version = this.#getVersion();
    if (version !== this.#version) {
      this.#content = this.#parse(version === undefined ? '' : this.#read());
      this.#version = version;
    }
    return this.#content;
  }

  #getVersion(): string | undefined {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() ? `${stat.ino}-${stat.size}-${stat.mtimeNs}` : undefined;
  }

  #read(): string {
    try {
      return readFileSync(this.#path).subarray(0, MAX_BYTES).toString();
    } catch (error) {
      // It has gone since, or must not be read by this user.
      if (['ENOENT', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
      throw error;
    }
  }
}
