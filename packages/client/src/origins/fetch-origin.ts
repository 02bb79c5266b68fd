// Fetches the robots.txt of an origin, and converts the result to an observation for its history.
import { GOOGLE, type Profile } from '@maycrawl/core';
import type { AddressPolicy } from '../http/address-policy.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { requireFetchResult } from '../robots/caller-data.ts';
import {
  type CacheHeaders,
  type FetchCode,
  type FetchResult,
  NO_HEADERS,
  type Validators,
} from '../robots/fetch-result.ts';
import { getFreshnessLifetime } from '../robots/freshness.ts';
import type { CachedResponse } from '../robots/history.ts';
import type { Observation } from '../robots/observation.ts';
import type { RequestSigner } from '../signatures/request-signer.ts';
import { type FetchMessage, publishEvent } from './events/client-event.ts';

/** Fetches a robots.txt, like `refetchRobotsTxt`. */
export type Fetcher = (
  url: string,
  validators: Validators | undefined,
  options: {
    readonly profile: Profile;
    readonly userAgent: string;
    readonly timeout: number;
    readonly addressPolicy: AddressPolicy;
    readonly readsErrorBodies: true;
    readonly mayFollow: (url: string) => Promise<boolean>;
    readonly signal: AbortSignal;
    /** Signs the requests, if the client has the option `signature`. */
    readonly signer?: RequestSigner;
  },
) => Promise<FetchResult>;

/** Results that depend on the crawler or the address policy of one client. */
const PRIVATE_CODES: ReadonlySet<FetchCode | null> = new Set<FetchCode>([
  'disallowed-redirect',
  'private-address',
]);

/** Returns whether an observation applies to all clients. */
export function isShareable(observation: Observation): boolean {
  const { code } = 'response' in observation ? observation.response : observation.failure;
  return !PRIVATE_CODES.has(code);
}

/**
 * Fetches the robots.txt of an origin. The observation does not depend on a profile: status 429, and a 5xx that says that the page was not
 * found, are failures here, and the outage policy of each profile interprets them.
 *
 * @param stored - the response that the server may confirm.
 * @param report - receives the event of the fetch.
 * @throws as the fetcher does, and TypeError if it returns something else than a result.
 */
export async function fetchOrigin(
  origin: string,
  stored: CachedResponse | null,
  fetcher: Fetcher,
  options: Omit<Parameters<Fetcher>[2], 'profile' | 'readsErrorBodies'>,
  now: () => number,
  report: (event: FetchMessage) => void = publishEvent,
): Promise<Observation> {
  const url = `${origin}/robots.txt`;
  const request = { ...options, profile: GOOGLE, readsErrorBodies: true } as const;
  const fetching = { origin, url, userAgent: options.userAgent };
  const run = async (): Promise<FetchResult> =>
    requireFetchResult(await fetcher(url, getValidators(stored), request));
  return toObservation(origin, stored, await reportFetch(fetching, run, report), now());
}

/**
 * Runs a fetch of a robots.txt, and creates its event.
 *
 * @param report - receives the event.
 * @returns the result of `run`.
 * @throws the error of `run`.
 */
export async function reportFetch<T extends FetchResult>(
  fetching: Pick<FetchMessage, 'origin' | 'url' | 'userAgent'>,
  run: () => Promise<T>,
  report: (event: FetchMessage) => void = publishEvent,
): Promise<T> {
  const start = performance.now();
  const getDetails = (): Omit<
    Extract<FetchMessage, { readonly kind: 'fetch-failed' }>,
    'kind' | 'error'
  > => ({
    ...fetching,
    duration: performance.now() - start,
  });
  let result: T;
  try {
    result = await run();
  } catch (error) {
    report({ kind: 'fetch-failed', ...getDetails(), error });
    throw error;
  }
  report({
    kind: 'fetched',
    ...getDetails(),
    result: result.kind,
    status: result.hops.at(-1)?.status ?? null,
    code: 'code' in result ? result.code : null,
    bytes: result.kind === 'successful' ? result.bytes.length : 0,
    responses: result.hops.length,
  });
  return result;
}

function toObservation(
  origin: string,
  stored: CachedResponse | null,
  result: FetchResult,
  at: number,
): Observation {
  const { hops, timings } = result;
  const status = hops.at(-1)?.status ?? null;
  const headers = result.headers ?? NO_HEADERS;
  const staleAt = at + getFreshnessLifetime(headers, at);
  const response = { fetchedAt: at, staleAt, status, headers, hops, timings };
  switch (result.kind) {
    case 'unreachable': {
      const { code, message, saysNotFound = false } = result;
      const retryAt = parseRetryAfter(headers.retryAfter, at);
      return { failure: { at, code, status, message, retryAt, saysNotFound, hops, timings } };
    }
    case 'not-modified': {
      if (stored === null) throw new TypeError(`${origin} confirms a response that is not stored`);
      const confirmed = confirmHeaders(stored.headers, headers);
      const lifetime = getFreshnessLifetime(confirmed, at);
      return {
        response: { ...stored, headers: confirmed, fetchedAt: at, staleAt: at + lifetime, timings },
      };
    }
    case 'successful':
      return {
        response: { ...response, kind: 'successful', bytes: result.bytes, code: null, message: null },
      };
    case 'unavailable': {
      const { kind, code, message } = result;
      return { response: { ...response, kind, bytes: new Uint8Array(0), code, message } };
    }
  }
}

function getValidators(stored: CachedResponse | null): Validators | undefined {
  const url = stored?.kind === 'successful' ? stored.hops.at(-1)?.url : undefined;
  if (url === undefined || stored === null) return undefined;
  const { etag, lastModified } = stored.headers;
  return { url, etag, lastModified };
}

/** Returns the headers after a confirmation: those of the 304 replace those of the stored response (RFC 9111 section 3.2). */
function confirmHeaders(stored: CacheHeaders, sent: CacheHeaders): CacheHeaders {
  const replacing = Object.entries(sent).filter(([, value]) => value !== null);
  // The age of the stored response no longer counts.
  return { ...stored, age: null, date: null, ...Object.fromEntries(replacing) };
}
