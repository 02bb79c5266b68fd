/**
 * A store in the memory of this process, bounded in bytes: what was not used for longest goes first.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import { eventOfAnswer, eventOfFailure, KEPT_EVENTS, type StoreEvent } from './events.ts';
import {
  type Failure,
  type GoodAnswer,
  NO_HISTORY,
  type OriginHistory,
  withAnswer,
  withFailure,
} from './history.ts';
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
        ENTRY_BYTES + 2 * origin.length + (history.answer?.bytes.length ?? 0) + EVENT_BYTES * events.length,
    });
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    return this.#entries.get(origin)?.history;
  }

  async putAnswer(origin: string, answer: GoodAnswer): Promise<OriginHistory> {
    const { history, events } = this.#entry(origin);
    if (history.answer !== null && history.answer.fetchedAt > answer.fetchedAt) return history;
    return this.#put(origin, withAnswer(answer), [eventOfAnswer(answer), ...events]);
  }

  async recordFailure(origin: string, failure: Failure): Promise<OriginHistory> {
    const { history, events } = this.#entry(origin);
    if (history.answer !== null && history.answer.fetchedAt > failure.at) return history;
    return this.#put(origin, withFailure(history, failure), [eventOfFailure(failure), ...events]);
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

  #entry(origin: string): Entry {
    return this.#entries.get(origin) ?? { history: NO_HISTORY, events: [] };
  }

  #put(origin: string, history: OriginHistory, events: readonly StoreEvent[]): OriginHistory {
    this.#entries.set(origin, { history, events: events.slice(0, KEPT_EVENTS) });
    return history;
  }
}
