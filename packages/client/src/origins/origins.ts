// The policies of origins: each robots.txt is fetched once, its response is used while it is fresh, and during an outage the
// profile decides (outage-policy.ts). This module does not depend on crawlers.
import { type OptionTypes, quoteValue } from '@maycrawl/core/internal';
import { findOrigin } from '@maycrawl/core/url';
import { unlessAborted } from '../event-loop/abort.ts';
import { requireSignal } from '../http/caller-objects.ts';
import type { SharedPace } from '../pace/pacer.ts';
import { loadTransports, refetchRobotsTxt } from '../robots/fetch.ts';
import { isFromWrongClock, type OriginHistory } from '../robots/history.ts';
import type { RequestSigner } from '../signatures/request-signer.ts';
import { createSharedPace } from './client/shared-pace.ts';
import { ClientTasks } from './client-tasks.ts';
import { CACHE_CHANNEL, type CacheReadMessage, publishEvent } from './events/client-event.ts';
import { FailSafeStore } from './fail-safe-store.ts';
import { OriginCache, type OriginState } from './origin-state.ts';
import { type OriginsOptions, type ResolvedOptions, resolveOptions } from './origins-options.ts';
import { Refresher } from './refresher.ts';
import { requestHome, SiteChecks } from './site-check.ts';

/** How long a caller waits. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

export const WAIT_OPTIONS: OptionTypes<WaitOptions> = { signal: 'object' };

/** When an origin is fetched: if it is due (`default`), in any case (`force`), or never (`offline`). */
type FetchMode = 'default' | 'force' | 'offline';

/** How the policy of an origin is determined. */
export interface StateOptions extends WaitOptions {
  /** @defaultValue `default` */
  readonly mode?: FetchMode;
}

const MODES: readonly unknown[] = ['default', 'force', 'offline'] satisfies FetchMode[];

/** Fetches origins, and stores their responses. */
export class Origins {
  readonly #options: ResolvedOptions;
  readonly #tasks: ClientTasks;
  readonly #siteChecks: SiteChecks;
  readonly #cache: OriginCache;
  readonly #store: FailSafeStore;
  readonly #refresher: Refresher;
  /** What callers without a signal wait for, by origin. */
  readonly #awaited: Map<string, Promise<OriginState>> = new Map();

  /**
   * @throws {RangeError} for an invalid User-Agent header, for a `timeout` or `staleWhileRevalidate` that is not a time, and for an
   *   unknown profile.
   * @throws {TypeError} if `profile` is neither a name nor a profile, and if the store or the address policy lacks a method.
   * @throws as `createRequestSigner` does for `signature`.
   */
  constructor(options: OriginsOptions) {
    this.#options = resolveOptions(options);
    const { fetcher, loading, now, store, onEvent } = this.#options;
    // A failure is reported by the fetches.
    if (loading === 'early' && fetcher === refetchRobotsTxt) loadTransports().catch(() => {});
    this.#tasks = new ClientTasks(onEvent);
    this.#siteChecks = new SiteChecks(
      (origin, signal) => requestHome(origin, fetcher, this.#refresher.getRequestOptions(signal, [origin])),
      now,
    );
    this.#cache = new OriginCache(this.#options, (origin) => this.#siteChecks.getResult(origin));
    this.#store = new FailSafeStore(
      store,
      (origin, error) => this.#tasks.notify({ kind: 'store-failed', origin, error }),
      (origin, count) => this.#tasks.notify({ kind: 'evicted', origin, count }),
    );
    this.#refresher = new Refresher({
      options: this.#options,
      cache: this.#cache,
      store: this.#store,
      tasks: this.#tasks,
    });
  }

  /** Creates a pace that all processes share whose clients have this store. */
  createSharedPace(): SharedPace {
    return createSharedPace(this.#store, this.#tasks);
  }

  /** Signs the requests; `undefined` without the option `signature`. */
  get signer(): RequestSigner | undefined {
    return this.#options.signer;
  }

  /**
   * Returns the policy of an origin, and fetches it first if that is due.
   *
   * @param origin - as `getOrigin` returns it, such as `https://example.com`.
   * @throws {RangeError} if `origin` is not an origin.
   * @throws the signal's reason if the caller aborts. Other callers who wait for the same origin continue to wait.
   */
  async getState(origin: string, options?: StateOptions): Promise<OriginState> {
    const { signal, mode = 'default' } = options ?? {};
    requireSignal(signal);
    signal?.throwIfAborted();
    const cached = mode === 'default' ? this.getCachedState(origin) : undefined;
    if (cached !== undefined) return cached;
    if (!MODES.includes(mode)) throw new RangeError(`not a mode: ${quoteValue(mode)}`);
    if (typeof origin !== 'string' || findOrigin(origin) !== origin)
      throw new RangeError(`not an origin: ${quoteValue(origin)}`);
    if (mode === 'offline') return this.#refresher.getStoredState(origin);
    let entry = this.#cache.get(origin);
    const isForced = mode === 'force';
    const isDue =
      entry === undefined || isForced || this.#cache.isDue(this.#cache.getPolicy(origin, entry.history));
    if (isDue && entry !== undefined && !isForced && this.#isUsableMeanwhile(entry.history)) {
      reportRead(origin, 'stale');
      this.#refreshInBackground(origin);
    } else {
      reportRead(origin, 'miss');
      if (entry === undefined || isDue) entry = await this.#refresher.refresh(origin, isForced, signal);
    }
    if (this.#cache.getPolicy(origin, entry.history).needsSiteCheck) await this.#checkSite(origin, signal);
    return this.#cache.getState(origin, entry);
  }

  /**
   * Returns the policy of an origin as {@link getState} does. All callers that wait for the same origin get one promise: with one for each,
   * hundreds of thousands of callers would keep the process busy for seconds, and its leases would expire.
   */
  awaitState(origin: string): Promise<OriginState> {
    const awaited = this.#awaited.get(origin);
    if (awaited !== undefined) {
      reportRead(origin, 'miss');
      return awaited;
    }
    const state = this.getState(origin).finally(() => this.#awaited.delete(origin));
    this.#awaited.set(origin, state);
    return state;
  }

  /** Returns the policy of an origin if it is in memory and needs no request; `undefined` otherwise. */
  getCachedState(origin: string): OriginState | undefined {
    const entry = this.#cache.get(origin);
    if (entry === undefined) return undefined;
    const now = this.#options.now();
    const { fresh } = entry;
    if (fresh !== undefined && fresh.since <= now && now < fresh.state.refreshAt) {
      reportRead(origin, 'hit');
      return fresh.state;
    }
    const effective = this.#cache.getPolicy(origin, entry.history);
    if (this.#cache.isDue(effective) || effective.needsSiteCheck) return undefined;
    const state = this.#cache.getState(origin, entry, effective);
    if (effective.isFresh) entry.fresh = { state, since: now };
    reportRead(origin, 'hit');
    return state;
  }

  /**
   * Makes the responses in memory stale: the next caller reads the store, and fetches what is stale there, too.
   *
   * @param isExpired - which origins.
   */
  expire(isExpired: (origin: string) => boolean): void {
    this.#cache.expire(isExpired);
  }

  /** Resolves when no request is in flight: then the store can be closed. */
  async idle(): Promise<void> {
    await this.#tasks.idle();
  }

  /** Returns whether the stale response may be used during a fetch (RFC 5861 section 3). */
  #isUsableMeanwhile({ response, outage }: OriginHistory): boolean {
    const { now, staleWhileRevalidate } = this.#options;
    if (outage !== null || response === null || isFromWrongClock(response.fetchedAt, now())) return false;
    return now() < response.staleAt + staleWhileRevalidate;
  }

  /** Refreshes an origin without a caller that waits. The next caller uses the result, and fetches again if it failed. */
  #refreshInBackground(origin: string): void {
    this.#refresher
      .refresh(origin, false)
      .catch((error: unknown) => this.#tasks.notify({ kind: 'refresh-failed', origin, error }));
  }

  /** Checks whether the site is otherwise reachable, which stays unknown after an error of this machine. */
  async #checkSite(origin: string, signal?: AbortSignal): Promise<void> {
    const check = this.#tasks.track(this.#siteChecks.check(origin));
    try {
      await (signal === undefined ? check : unlessAborted(check, signal));
    } catch (error) {
      signal?.throwIfAborted();
      this.#tasks.notify({ kind: 'refresh-failed', origin, error });
    }
  }
}

function reportRead(origin: string, result: CacheReadMessage['result']): void {
  if (CACHE_CHANNEL.hasSubscribers) publishEvent({ kind: 'read', origin, result });
}
