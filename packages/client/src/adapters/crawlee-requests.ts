// The requests of a Crawlee crawler at the pace of their origins. It wraps the request manager of the crawler: a request that must wait is
// postponed until its time, and the next one is taken. Crawlee does not notice: a postponed request has no error, and no retry is counted.
import { findOrigin } from '@maycrawl/core/url';
import { isTemporaryRefusal } from '../pace/pace-error.ts';
import type { Turn } from '../pace/turn.ts';
import { type Decider, takeTurn } from './forbidden.ts';
import { type DueRequest, PostponedRequests } from './postponed-requests.ts';

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
/** How long the crawler waits for the robots.txt of a site before it gets requests to others. Milliseconds. */
const ROBOTS_DEADLINE = 1_000;
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
    const postponed = new PostponedRequests<CrawleeRequest>();
    let nextAt = 0;
    const isFull = (): boolean => postponed.size >= this.#maxPostponed;
    /** Examines the first request of a line. @returns whether the crawler gets it. */
    const examine = async ({ line, request }: DueRequest<CrawleeRequest>): Promise<boolean> => {
      const preparing = this.#prepare(request);
      const retryAt = await unlessSlow(preparing);
      if (retryAt === null) {
        postponed.end(line, null);
        return true;
      }
      if (retryAt !== undefined && isFull()) {
        postponed.end(line, retryAt);
        await manager.reclaimRequest(request);
        return false;
      }
      postponed.putBack(line, request);
      if (retryAt !== undefined) postponed.end(line, retryAt);
      else
        void preparing.then((late) => {
          this.#turns.get(request)?.cancel();
          postponed.end(line, late);
        });
      return false;
    };
    const own: RequestManager = {
      fetchNextRequest: async (...args) => {
        for (let examined = 0; examined < MAX_EXAMINED; examined++) {
          const due = postponed.takeDue(Date.now());
          const request = due?.request ?? (await manager.fetchNextRequest(...args));
          if (request === null) break;
          if (due === undefined && request.skipNavigation) return request;
          const line = due?.line ?? findOrigin(request.url) ?? request.url;
          if (due === undefined) {
            // The lock of a postponed request has expired, and the queue has returned it again.
            if (postponed.has(request)) continue;
            if (postponed.hasLine(line)) {
              if (isFull()) await manager.reclaimRequest(request);
              else postponed.join(line, request);
              continue;
            }
            postponed.begin(line);
          }
          if (await examine({ line, request })) return request;
        }
        if (isFull()) nextAt = Date.now() + RETURN_PAUSE;
        return null;
      },
      reclaimRequest: async (request, ...args) => {
        this.#turns.get(request)?.fail(new Error('no response'));
        const retryAt = this.#refused.get(request);
        this.#refused.delete(request);
        if (retryAt === undefined || isFull()) return manager.reclaimRequest(request, ...args);
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
    try {
      this.#turns.set(request, await takeTurn(this.#client, request.url, { maxWait: 0 }));
      return null;
    } catch (error) {
      this.#turns.delete(request);
      return isTemporaryRefusal(error) ? (error.retryAt ?? Date.now() + USUAL_DELAY) : null;
    }
  }
}

/** Waits for a promise. @returns `undefined` if that takes too long. */
async function unlessSlow<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ROBOTS_DEADLINE, undefined);
  });
  try {
    return await Promise.race([promise, slow]);
  } finally {
    clearTimeout(timer);
  }
}
