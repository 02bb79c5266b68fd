// A store whose failures are reported instead of thrown, so that the client continues without it.
import { DatabaseError } from '../database/database-error.ts';
import { isOriginHistory } from '../robots/caller-data.ts';
import type { OriginHistory } from '../robots/history.ts';
import type { Observation } from '../robots/observation.ts';
import type { ClientStore, Lease } from '../store/store.ts';

/** The longest time of one call, in milliseconds. */
const TIMEOUT = 3_000;
/**
 * Calls in flight, renewals of leases not counted. Others wait, and their time begins when it is their turn: in a queue of the store, such
 * as that for a connection, hundreds of calls would use up each other's time.
 */
const MAX_CALLS = 32;
/** How often the time of a call is checked, in milliseconds. */
const TICK = 100;
/** The shortest pause after a failure, in milliseconds. */
const PAUSE = 1_000;
/** The pause after a failure is at least this multiple of the time that the failed call took. */
const PAUSE_FACTOR = 5;

/** Wraps a store. No call throws, and each has a deadline. */
export class FailSafeStore {
  readonly #store: ClientStore;
  readonly #onError: (origin: string, error: unknown) => void;
  readonly #onEvictions: (origin: string, count: number) => void;
  #downUntil = Number.NEGATIVE_INFINITY;
  /** A store without space is still readable. */
  #readOnlyUntil = Number.NEGATIVE_INFINITY;
  /** The evictions of the store that were reported. */
  #evictions: number;
  #calls = 0;
  /** Calls that wait for their turn. */
  readonly #waiting: Set<() => void> = new Set();

  /**
   * @param onError - receives each error.
   * @param onEvictions - receives the number of entries that the store evicted, and the origin that was stored before.
   */
  constructor(
    store: ClientStore,
    onError: (origin: string, error: unknown) => void,
    onEvictions: (origin: string, count: number) => void,
  ) {
    this.#store = store;
    this.#onError = onError;
    this.#onEvictions = onEvictions;
    this.#evictions = store.evictions ?? 0;
  }

  /** Returns the history of an origin; `undefined` without one, or the store failed. */
  get(origin: string): Promise<OriginHistory | undefined> {
    return this.#try(origin, async () => requireHistory(await this.#store.get(origin)));
  }

  /**
   * Stores an observation.
   *
   * @param owner - the owner of the lease, which ends in the same step; omitted if the client has none.
   * @returns the history after the change; `undefined` if the store failed.
   */
  async record(origin: string, observation: Observation, owner?: string): Promise<OriginHistory | undefined> {
    const history = await this.#write(origin, async () =>
      requireHistory(await this.#store.record(origin, observation, owner)),
    );
    const { evictions = 0 } = this.#store;
    const count = evictions - this.#evictions;
    this.#evictions = evictions;
    if (count > 0) this.#onEvictions(origin, count);
    return history;
  }

  /** Takes a lease. @returns whether it was free; `undefined` if the store failed, or has no leases. */
  lease(origin: string, owner: string, milliseconds: number): Promise<boolean | undefined> {
    return this.#write(origin, async () => this.#store.lease?.(origin, owner, milliseconds));
  }

  /** @param leases - at least one. */
  async renew(leases: readonly [Lease, ...Lease[]], milliseconds: number): Promise<void> {
    if (this.#isReadOnly()) return;
    // Behind other calls it could come too late.
    await this.#run(leases[0].origin, async () => this.#store.renew?.(leases, milliseconds));
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#write(origin, async () => this.#store.release?.(origin, owner));
  }

  async #write<T>(origin: string, work: () => Promise<T>): Promise<T | undefined> {
    return this.#isReadOnly() ? undefined : this.#try(origin, work);
  }

  #isReadOnly(): boolean {
    return performance.now() < this.#readOnlyUntil;
  }

  /** Runs a call when fewer than {@link MAX_CALLS} are in flight. */
  async #try<T>(origin: string, work: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.#downUntil) return undefined;
    // A call whose turn it is takes the place of the one before it.
    if (this.#calls < MAX_CALLS) this.#calls++;
    else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    try {
      return await this.#run(origin, work);
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#calls--;
      else {
        this.#waiting.delete(next);
        next();
      }
    }
  }

  async #run<T>(origin: string, work: () => Promise<T>): Promise<T | undefined> {
    const start = performance.now();
    if (start < this.#downUntil) return undefined;
    // After a failure one call tries the store. The others do not wait for it.
    if (this.#downUntil > Number.NEGATIVE_INFINITY) this.#downUntil = start + TIMEOUT;
    let timer: NodeJS.Timeout | undefined;
    try {
      const deadline = new Promise<never>((_resolve, reject) => {
        // While this process is busy, responses wait for it. Such a time counts as one tick, however long it is.
        let ticks = 0;
        timer = setInterval(() => {
          if (++ticks === TIMEOUT / TICK) reject(new Error(`no response of the store within ${TIMEOUT} ms`));
        }, TICK);
      });
      const result = await Promise.race([work(), deadline]);
      this.#downUntil = Number.NEGATIVE_INFINITY;
      return result;
    } catch (error) {
      const now = performance.now();
      const until = now + Math.max(PAUSE, PAUSE_FACTOR * (now - start));
      if (isReadable(error)) this.#readOnlyUntil = until;
      else this.#downUntil = until;
      this.#onError(origin, error);
      return undefined;
    } finally {
      clearInterval(timer);
    }
  }
}

/** @throws {TypeError} if a value of a caller's store is no history, such as bytes that were stored as JSON. */
function requireHistory<T extends OriginHistory | undefined>(history: T): T {
  if (history !== undefined && !isOriginHistory(history))
    throw new TypeError('the store returned a value that is not a history of an origin');
  return history;
}

function isReadable(error: unknown): boolean {
  return (
    error instanceof DatabaseError && (error.code === 'database-full' || error.code === 'database-read-only')
  );
}
