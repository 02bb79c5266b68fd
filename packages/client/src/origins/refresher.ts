// Fetches origins that are due, one fetch per origin at a time for all clients that share a store.
import { randomUUID } from 'node:crypto';
import type { RobotsTxt } from '@maycrawl/core';
import { unlessAborted } from '../event-loop/abort.ts';
import { InFlight } from '../event-loop/in-flight.ts';
import { createAddressPolicy } from '../http/address-policy.ts';
import { getLatestHistory, NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { createChange, type Observation } from '../robots/observation.ts';
import type { ClientTasks } from './client-tasks.ts';
import { findOutageEvent } from './events/outage-event.ts';
import type { FailSafeStore } from './fail-safe-store.ts';
import { type Fetcher, fetchOrigin, isShareable } from './fetch-origin.ts';
import { Leases } from './leases.ts';
import type { Entry, OriginCache, OriginState } from './origin-state.ts';
import type { ResolvedOptions } from './origins-options.ts';
import { mayFollowRedirect } from './redirect-rules.ts';

/** A client waits for the fetch of another for the timeout of a fetch and this time. Milliseconds. */
const WAIT_MARGIN = 5_000;
/** A client that follows a redirect waits for another that fetches the target for this time, part of the timeout. Milliseconds. */
const TARGET_WAIT = 2_000;

/** An entry that is not due, or the right to fetch: with a lease, or without one if the store failed. */
type Turn = { readonly entry: Entry } | { readonly owner: string | undefined };

/** The parts of a client that a {@link Refresher} uses. */
interface RefresherParts {
  readonly options: ResolvedOptions;
  readonly cache: OriginCache;
  readonly store: FailSafeStore;
  readonly tasks: ClientTasks;
}

export class Refresher {
  readonly #parts: RefresherParts;
  readonly #leases: Leases;
  /** Refreshes by origin. */
  readonly #inFlight: InFlight<Entry> = new InFlight();
  /** Fetches of the rules of redirect targets. They wait for other fetches only for a short time, so that redirect loops cannot block. */
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

  /** Options of a request. @param openOrigins - origins that may be on private addresses, unless `allowPrivateAddresses` decides. */
  getRequestOptions(
    signal: AbortSignal,
    openOrigins: readonly string[],
  ): Pick<Parameters<Fetcher>[2], 'userAgent' | 'timeout' | 'addressPolicy' | 'signal' | 'signer'> {
    const { userAgent, timeout, allowPrivateAddresses, addressPolicy, signer } = this.#parts.options;
    return {
      userAgent,
      timeout,
      addressPolicy: addressPolicy ?? createAddressPolicy({ allowPrivateAddresses, openOrigins }),
      signal,
      ...(signer && { signer }),
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
      // Another owner of the lease may have stored a newer response. Without the store the client continues with the memory of this process.
      const after =
        stored !== undefined && !this.#isDue(origin, stored)
          ? stored
          : (createChange(observation)(history, isLeased)?.history ?? history);
      this.#reportOutage(origin, history, after);
      return cache.set(origin, after);
    } finally {
      if (owner !== undefined && !isLeased) this.#leases.end(owner);
      else if (owner !== undefined) await this.#leases.release(origin, owner);
    }
  }

  /** Waits until the origin is not due, or this client may fetch it. */
  async #waitForTurn(origin: string, isForced: boolean, signal: AbortSignal): Promise<Turn> {
    const { options, cache, tasks } = this.#parts;
    const owner = randomUUID();
    // A living owner renews its lease forever: no client waits longer than a fetch may take.
    const since = performance.now();
    const giveUpAt = since + options.timeout + WAIT_MARGIN;
    for (let isFirst = true; ; isFirst = false) {
      const history = await this.#read(origin);
      if (!isForced && !this.#isDue(origin, history)) return { entry: cache.set(origin, history) };
      const isFree = await this.#leases.take(origin, owner);
      // Without the store, and with one that has no leases, the client fetches by itself.
      if (isFree !== false) return { owner: isFree ? owner : undefined };
      if (performance.now() >= giveUpAt) return { owner: undefined };
      if (isFirst) tasks.notify({ kind: 'waiting', origin });
      await unlessAborted(this.#leases.wait(since), signal);
    }
  }

  #reportOutage(origin: string, before: OriginHistory, after: OriginHistory): void {
    const { options, cache, tasks } = this.#parts;
    const fetched = { origin, before, after, now: options.now() };
    const event = findOutageEvent(options.profile, fetched, () => cache.getPolicy(origin, after).refreshAt);
    if (event !== undefined) tasks.notify(event);
  }

  #isDue(origin: string, history: OriginHistory): boolean {
    const { cache } = this.#parts;
    return cache.isDue(cache.getPolicy(origin, history));
  }

  /** Returns the latest history of the store and of the memory, which also has the failures that are not stored. */
  async #read(origin: string): Promise<OriginHistory> {
    const { options, cache, store } = this.#parts;
    const stored = await store.get(origin);
    return getLatestHistory(stored, cache.get(origin)?.history, options.now());
  }

  async #fetch(origin: string, { response }: OriginHistory, signal: AbortSignal): Promise<Observation> {
    const { options, tasks } = this.#parts;
    const mayFollow = (url: string): Promise<boolean> =>
      mayFollowRedirect(url, (target) => this.#getTargetRobots(target, origin, signal), options.mayFollow);
    return fetchOrigin(
      origin,
      response,
      options.fetcher,
      { ...this.getRequestOptions(signal, [origin]), mayFollow },
      options.now,
      (event) => tasks.notify(event),
    );
  }

  /**
   * Returns the rules of a redirect's target. Unknown ones are fetched once, without following redirects.
   *
   * @param from - the site that redirects.
   */
  async #getTargetRobots(origin: string, from: string, signal: AbortSignal): Promise<RobotsTxt | null> {
    let { policy } = await this.getStoredState(origin);
    // The rules of the redirecting site are those being fetched.
    if (policy.kind === 'unknown' && origin !== from)
      ({ policy } = await this.#targetsInFlight.join(
        origin,
        (own) => this.#parts.tasks.track(this.#fetchTarget(origin, own)),
        signal,
      ));
    return policy.kind === 'rules' ? policy.robots : null;
  }

  /** Returns the state of an origin without a fetch. */
  async getStoredState(origin: string): Promise<OriginState> {
    const { cache, store } = this.#parts;
    const entry = cache.get(origin) ?? cache.set(origin, (await store.get(origin)) ?? NO_HISTORY);
    return cache.getState(origin, entry);
  }

  /** Fetches the robots.txt of a redirect target's site. A result that is not shareable is not cached. */
  async #fetchTarget(origin: string, signal: AbortSignal): Promise<OriginState> {
    const { options, cache, store, tasks } = this.#parts;
    const owner = randomUUID();
    let isLeased = await this.#takeTarget(origin, owner, signal);
    try {
      // Another client may have fetched it between the read and the lease.
      const latest = await this.#read(origin);
      const state = cache.getState(origin, cache.set(origin, latest));
      if (state.policy.kind !== 'unknown') return state;
      // The origin comes from a redirect, so it must not be on a private address.
      const requestOptions = { ...this.getRequestOptions(signal, []), mayFollow: async () => false };
      const observation = await fetchOrigin(
        origin,
        null,
        options.fetcher,
        requestOptions,
        options.now,
        (event) => tasks.notify(event),
      );
      const stored = isShareable(observation)
        ? await store.record(origin, observation, isLeased ? owner : undefined)
        : undefined;
      isLeased &&= stored === undefined;
      const history = stored ?? createChange(observation)(NO_HISTORY)?.history ?? NO_HISTORY;
      const entry = isShareable(observation)
        ? cache.set(origin, history)
        : cache.createEntry(origin, history);
      return cache.getState(origin, entry);
    } finally {
      if (isLeased) await this.#leases.release(origin, owner);
      else this.#leases.end(owner);
    }
  }

  /** Takes the lease of a redirect's target. Two sites can redirect to each other, so it waits only for a short time. */
  async #takeTarget(origin: string, owner: string, signal: AbortSignal): Promise<boolean> {
    const since = performance.now();
    for (;;) {
      const isFree = await this.#leases.take(origin, owner);
      if (isFree !== false) return isFree === true;
      if (performance.now() - since >= TARGET_WAIT) return false;
      await unlessAborted(this.#leases.wait(since), signal);
    }
  }
}
