/**
 * Whether a site is otherwise reachable while its robots.txt is not: found out by a request for `/` before anything is claimed
 * (Google's page: after 30 days of errors, a site that is generally available counts as one without a robots.txt).
 *
 * @module
 */
import { GOOGLE } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import type { Fetcher } from './fetch-origin.ts';

/** Results that are kept. */
const MAX_SITES = 10_000;
/** Milliseconds for which a result counts. */
const LIFETIME = 3_600_000;

/** Milliseconds for which a failure of this machine, or of its guard, is remembered: no decision waits for another request so long. */
const FAILURE_LIFETIME = 60_000;

/** Requests `/` of a site. @returns whether it responded, with anything but an error of the server. */
export type SiteRequest = (origin: string, signal: AbortSignal) => Promise<boolean>;

/**
 * Requests `/` of a site, whatever its rules say: they are not known.
 *
 * @param options - of the request (fetch-origin.ts).
 * @returns whether the site responded, with anything but an error of the server.
 * @throws as the fetcher does, if the request failed on this machine, and if its own guard refused the address.
 */
export async function requestHome(
  origin: string,
  fetcher: Fetcher,
  options: Omit<Parameters<Fetcher>[2], 'profile' | 'errorBodies' | 'mayFollow'>,
): Promise<boolean> {
  const result = await fetcher(`${origin}/`, undefined, {
    ...options,
    mayFollow: async () => true,
    profile: GOOGLE,
    errorBodies: 'tell',
  });
  // That our own guard refuses an address says nothing about the site.
  if (result.kind === 'unreachable' && result.code === 'private-address') throw new Error(result.message);
  return result.kind !== 'unreachable';
}

/** Checks sites, each once however many callers wait, and remembers the results for an hour. */
export class SiteChecks {
  readonly #request: SiteRequest;
  readonly #now: () => number;
  readonly #results: LRUCache<string, { readonly isReachable: boolean; readonly at: number }> = new LRUCache({
    max: MAX_SITES,
  });
  readonly #failures: LRUCache<string, { readonly error: unknown; readonly at: number }> = new LRUCache({
    max: MAX_SITES,
  });
  readonly #underWay: Map<string, Promise<boolean>> = new Map();

  /** @param now - the time in milliseconds since 1970. */
  constructor(request: SiteRequest, now: () => number) {
    this.#request = request;
    this.#now = now;
  }

  /** The last result; `undefined` if there is none that still counts. */
  result(origin: string): boolean | undefined {
    const last = this.#results.get(origin);
    const age = last === undefined ? Number.NaN : this.#now() - last.at;
    return age >= 0 && age < LIFETIME ? last?.isReachable : undefined;
  }

  /**
   * Checks a site.
   *
   * @throws as the request does, if it failed on this machine, or did less than a minute ago; then there is no result.
   */
  async check(origin: string, signal: AbortSignal): Promise<boolean> {
    const failure = this.#failures.get(origin);
    const age = failure === undefined ? Number.NaN : this.#now() - failure.at;
    if (age >= 0 && age < FAILURE_LIFETIME) throw failure?.error;
    const underWay = this.#underWay.get(origin) ?? this.#check(origin, signal);
    this.#underWay.set(origin, underWay);
    try {
      return await underWay;
    } finally {
      if (this.#underWay.get(origin) === underWay) this.#underWay.delete(origin);
    }
  }

  async #check(origin: string, signal: AbortSignal): Promise<boolean> {
    try {
      const isReachable = await this.#request(origin, signal);
      this.#results.set(origin, { isReachable, at: this.#now() });
      return isReachable;
    } catch (error) {
      this.#failures.set(origin, { error, at: this.#now() });
      throw error;
    }
  }
}
