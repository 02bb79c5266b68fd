/**
 * A store in the memory of this process, bounded in bytes: what was not used for longest goes first.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import { byAnswer, byFailure, type Change } from './change.ts';
import { KEPT_EVENTS, type StoreEvent } from './events.ts';
import { type Failure, type GoodAnswer, NO_HISTORY, type OriginHistory, sizeOfHistory } from './history.ts';
import type { RobotsStore } from './store.ts';

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** What an origin takes beside its file, about. */
const ENTRY_BYTES = 1000;
const EVENT_BYTES = 150;

interface Entry {
  readonly history: OriginHistory;
  readonly events: readonly StoreEvent[];
}

interface Lease {
  readonly owner: string;
  readonly until: number;
}

/** Keeps histories in memory. */
export class MemoryStore implements RobotsStore {
  readonly #entries: LRUCache<string, Entry>;
  readonly #leases: Map<string, Lease> = new Map();

  /** @param maxBytes - how much is kept; 64 MiB if left out. */
  constructor(maxBytes: number = DEFAULT_MAX_BYTES) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ history, events }, origin) =>
        ENTRY_BYTES + 2 * origin.length + sizeOfHistory(history) + EVENT_BYTES * events.length,
    });
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    return this.#entries.get(origin)?.history;
  }

  async putAnswer(origin: string, answer: GoodAnswer): Promise<OriginHistory> {
    return this.#change(origin, byAnswer(answer));
  }

  async recordFailure(origin: string, failure: Failure): Promise<OriginHistory> {
    return this.#change(origin, byFailure(failure));
  }

  async list(limit: number, after = ''): Promise<string[]> {
    const behind = [...this.#entries.keys()].filter((origin) => origin > after);
    return behind.sort().slice(0, limit);
  }

  async events(origin: string): Promise<StoreEvent[]> {
    return [...(this.#entries.peek(origin)?.events ?? [])];
  }

  async delete(origin?: string): Promise<number> {
    if (origin !== undefined) return this.#entries.delete(origin) ? 1 : 0;
    const count = this.#entries.size;
    this.#entries.clear();
    return count;
  }

  async lease(origin: string, owner: string, until: number, now: number): Promise<boolean> {
    const held = this.#leases.get(origin);
    if (held !== undefined && held.owner !== owner && held.until > now) return false;
    this.#leases.set(origin, { owner, until });
    return true;
  }

  async release(origin: string, owner: string): Promise<void> {
    if (this.#leases.get(origin)?.owner === owner) this.#leases.delete(origin);
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#leases.clear();
  }

  #change(origin: string, change: Change): OriginHistory {
    const { history, events } = this.#entries.get(origin) ?? { history: NO_HISTORY, events: [] };
    const changed = change(history);
    if (changed === undefined) return history;
    const kept = [changed.event, ...events].slice(0, KEPT_EVENTS);
    this.#entries.set(origin, { history: changed.history, events: kept });
    return changed.history;
  }
}
