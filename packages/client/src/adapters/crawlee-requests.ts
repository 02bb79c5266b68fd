// The requests of a Crawlee crawler at the pace of their origins. It wraps the request manager of the crawler: a request that must wait is
// postponed until its time, and the next one is taken. Crawlee does not notice: a postponed request has no error, and no retry is counted.
import { isTemporary } from '../pace/pace-error.ts';
import type { Turn } from '../pace/turn.ts';
import { type Decider, takeTurn } from './forbidden.ts';

/** The part of a request of Crawlee that the adapter uses. */
export interface CrawleeRequest {
  readonly id?: string | undefined;
  readonly url: string;
  noRetry: boolean;
  retryCount: number;
  skipNavigation?: boolean;
  /** Adds the message of an error to those of the request. */
  pushErrorMessage?: (...args: never[]) => void;
}

/** The part of a request manager of Crawlee that the adapter replaces (IRequestManager in Crawlee 3.13 and later). */
export interface RequestManager {
  /** Takes the next request; `null` without one. */
  fetchNextRequest(...args: unknown[]): Promise<CrawleeRequest | null>;
  /** Puts a request back. */
  reclaimRequest(request: CrawleeRequest, ...args: unknown[]): Promise<unknown>;
  /** Ends a request. */
  markRequestHandled(request: CrawleeRequest): Promise<unknown>;
  /** Whether there is no request to take. */
  isEmpty(): Promise<boolean>;
  /** Whether all requests have ended. */
  isFinished(): Promise<boolean>;
}

/** Requests that are postponed at the same time, at most. With more, those that must wait go back to the end of their queue. */
const MAX_POSTPONED = 10_000;
/** The pause after a call that has put requests back to their queue, and found no other one. Milliseconds. */
const RETURN_PAUSE = 1_000;
/** Requests that one call examines, so that the crawler can do other work. */
const MAX_EXAMINED = 100;
/** The shortest time that a request is postponed: the crawler looks for requests twice a second. Milliseconds. */
const SHORTEST_DELAY = 100;
/** How long a request is postponed if the refusal does not say when to try again. Milliseconds. */
const USUAL_DELAY = 60_000;

/** The requests of the crawlers of one hook. */
export class CrawleeRequests {
  readonly #client: Decider;
  readonly #maxPostponed: number;
  readonly #turns: WeakMap<CrawleeRequest, Turn> = new WeakMap();
  /** When requests may be tried again that were refused after they had been taken, such as at a redirect. */
  readonly #refused: WeakMap<CrawleeRequest, number> = new WeakMap();
  readonly #wrapped: WeakSet<RequestManager> = new WeakSet();

  constructor(client: Decider, maxPostponed: number = MAX_POSTPONED) {
    this.#client = client;
    this.#maxPostponed = maxPostponed;
  }

  /** Wraps the request manager of a crawler, once. @returns whether it is wrapped. */
  install(crawler: { requestManager?: RequestManager | undefined } | undefined): boolean {
    const manager = crawler?.requestManager;
    if (crawler === undefined || typeof manager?.fetchNextRequest !== 'function') return false;
    if (!this.#wrapped.has(manager)) {
      crawler.requestManager = this.#wrap(manager);
      this.#wrapped.add(crawler.requestManager);
    }
    return true;
  }

  /** Returns the turn of a request, which the caller ends; `undefined` if the request was taken before the manager was wrapped. */
  getTurn(request: CrawleeRequest): Turn | undefined {
    return this.#turns.get(request);
  }

  setTurn(request: CrawleeRequest, turn: Turn): void {
    this.#turns.set(request, turn);
  }

  /** Has a request that Crawlee is about to retry postponed until its time, without counting the retry. */
  putBack(request: CrawleeRequest, retryAt: number | null): void {
    this.#refused.set(request, retryAt ?? Date.now() + USUAL_DELAY);
    // Crawlee adds one before it reclaims the request, and the message of the error.
    request.retryCount--;
    request.pushErrorMessage = () => {
      delete request.pushErrorMessage;
    };
  }

  #wrap(manager: RequestManager): RequestManager {
    const postponed = new PostponedRequests();
    let nextAt = 0;
    const own: RequestManager = {
      fetchNextRequest: async (...args) => {
        for (let examined = 0; examined < MAX_EXAMINED; examined++) {
          const request = postponed.takeDue(Date.now()) ?? (await manager.fetchNextRequest(...args));
          if (request === null) break;
          // The lock of a postponed request has expired, and the queue has returned it again.
          if (postponed.has(request)) continue;
          const retryAt = await this.#prepare(request);
          if (retryAt === null) return request;
          if (postponed.size < this.#maxPostponed) postponed.add(request, retryAt);
          else await manager.reclaimRequest(request);
        }
        if (postponed.size >= this.#maxPostponed) nextAt = Date.now() + RETURN_PAUSE;
        return null;
      },
      reclaimRequest: async (request, ...args) => {
        this.#turns.get(request)?.fail(new Error('no response'));
        const retryAt = this.#refused.get(request);
        this.#refused.delete(request);
        if (retryAt === undefined || postponed.size >= this.#maxPostponed)
          return manager.reclaimRequest(request, ...args);
        postponed.add(request, retryAt);
        return null;
      },
      markRequestHandled: async (request) => {
        this.#turns.get(request)?.cancel();
        return manager.markRequestHandled(request);
      },
      isEmpty: async () => {
        const now = Date.now();
        return !postponed.hasDue(now) && (now < nextAt || (await manager.isEmpty()));
      },
      isFinished: async () => postponed.size === 0 && (await manager.isFinished()),
    };
    return new Proxy(manager, {
      get: (target, name) => {
        if (Object.hasOwn(own, name)) return own[name as keyof RequestManager];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, name, value) => Reflect.set(target, name, value, target),
    });
  }

  /** Takes the turn of a request. @returns when to try again if it must wait; `null` if the crawler gets it, also to let it fail. */
  async #prepare(request: CrawleeRequest): Promise<number | null> {
    if (request.skipNavigation) return null;
    try {
      this.#turns.set(request, await takeTurn(this.#client, request.url, { maxWait: 0 }));
      return null;
    } catch (error) {
      this.#turns.delete(request);
      return isTemporary(error) ? (error.retryAt ?? Date.now() + USUAL_DELAY) : null;
    }
  }
}

/** Requests that wait for their time. Times are milliseconds since 1970. */
class PostponedRequests {
  readonly #postponed: Map<string, { readonly request: CrawleeRequest; readonly at: number }> = new Map();
  #nextAt = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#postponed.size;
  }

  has(request: CrawleeRequest): boolean {
    return this.#postponed.has(toKey(request));
  }

  add(request: CrawleeRequest, retryAt: number): void {
    const at = Math.max(retryAt, Date.now() + SHORTEST_DELAY);
    this.#postponed.set(toKey(request), { request, at });
    this.#nextAt = Math.min(this.#nextAt, at);
  }

  hasDue(now: number): boolean {
    return this.#nextAt <= now;
  }

  /** Takes the first request whose time has come. */
  takeDue(now: number): CrawleeRequest | undefined {
    if (this.#nextAt > now) return undefined;
    let taken: CrawleeRequest | undefined;
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (const [key, { request, at }] of this.#postponed) {
      if (at <= now && taken === undefined) {
        taken = request;
        this.#postponed.delete(key);
      } else this.#nextAt = Math.min(this.#nextAt, at);
    }
    return taken;
  }
}

function toKey({ id, url }: CrawleeRequest): string {
  return id ?? url;
}
