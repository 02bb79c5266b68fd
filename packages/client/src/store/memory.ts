// A store in the memory of this process.
import { freezeHistory } from '../robots/frozen.ts';
import { getHistorySize, NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { createChange, type Observation } from '../robots/observation.ts';
import { MAX_EVENTS, type StoreEvent } from '../robots/store-event.ts';
import {
  checkStoreOptions,
  chooseEvicted,
  createAgeLimit,
  ENTRY_BYTES,
  type EntryKind,
  EVENT_BYTES,
  MEMORY_LIMITS,
  resolveLimits,
  type StoreLimits,
  type StoreOptions,
  type Totals,
} from './limits.ts';
import type { EntryUsage, FullStore, Lease, Pruned, StoreStats } from './store.ts';

/** From this number of leases on, those that have expired are looked for. */
const MIN_SWEPT_LEASES = 1000;

interface Entry {
  readonly history: OriginHistory;
  readonly events: readonly StoreEvent[];
  readonly bytes: number;
  readonly usedAt: number;
}

/** Stores histories in memory, and evicts those that were not used for longest. */
export class MemoryStore implements FullStore {
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #countsReads: boolean;
  readonly #getOldest: () => number | undefined;
  /** Entries in the order of their last use. */
  readonly #entries: Readonly<Record<EntryKind, Map<string, Entry>>> = {
    good: new Map(),
    failing: new Map(),
  };
  readonly #bytes: Record<EntryKind, number> = { good: 0, failing: 0 };
  readonly #leases: Map<string, { readonly owner: string; readonly until: number }> = new Map();
  #sweepAt = MIN_SWEPT_LEASES;
  #evictions = 0;

  /** @throws {TypeError} {RangeError} for an unknown option, or an invalid one. */
  constructor(options: StoreOptions = {}) {
    checkStoreOptions('MemoryStore', options);
    this.#limits = resolveLimits(options, MEMORY_LIMITS);
    this.#now = options.now ?? Date.now;
    this.#countsReads = options.countsReads ?? true;
    this.#getOldest = createAgeLimit(this.#limits.maxAge, this.#now);
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const entry = this.#find(origin);
    if (entry !== undefined && this.#countsReads) this.#set(origin, { ...entry, usedAt: this.#now() });
    return entry?.history;
  }

  async record(origin: string, observation: Observation, owner?: string): Promise<OriginHistory> {
    const { history, events } = this.#find(origin) ?? { history: NO_HISTORY, events: [] };
    const isOwner = owner !== undefined && this.#endLease(origin, owner);
    if (owner !== undefined && !isOwner) return history;
    const changed = createChange(observation)(history, isOwner);
    if (changed === undefined) return history;
    // Clients of this process share it.
    const next = freezeHistory(changed.history);
    const newest = [Object.freeze(changed.event), ...events].slice(0, MAX_EVENTS);
    const bytes =
      ENTRY_BYTES + 2 * origin.length + getHistorySize(changed.history) + EVENT_BYTES * newest.length;
    this.#set(origin, { history: next, events: newest, bytes, usedAt: this.#now() });
    this.#evict(this.#limits, this.#getOldest());
    return next;
  }

  async list(limit: number, after = ''): Promise<string[]> {
    const { good, failing } = this.#entries;
    const behind = [...good.keys(), ...failing.keys()].filter((origin) => origin > after);
    return behind.sort().slice(0, limit);
  }

  async events(origin: string): Promise<StoreEvent[]> {
    return [...(this.#find(origin)?.events ?? [])];
  }

  async delete(origin?: string): Promise<number> {
    if (origin !== undefined) return this.#remove(origin) ? 1 : 0;
    const { origins } = this.#totals();
    this.#clear();
    return origins;
  }

  async lease(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    const time = performance.now();
    const current = this.#leases.get(origin);
    if (current !== undefined && current.owner !== owner && current.until > time) return false;
    this.#leases.set(origin, { owner, until: time + milliseconds });
    if (this.#leases.size > this.#sweepAt) this.#sweepLeases(time);
    return true;
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    for (const { origin, owner } of leases)
      if (this.#leases.get(origin)?.owner === owner) this.#leases.set(origin, { owner, until });
  }

  async release(origin: string, owner: string): Promise<void> {
    this.#endLease(origin, owner);
  }

  async close(): Promise<void> {
    this.#clear();
    this.#leases.clear();
  }

  get evictions(): number {
    return this.#evictions;
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = this.#totals();
    return { origins, bytes, evictions: this.#evictions, failures: 0 };
  }

  async check(): Promise<void> {}

  async prune(limits: Partial<StoreLimits> = {}): Promise<Pruned> {
    const before = this.#totals();
    const oldest = limits.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    this.#evict(resolveLimits(limits, this.#limits), oldest);
    const { origins, bytes } = this.#totals();
    return { removed: before.origins - origins, removedBytes: before.bytes - bytes, origins, bytes };
  }

  async getUsage(origin: string): Promise<EntryUsage | undefined> {
    const entry = this.#find(origin);
    return entry && { bytes: entry.bytes, usedAt: entry.usedAt };
  }

  #find(origin: string): Entry | undefined {
    return this.#entries.good.get(origin) ?? this.#entries.failing.get(origin);
  }

  /** Puts an entry behind all others: it was used last. */
  #set(origin: string, entry: Entry): void {
    this.#remove(origin);
    const kind = entry.history.outage === null ? 'good' : 'failing';
    this.#entries[kind].set(origin, entry);
    this.#bytes[kind] += entry.bytes;
  }

  #remove(origin: string): boolean {
    for (const kind of ['good', 'failing'] as const) {
      const entry = this.#entries[kind].get(origin);
      if (entry === undefined) continue;
      this.#bytes[kind] -= entry.bytes;
      return this.#entries[kind].delete(origin);
    }
    return false;
  }

  #evict(limits: StoreLimits, oldest: number | undefined): void {
    for (;;) {
      const kind = chooseEvicted(this.#totals(), limits) ?? this.#findAged(oldest);
      if (kind === undefined) return;
      const [origin] = this.#entries[kind].keys();
      this.#remove(origin as string);
      this.#evictions++;
    }
  }

  /** Of which kind the least recently used entry is too old. */
  #findAged(oldest: number | undefined): EntryKind | undefined {
    return (['good', 'failing'] as const).find((kind) => {
      const [first] = this.#entries[kind].values();
      return first !== undefined && oldest !== undefined && first.usedAt < oldest;
    });
  }

  #totals(): Totals {
    const { good, failing } = this.#entries;
    return {
      origins: good.size + failing.size,
      bytes: this.#bytes.good + this.#bytes.failing,
      failingOrigins: failing.size,
      failingBytes: this.#bytes.failing,
    };
  }

  #clear(): void {
    for (const kind of ['good', 'failing'] as const) {
      this.#entries[kind].clear();
      this.#bytes[kind] = 0;
    }
  }

  /** Ends a lease. @returns whether the owner had it. */
  #endLease(origin: string, owner: string): boolean {
    return this.#leases.get(origin)?.owner === owner && this.#leases.delete(origin);
  }

  #sweepLeases(time: number): void {
    for (const [origin, { until }] of this.#leases) if (until <= time) this.#leases.delete(origin);
    this.#sweepAt = Math.max(MIN_SWEPT_LEASES, 2 * this.#leases.size);
  }
}
