// The readiness check: the databases respond and are writable, and their files are still those that were opened. A process can go on
// to read and write a deleted SQLite file, and loses what it writes.
import { randomUUID } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@maycrawl/client';

/** Milliseconds for the store to respond. */
const READY_TIME = 2_000;
/** Bytes that must be free for a database to grow. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;
/** The origin whose lease is written as a test. No site can have this origin. */
const PROBE = 'maycrawl:readiness';

/** The file system, as {@link Readiness} uses it. */
export interface FileSystem {
  /** Returns what distinguishes a file from another one with the same path. @throws if it does not exist. */
  identify(path: string): Promise<string>;
  /** Returns the free bytes of the disk of a file. */
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

/** Returns a function that writes a lease to a store. */
export function createStoreProbe(store: Pick<FullStore, 'check' | 'lease' | 'release'>): () => Promise<void> {
  const owner = randomUUID();
  return async () => {
    await store.check();
    // This process may renew its own lease.
    await store.lease(PROBE, owner, READY_TIME);
    await store.release(PROBE, owner);
  };
}

export class Readiness {
  readonly #write: () => Promise<void>;
  readonly #fileSystem: FileSystem;
  /** The identity of each file when the service started, by path. */
  readonly #files: ReadonlyMap<string, Promise<string>>;
  /** The check in progress: concurrent requests share it. */
  #current: Promise<void> | undefined;

  /**
   * @param write - writes to the database.
   * @param files - paths of the open databases.
   */
  constructor(write: () => Promise<void>, files: readonly string[], fileSystem: FileSystem = FILE_SYSTEM) {
    this.#write = write;
    this.#fileSystem = fileSystem;
    this.#files = new Map(
      files.map((path) => {
        const identity = fileSystem.identify(path);
        // The first check reports it.
        identity.catch(() => {});
        return [path, identity];
      }),
    );
  }

  /** @throws {Error} if a database is not usable. */
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
    // It may reject after the timeout.
    all.catch(() => {});
    try {
      if ((await Promise.race([all, late])) === 'late')
        throw new Error('the database did not respond in time');
    } finally {
      end.abort();
    }
  }

  async #checkFile(path: string): Promise<void> {
    const opened = await this.#files.get(path);
    const found = await this.#fileSystem.identify(path);
    if (found !== opened) throw new Error('the database file was replaced after it was opened');
    if ((await this.#fileSystem.countFreeBytes(path)) < MIN_FREE_BYTES) throw new Error('the disk is full');
  }
}
