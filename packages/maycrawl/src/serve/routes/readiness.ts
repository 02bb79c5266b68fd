/**
 * Whether the databases of the service can be used: they answer, they can be written to, and their files are still the ones that were
 * opened. A deleted SQLite file can be read and written by the process that has it open, and all that it writes is lost.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RobotsStore } from '@maycrawl/client';

/** In so many milliseconds a store answers that can be used. */
const READY_TIME = 2_000;
/** Bytes that must be free for a database to grow. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;
/** What is written to see whether that works: the lease of an origin that no site can have. */
const PROBE = 'maycrawl:readiness';

/** What is needed of the file system. */
export interface FileSystem {
  /** What distinguishes a file from another with the same path. @throws if there is none. */
  identify(path: string): Promise<string>;
  /** Bytes that this process can still write where the file is. */
  countFreeBytes(path: string): Promise<number>;
}

const FILE_SYSTEM: FileSystem = {
  identify: async (path) => {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  },
  countFreeBytes: async (path) => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
};

/** Checks whether the service is ready. */
export class Readiness {
  readonly #store: RobotsStore;
  readonly #fileSystem: FileSystem;
  /** By path, what the file was when the service started. */
  readonly #files: ReadonlyMap<string, Promise<string>>;
  readonly #owner: string = randomUUID();
  /** The check under way: requests that come meanwhile share it. */
  #current: Promise<void> | undefined;

  /** @param files - of the databases, which are open. */
  constructor(store: RobotsStore, files: readonly string[], fileSystem: FileSystem = FILE_SYSTEM) {
    this.#store = store;
    this.#fileSystem = fileSystem;
    this.#files = new Map(
      files.map((path) => {
        const identity = fileSystem.identify(path);
        // It is looked at when the first check comes.
        identity.catch(() => {});
        return [path, identity];
      }),
    );
  }

  /** @throws {Error} if a database cannot be used. */
  check(): Promise<void> {
    this.#current ??= this.#checkNow().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  async #checkNow(): Promise<void> {
    const end = new AbortController();
    const late = sleep(READY_TIME, 'late', { signal: end.signal, ref: false });
    late.catch(() => {});
    const all = Promise.all([this.#write(), ...Array.from(this.#files, ([path]) => this.#checkFile(path))]);
    // It may fail after it was too late.
    all.catch(() => {});
    try {
      if ((await Promise.race([all, late])) === 'late') throw new Error('the store does not answer');
    } finally {
      end.abort();
    }
  }

  async #write(): Promise<void> {
    await this.#store.check?.();
    // A lease that this process has may be taken again.
    await this.#store.lease(PROBE, this.#owner, READY_TIME);
    await this.#store.release(PROBE, this.#owner);
  }

  async #checkFile(path: string): Promise<void> {
    const opened = await this.#files.get(path);
    const found = await this.#fileSystem.identify(path);
    if (found !== opened) throw new Error('the file of the database is another than the one that was opened');
    if ((await this.#fileSystem.countFreeBytes(path)) < MIN_FREE_BYTES) throw new Error('the disk is full');
  }
}
