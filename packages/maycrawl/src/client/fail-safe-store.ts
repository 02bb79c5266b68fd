/**
 * A store that nobody is stopped by: what it cannot do is told, and done without.
 *
 * @module
 */
import { byAnswer, byFailure, type Change } from '../store/change.ts';
import type { Failure, GoodAnswer, OriginHistory } from '../store/history.ts';
import type { RobotsStore } from '../store/store.ts';

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

/** Asks a store, and goes on without it. No call throws, and none takes long. */
export class FailSafeStore {
  readonly #store: RobotsStore;
  readonly #tell: (origin: string, error: unknown) => void;
  #downUntil = Number.NEGATIVE_INFINITY;

  /** @param tell - gets each error. */
  constructor(store: RobotsStore, tell: (origin: string, error: unknown) => void) {
    this.#store = store;
    this.#tell = tell;
  }

  /** What is known of an origin; `undefined` if nothing is, or the store cannot tell. */
  get(origin: string): Promise<OriginHistory | undefined> {
    return this.#try(origin, () => this.#store.get(origin));
  }

  /** What is known then; `undefined` if the store cannot keep it. */
  keep(origin: string, news: News): Promise<OriginHistory | undefined> {
    return this.#try(origin, () =>
      'answer' in news
        ? this.#store.putAnswer(origin, news.answer)
        : this.#store.recordFailure(origin, news.failure),
    );
  }

  /** Whether the right to ask was free; `undefined` if the store cannot tell. */
  lease(origin: string, owner: string, until: number, now: number): Promise<boolean | undefined> {
    return this.#try(origin, () => this.#store.lease(origin, owner, until, now));
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#try(origin, () => this.#store.release(origin, owner));
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
      this.#downUntil = performance.now() + PAUSE;
      this.#tell(origin, error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
