/**
 * Fetches origins that are due, one fetch per origin at a time for all clients that share a store.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { createAddressPolicy } from '../http/address-policy.ts';
import { unlessAborted } from '../robots/abort.ts';
import { NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { createChange, type Observation } from '../robots/observation.ts';
import type { ClientTasks } from './client-tasks.ts';
import type { FailSafeStore } from './fail-safe-store.ts';
import { type Fetcher, fetchOrigin, isShareable } from './fetch-origin.ts';
import { InFlight } from './in-flight.ts';
import { Leases } from './leases.ts';
import type { Entry, OriginCache, OriginState } from './origin-state.ts';
import type { ResolvedOptions } from './origins-options.ts';

/** A client waits for the fetch of another for the time that a fetch may take, and this. Milliseconds. */
const WAIT_MARGIN = 5_000;

/** An entry that is not due, or the right to fetch: with the lease, or without one if the store has none to give. */
type Turn = { readonly entry: Entry } | { readonly owner: string | undefined };

/** What a {@link Refresher} works with. */
export interface RefresherParts {
  readonly options: ResolvedOptions;
  readonly cache: OriginCache;
  readonly store: FailSafeStore;
  readonly tasks: ClientTasks;
}

/** Refreshes origins. */
export class Refresher {
  readonly #parts: RefresherParts;
  readonly #leases: Leases;
  /** Refreshes by origin. */
  readonly #inFlight: InFlight<Entry> = new InFlight();
  /** Fetches of the rules of sites to which redirects lead. They wait for no other fetch, so that redirects in a loop cannot block. */
  readonly #targetsInFlight: InFlight<OriginState> = new InFlight();

  constructor(parts: RefresherParts) {
    this.#parts = parts;
    this.#leases = new Leases(parts.store);
  }

  /**
   * Fetches an origin if it is due, once for all callers. When no caller waits any more, the fetch is aborted.
   *
   * @param isForced - fetches it also if it is not due.
   */
  refresh(origin: string, isForced: boolean, signal?: AbortSignal): Promise<Entry> {
    const { tasks } = this.#parts;
    return this.#inFlight.join(origin, (own) => tasks.track(this.#refresh(origin, isForced, own)), signal);
  }

  /** Options of a request. @param openOrigins - origins that may be on private addresses, unless `allowPrivate` decides. */
  getRequestOptions(
    signal: AbortSignal,
    openOrigins: readonly string[],
  ): Pick<Parameters<Fetcher>[2], 'userAgent' | 'timeout' | 'addressPolicy' | 'signal'> {
    const { userAgent, timeout, allowPrivate, addressPolicy } = this.#parts.options;
    return {
      userAgent,
      timeout,
      addressPolicy: addressPolicy ?? createAddressPolicy({ allowPrivate, openOrigins }),
      signal,
    };
  }

  async #refresh(origin: string, isForced: boolean, signal: AbortSignal): Promise<Entry> {
    const { cache, store } = this.#parts;
    const turn = await this.#waitForTurn(origin, isForced, signal);
    if ('entry' in turn) return turn.entry;
    const { owner } = turn;
    let isLeased = owner !== undefined;
    try {
      // Another client may have fetched it between the read and the lease.
      const history = await this.#read(origin);
      if (!isForced && !this.#isDue(origin, history)) return cache.set(origin, history);
      const observation = await this.#fetch(origin, history, signal);
      const stored = isShareable(observation) ? await store.record(origin, observation, owner) : undefined;
      isLeased &&= stored === undefined;
      // What another owner of the lease has stored meanwhile is newer.
      if (stored !== undefined && !this.#isDue(origin, stored)) return cache.set(origin, stored);
      // Without the store the client continues with what this process has.
      return cache.set(origin, createChange(observation)(history, isLeased)?.history ?? history);
    } finally {
      if (owner !== undefined && !isLeased) this.#leases.end(owner);
      else if (owner !== undefined) await this.#leases.release(origin, owner);
    }
  }

  /** Waits until the origin is not due any more, or this client may fetch it. */
  async #waitForTurn(origin: string, isForced: boolean, signal: AbortSignal): Promise<Turn> {
    const { options, cache, tasks } = this.#parts;
    const owner = randomUUID();
    // The owner of the lease renews it for as long as it lives: no other client waits longer than any fetch takes.
    const giveUpAt = performance.now() + options.timeout + WAIT_MARGIN;
    for (let isFirst = true; ; isFirst = false) {
      const history = await this.#read(origin);
      if (!isForced && !this.#isDue(origin, history)) return { entry: cache.set(origin, history) };
      const isFree = await this.#leases.take(origin, owner);
      // A store that fails stops no client.
      if (isFree !== false) return { owner: isFree ? owner : undefined };
      if (performance.now() >= giveUpAt) return { owner: undefined };
      if (isFirst) tasks.notify({ kind: 'waiting', origin });
      await unlessAborted(this.#leases.wait(origin), signal);
    }
  }

  #isDue(origin: string, history: OriginHistory): boolean {
    const { cache } = this.#parts;
    return cache.isDue(cache.getPolicy(origin, history));
  }

  /** The history in the store, else that in memory. */
  async #read(origin: string): Promise<OriginHistory> {
    const { cache, store } = this.#parts;
    return (await store.get(origin)) ?? cache.get(origin)?.history ?? NO_HISTORY;
  }

  async #fetch(origin: string, { response }: OriginHistory, signal: AbortSignal): Promise<Observation> {
    const { options, tasks } = this.#parts;
    const mayFollow = (url: string): Promise<boolean> => this.#mayFollow(url, origin, signal);
    const { observation, result } = await fetchOrigin(
      origin,
      response,
      options.fetcher,
      { ...this.getRequestOptions(signal, [origin]), mayFollow },
      options.now,
    );
    tasks.notify({ kind: 'fetched', origin, result });
    return observation;
  }

  /**
   * Whether a redirect may be followed, by the rules of the site to which it leads. If they are unknown, they are fetched once, without
   * following redirects in turn.
   */
  async #mayFollow(url: string, from: string, signal: AbortSignal): Promise<boolean> {
    const { options, tasks } = this.#parts;
    const { origin, pathname, search } = new URL(url);
    // Any robots.txt may be fetched (RFC 9309 section 2.2.2).
    if (options.mayFollow === undefined || pathname + search === '/robots.txt') return true;
    let { policy } = await this.getStoredState(origin);
    // The site that redirects has no rules of its own to break.
    if (policy.kind === 'unknown' && origin !== from)
      ({ policy } = await this.#targetsInFlight.join(
        origin,
        (own) => tasks.track(this.#fetchTarget(origin, own)),
        signal,
      ));
    return policy.kind !== 'rules' || options.mayFollow(url, policy.robots);
  }

  /** The state of an origin without a fetch. */
  async getStoredState(origin: string): Promise<OriginState> {
    const { cache, store } = this.#parts;
    const entry = cache.get(origin) ?? cache.set(origin, (await store.get(origin)) ?? NO_HISTORY);
    return cache.getState(origin, entry);
  }

  /** Fetches the robots.txt of a site to which a redirect leads. A result that only this client meets is not cached. */
  async #fetchTarget(origin: string, signal: AbortSignal): Promise<OriginState> {
    const { options, cache, store } = this.#parts;
    // The origin comes from a redirect, so it is not one that the caller opens.
    const requestOptions = { ...this.getRequestOptions(signal, []), mayFollow: async () => false };
    const { observation } = await fetchOrigin(origin, null, options.fetcher, requestOptions, options.now);
    const stored = isShareable(observation) ? await store.record(origin, observation) : undefined;
    const history = stored ?? createChange(observation)(NO_HISTORY)?.history ?? NO_HISTORY;
    const entry = isShareable(observation) ? cache.set(origin, history) : cache.createEntry(origin, history);
    return cache.getState(origin, entry);
  }
}
