// A store in Redis or Valkey, which the machines of a fleet share.
import { checkOptions } from '@maycrawl/core/internal';
import { DatabaseError } from '../../database/database-error.ts';
import { NO_HISTORY, type OriginHistory } from '../../robots/history.ts';
import { type Change, createChange, type Observation } from '../../robots/observation.ts';
import type { StoreEvent } from '../../robots/store-event.ts';
import { fromStored, fromStoredEvents } from '../../robots/stored.ts';
import {
  createAgeLimit,
  REDIS_LIMITS,
  resolveLimits,
  type StoreLimits,
  type StoreOptions,
  USE_PRECISION,
} from '../limits.ts';
import type { EntryUsage, FullStore, Lease, Pruned, StoreStats } from '../store.ts';
import { StoreUpkeep } from '../upkeep.ts';
import { type RedisClient, RedisCommands } from './redis-client.ts';
import { RedisEntries } from './redis-entries.ts';
import { evictFromRedis } from './redis-eviction.ts';
import { RedisKeys } from './redis-keys.ts';
import { RedisLeases } from './redis-leases.ts';

/** How a store in Redis is opened. */
export interface RedisStoreOptions extends Omit<StoreOptions, 'isDiskFull'> {
  /** The beginning of all keys, without braces. Stores with the same prefix are one store. @defaultValue `maycrawl:` */
  readonly prefix?: string;
}

/** How often a change is tried whose entry other clients changed meanwhile. Each time one of them has stored its own. */
const MAX_ATTEMPTS = 1_000;
/** The origin of a key that {@link RedisStore.check} writes. */
const CHECKED = 'check';

/**
 * Stores histories in Redis (4 or later) or Valkey, also in a cluster, through a client of ioredis, iovalkey or node-redis (`redis`, 5 or
 * later). The caller connects the client, listens to its errors and closes it; the store sends commands.
 *
 * @example
 * import { Redis } from 'ioredis';
 *
 * const store = new RedisStore(new Redis('redis://127.0.0.1:6379'), { prefix: 'robots:' });
 */
export class RedisStore implements FullStore {
  readonly #commands: RedisCommands;
  readonly #keys: RedisKeys;
  readonly #entries: RedisEntries;
  readonly #leases: RedisLeases;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #countsReads: boolean;
  readonly #getOldest: () => number | undefined;
  readonly #upkeep: StoreUpkeep;
  #evictions = 0;

  /**
   * @throws {TypeError} if `client` is of none of the supported packages, and for an unknown option, or one of a wrong type.
   * @throws {RangeError} for a limit that is no positive number, and a prefix with braces.
   */
  constructor(client: RedisClient, options: RedisStoreOptions = {}) {
    checkOptions<RedisStoreOptions>('RedisStore', options, {
      ...{ prefix: 'string', maxBytes: 'number', maxOrigins: 'number', maxAge: 'number' },
      ...{ countsReads: 'boolean', now: 'function' },
    });
    const { prefix = 'maycrawl:', now = Date.now, countsReads = true } = options;
    const limits = resolveLimits(options, REDIS_LIMITS);
    this.#commands = new RedisCommands(client);
    this.#keys = new RedisKeys(prefix);
    this.#entries = new RedisEntries(this.#commands, this.#keys, limits.maxAge);
    this.#leases = new RedisLeases(this.#commands, this.#keys);
    this.#limits = limits;
    this.#now = now;
    this.#countsReads = countsReads;
    this.#getOldest = createAgeLimit(limits.maxAge, now);
    this.#upkeep = new StoreUpkeep(limits, () => this.#evict(limits, this.#getOldest(), false));
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const entry = await this.#upkeep.guard(() => this.#entries.read(origin));
    if (entry === undefined) return undefined;
    const now = this.#now();
    // Another process that reads it then finds that it was used.
    if (this.#countsReads && Math.abs(now - entry.usedAt) > USE_PRECISION)
      this.#upkeep.run(() => this.#upkeep.guard(() => this.#entries.recordUse(origin, now)));
    return fromStored(entry);
  }

  async record(origin: string, observation: Observation, owner?: string): Promise<OriginHistory> {
    const change = createChange(observation);
    const { history, bytes } = await this.#upkeep.guard(() => this.#change(origin, change, owner));
    if (bytes > 0) this.#upkeep.addWritten(bytes);
    return history;
  }

  list(limit: number, after = ''): Promise<string[]> {
    return this.#upkeep.guard(() => this.#entries.list(limit, after));
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const entry = await this.#upkeep.guard(() => this.#entries.read(origin));
    return fromStoredEvents(entry?.events);
  }

  delete(origin?: string): Promise<number> {
    return this.#upkeep.guard(async () =>
      origin === undefined ? this.#entries.removeAll() : (await this.#entries.remove([origin])).count,
    );
  }

  lease(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    return this.#upkeep.guard(() => this.#leases.take(origin, owner, milliseconds));
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    await this.#upkeep.guard(() => this.#leases.renew(leases, milliseconds));
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#upkeep.guard(() => this.#leases.release(origin, owner));
  }

  /** Ends what the store does in the background. The client stays connected: it is the caller's. */
  async close(): Promise<void> {
    this.#upkeep.close();
    await this.#upkeep.idle();
  }

  get evictions(): number {
    return this.#evictions;
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = await this.#upkeep.guard(() => this.#entries.readTotals());
    return { origins, bytes, evictions: this.#evictions, failures: this.#upkeep.failures };
  }

  async check(): Promise<void> {
    const key = this.#keys.getLease(CHECKED);
    await this.#upkeep.guard(() => this.#commands.send(key, ['SET', key, '', 'PX', '1']));
    await this.#upkeep.requirePruned();
  }

  async prune(given: Partial<StoreLimits> = {}): Promise<Pruned> {
    const limits = resolveLimits(given, this.#limits);
    const oldest = given.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    // The reads before this call count as use.
    await this.#upkeep.idle();
    return this.#evict(limits, oldest, true);
  }

  getUsage(origin: string): Promise<EntryUsage | undefined> {
    return this.#upkeep.guard(() => this.#entries.readUsage(origin));
  }

  /** Applies a change to what is stored. @returns the history after it, and the bytes that were written. */
  async #change(
    origin: string,
    change: Change,
    owner: string | undefined,
  ): Promise<{ readonly history: OriginHistory; readonly bytes: number }> {
    let entry = await this.#entries.read(origin);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const before = (entry && fromStored(entry)) ?? NO_HISTORY;
      const changed = change(before, owner !== undefined);
      if (changed === undefined) return { history: before, bytes: 0 };
      const { history, event } = changed;
      const events = [event, ...fromStoredEvents(entry?.events)];
      const result = await this.#entries.put(origin, entry, owner, { history, events, usedAt: this.#now() });
      if (result.kind === 'stored') return { history, bytes: result.bytes };
      entry = result.entry;
      if (result.kind === 'lost') return { history: (entry && fromStored(entry)) ?? NO_HISTORY, bytes: 0 };
    }
    throw new DatabaseError('database-busy', 'other clients change the entry all the time');
  }

  async #evict(limits: StoreLimits, oldest: number | undefined, waits: boolean): Promise<Pruned> {
    const { removed, removedBytes, totals } = await this.#upkeep.guard(() =>
      evictFromRedis(this.#entries, this.#leases, {
        ...{ limits, oldest, waits },
        // The next process goes on with what is left.
        isStopped: () => this.#upkeep.isClosed,
        onStep: (count) => {
          this.#evictions += count;
        },
      }),
    );
    return { removed, removedBytes, origins: totals.origins, bytes: totals.bytes };
  }
}
