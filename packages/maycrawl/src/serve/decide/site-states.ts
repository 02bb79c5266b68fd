// The policies of sites, which all requests share.
import type { OriginState, OriginsOptions } from '@maycrawl/client';
import type { TimeSlices } from '@maycrawl/client/internal';
import { isLocalFailure, Origins } from '@maycrawl/client/internal';
import type { Profile } from '@maycrawl/core';
import { Problem, toProblem } from '../http/problems.ts';
import type { Work } from '../limits/work.ts';
import type { Sites } from './sites.ts';

/** The number of sites that are fetched at the same time for one request. */
const CONCURRENCY = 64;

export interface SiteStatesOptions extends Omit<OriginsOptions, 'profile'> {
  /** A site could not be fetched because something is wrong with this machine. */
  readonly onLocalFailure?: (origin: string, error: unknown) => void;
}

/** The state of a site, or why there is none. */
type StateOrProblem = OriginState | Problem;

/** Fetches sites, once for all requests. */
export class SiteStates {
  readonly #options: Omit<OriginsOptions, 'profile'>;
  readonly #onLocalFailure: SiteStatesOptions['onLocalFailure'];
  readonly #sites: Sites;
  readonly #slices: TimeSlices;
  readonly #origins: Map<Profile, Origins> = new Map();

  constructor({ onLocalFailure, ...options }: SiteStatesOptions, sites: Sites, slices: TimeSlices) {
    this.#options = options;
    this.#onLocalFailure = onLocalFailure;
    this.#sites = sites;
    this.#slices = slices;
  }

  /** The state of a site if it needs no request; `undefined` otherwise. */
  getKnown(origin: string, profile: Profile): OriginState | undefined {
    return this.#getOrigins(profile).getCachedState(origin);
  }

  /**
   * The state of a site now.
   *
   * @throws {Problem} if the client has caused as many requests as it may, or this machine cannot send any.
   * @throws the reason of the work's signal when it aborts.
   */
  async get(origin: string, profile: Profile, { client, signal }: Work): Promise<OriginState> {
    const origins = this.#getOrigins(profile);
    const known = origins.getCachedState(origin);
    if (known !== undefined) return known;
    client.countRequests();
    try {
      return await client.fetches.run(() => origins.getState(origin, { signal }), signal);
    } catch (error) {
      if (!isLocalFailure(error)) throw error;
      this.#onLocalFailure?.(origin, error);
      throw toProblem(error);
    }
  }

  /**
   * Fetches the sites of URLs in their order, a limited number at a time. Returns the state of each, or a promise of it, by origin.
   */
  async fetchAhead(
    urls: Iterable<string>,
    profile: Profile,
    work: Work,
  ): Promise<Map<string, StateOrProblem | Promise<StateOrProblem>>> {
    const states = new Map<string, StateOrProblem | Promise<StateOrProblem>>();
    const fetches: (() => Promise<void>)[] = [];
    for (const url of urls) {
      if (this.#slices.isUsedUp()) await this.#slices.giveWay(work.signal);
      const origin = this.#sites.parseOrigin(url);
      if (origin === undefined || states.has(origin)) continue;
      const state = this.getKnown(origin, profile);
      if (state !== undefined) {
        states.set(origin, state);
        continue;
      }
      const { promise, resolve, reject } = createDeferred<StateOrProblem>();
      // The caller may stop before it waits for it.
      promise.catch(() => {});
      states.set(origin, promise);
      fetches.push(async () => {
        if (work.signal.aborted) return reject(work.signal.reason);
        const found = await this.get(origin, profile, work).catch((error: unknown) => {
          if (error instanceof Problem && !work.signal.aborted) return error;
          reject(error);
          return undefined;
        });
        if (found === undefined) return;
        states.set(origin, found);
        resolve(found);
      });
    }
    this.#start(fetches);
    return states;
  }

  #start(fetches: readonly (() => Promise<void>)[]): void {
    const next = fetches.values();
    const run = async (): Promise<void> => {
      for (const fetch of next) {
        // A site on a private address has its result without any I/O, after which the event loop would do other work.
        if (this.#slices.isUsedUp()) await this.#slices.giveWay();
        await fetch();
      }
    };
    for (let index = 0; index < Math.min(CONCURRENCY, fetches.length); index++) void run();
  }

  /** Makes the responses in memory stale. */
  expire(isExpired: (origin: string) => boolean): void {
    for (const each of this.#origins.values()) each.expire(isExpired);
  }

  /** Resolves when no fetch is under way any more. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#origins.values(), (each) => each.idle()));
  }

  #getOrigins(profile: Profile): Origins {
    const origins = this.#origins.get(profile) ?? new Origins({ ...this.#options, profile });
    this.#origins.set(profile, origins);
    return origins;
  }
}

function createDeferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}
