// The file of a report: complete, or unchanged if it cannot be written.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '@maycrawl/client/internal';
import { createTemporaryName } from '../../files/temporary-name.ts';

/** Characters of one write. */
const PIECE = 65_536;

/** Returns whether a path is something else than a regular file, such as a pipe, which is written directly. */
export function isSpecialFile(path: string): Promise<boolean> {
  return stat(path).then(
    (before) => !before.isFile(),
    () => false,
  );
}

/** A file that is being written. All errors have the `path` of the report. */
export class ReportFile {
  readonly #path: string;
  /** A temporary file, unless the path is a special file. */
  readonly #target: string;
  readonly #stream: WriteStream;
  readonly #failed: Promise<never>;
  #text = '';

  private constructor(path: string, target: string) {
    this.#path = path;
    this.#target = target;
    // Written to the disk before the rename: else a crash could leave an empty file.
    this.#stream = createWriteStream(target, { flush: target !== path });
    this.#failed = once(this.#stream, 'error').then(([error]) => {
      throw error;
    });
    // It is awaited with each write.
    this.#failed.catch(() => {});
  }

  /** Creates the file, and its folder. @throws {Error} with a `path` if that fails. */
  static async open(path: string): Promise<ReportFile> {
    try {
      makeFolder(dirname(path));
      const isSpecial = await isSpecialFile(path);
      const target = isSpecial ? path : createTemporaryName(path);
      const file = new ReportFile(path, target);
      await once(file.#stream, 'open');
      return file;
    } catch (error) {
      throw Object.assign(error as Error, { path });
    }
  }

  /** Adds text or bytes. @returns a promise if the caller must wait for it. It rejects with an error with a `path`. */
  add(piece: string | Uint8Array): Promise<void> | undefined {
    if (typeof piece !== 'string') return this.#attempt(() => this.#write(piece));
    this.#text += piece;
    return this.#text.length < PIECE ? undefined : this.#attempt(() => this.#flush());
  }

  /** Writes the rest, and gives the file its name. @throws {Error} with a `path` if that fails. */
  finish(): Promise<void> {
    return this.#attempt(async () => {
      this.#stream.end(this.#text);
      await Promise.race([once(this.#stream, 'finish'), this.#failed]);
      if (this.#target !== this.#path) await rename(this.#target, this.#path);
    });
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    this.#stream.destroy();
    if (this.#target !== this.#path) await rm(this.#target, { force: true });
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#write(text);
  }

  async #write(piece: string | Uint8Array): Promise<void> {
    if (!this.#stream.write(piece)) await Promise.race([once(this.#stream, 'drain'), this.#failed]);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw Object.assign(error as Error, { path: this.#path });
    }
  }
}
