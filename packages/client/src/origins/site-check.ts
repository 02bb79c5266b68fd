// Checks whether a site is otherwise reachable while its robots.txt is not, by a request for `/` (Google's page: after 30 days of
// errors, a site that is generally available counts as one without a robots.txt).
import { GOOGLE } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { InFlight } from '../event-loop/in-flight.ts';
import { isOwnRefusal } from '../http/request-failure.ts';
import { requireFetchResult } from '../robots/caller-data.ts';
import type { Fetcher } from './fetch-origin.ts';

const MAX_SITES = 10_000;
/** Milliseconds for which a result is used. */
const LIFETIME = 3_600_000;
/** Milliseconds for which an error of this machine is thrown again without a request, so that no decision waits for one. */
const ERROR_LIFETIME = 60_000;

/** Requests `/` of a site. @returns whether it responded with anything but an error of the server. */
export type SiteRequest = (origin: string, signal: AbortSignal) => Promise<boolean>;

/**
 * Requests `/` of a site, whatever its rules, which are unknown.
 *
 * @param options - of the request (fetch-origin.ts).
 * @returns whether the site responded with anything but an error of the server.
 * @throws as the fetcher does, and if the client refuses the address or the port, which says nothing about the site.
 */
export async function requestHome(
  origin: string,
  fetcher: Fetcher,
  options: Omit<Parameters<Fetcher>[2], 'profile' | 'readsErrorBodies' | 'mayFollow'>,
): Promise<boolean> {
  const request = {
    ...options,
    mayFollow: async () => true,
    profile: GOOGLE,
    readsErrorBodies: true,
  } as const;
  const result = requireFetchResult(await fetcher(`${origin}/`, undefined, request));
  if (result.kind === 'unreachable' && isOwnRefusal(result.code)) throw new Error(result.message);
  return result.kind !== 'unreachable';
}

/** Checks sites, each once for all callers that wait, and caches the results. */
export class SiteChecks {
  readonly #request: SiteRequest;
  readonly #now: () => number;
  readonly #results: LRUCache<string, { readonly isReachable: boolean; readonly at: number }> = new LRUCache({
    max: MAX_SITES,
  });
  readonly #errors: LRUCache<string, { readonly error: unknown; readonly at: number }> = new LRUCache({
    max: MAX_SITES,
  });
  readonly #inFlight: InFlight<boolean> = new InFlight();

  /** @param now - the time in milliseconds since 1970. */
  constructor(request: SiteRequest, now: () => number) {
    this.#request = request;
    this.#now = now;
  }

  /** Returns the last result; `undefined` without one, or it is too old. */
  getResult(origin: string): boolean | undefined {
    const last = this.#results.get(origin);
    return last !== undefined && this.#isWithin(LIFETIME, last.at) ? last.isReachable : undefined;
  }

  /**
   * Checks a site.
   *
   * @throws the error of the request, or of one less than a minute ago; then there is no result.
   */
  async check(origin: string): Promise<boolean> {
    const last = this.#errors.get(origin);
    if (last !== undefined && this.#isWithin(ERROR_LIFETIME, last.at)) throw last.error;
    return this.#inFlight.join(origin, (signal) => this.#check(origin, signal));
  }

  async #check(origin: string, signal: AbortSignal): Promise<boolean> {
    try {
      const isReachable = await this.#request(origin, signal);
      this.#results.set(origin, { isReachable, at: this.#now() });
      return isReachable;
    } catch (error) {
      this.#errors.set(origin, { error, at: this.#now() });
      throw error;
    }
  }

  #isWithin(lifetime: number, at: number): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < lifetime;
  }
}
