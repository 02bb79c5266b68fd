/**
 * A store whose failures stop no caller: they are reported, and the client goes on without the store.
 *
 * @module
 */
import { byAnswer, byFailure, type Change } from '../robots/change.ts';
import type { Failure, GoodAnswer, OriginHistory } from '../robots/history.ts';
import type { Lease, RobotsStore } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

/** So long a store may take for one call. Milliseconds. */
const TIMEOUT = 10_000;
/** After a failure it is left alone for so long. Milliseconds. */
const PAUSE = 1_000;

/** What an origin has answered, or that it has not. */
export type News = { readonly answer: GoodAnswer } | { readonly failure: Failure };

/** How news change what is known. */
export function changeBy(news: News): Change {
  return 'answer' in news ? byAnswer(news.answer) : byFailure(news.failure);
}

/** Uses a store as far as that is possible. No call throws, and none takes long. */
export class FailSafeStore {
  readonly #store: RobotsStore;
  readonly #tell: (origin: string, error: unknown) => void;
  #downUntil = Number.NEGATIVE_INFINITY;
  /** A store without space can still be read: what it knows is not lost. */
  #readOnlyUntil = Number.NEGATIVE_INFINITY;

  /** @param tell - gets each error. */
  constructor(store: RobotsStore, tell: (origin: string, error: unknown) => void) {
    this.#store = store;
    this.#tell = tell;
  }

  /** What is known of an origin; `undefined` if nothing is, or the store cannot tell. */
  get(origin: string): Promise<OriginHistory | undefined> {
    return this.#try(origin, () => this.#store.get(origin));
  }

  /**
   * Stores news.
   *
   * @param owner - who has the lease, which ends with it; left out where the client has none.
   * @returns what is known then; `undefined` if the store cannot keep it.
   */
  keep(origin: string, news: News, owner?: string): Promise<OriginHistory | undefined> {
    return this.#write(origin, () =>
      'answer' in news
        ? this.#store.putAnswer(origin, news.answer, owner)
        : this.#store.recordFailure(origin, news.failure, owner),
    );
  }

  /** Whether the right to fetch was free; `undefined` if the store cannot tell. */
  lease(origin: string, owner: string, milliseconds: number): Promise<boolean | undefined> {
    return this.#write(origin, () => this.#store.lease(origin, owner, milliseconds));
  }

  /** @param leases - at least one. */
  async renew(leases: readonly [Lease, ...Lease[]], milliseconds: number): Promise<void> {
    await this.#write(leases[0].origin, () => this.#store.renew(leases, milliseconds));
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#write(origin, () => this.#store.release(origin, owner));
  }

  /** Resolves when a lease may be free, or after a number of milliseconds. */
  async waitForRelease(origin: string, milliseconds: number): Promise<void> {
    await this.#try(origin, () => this.#store.waitForRelease(origin, milliseconds));
  }

  async #write<T>(origin: string, work: () => Promise<T>): Promise<T | undefined> {
    return performance.now() < this.#readOnlyUntil ? undefined : this.#try(origin, work);
  }

  async #try<T>(origin: string, work: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.#downUntil) return undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new Error(`the store has not answered within ${TIMEOUT} ms`)),
          TIMEOUT,
        );
      });
      return await Promise.race([work(), late]);
    } catch (error) {
      const until = performance.now() + PAUSE;
      if (isReadable(error)) this.#readOnlyUntil = until;
      else this.#downUntil = until;
      this.#tell(origin, error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

function isReadable(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'store-full' || error.code === 'store-read-only');
}
