import { type CacheHeaders, type Hop, NO_HEADERS } from '../../src/robots/fetch-result.ts';
import type { CachedResponse, Failure } from '../../src/robots/history.ts';
import type { Timings } from '../../src/robots/phases.ts';

/** The details of a successful response besides its file. */
export const RESPONSE_DETAILS: {
  readonly headers: CacheHeaders;
  readonly hops: readonly Hop[];
  readonly timings: Timings;
} = {
  headers: { ...NO_HEADERS, etag: '"e"' },
  hops: [{ url: 'https://example.com/robots.txt', status: 200 }],
  timings: { lookup: 0.5, connect: 1, headers: 2.5, total: 4 },
};

/** A response with a file, which is fresh for a second. */
export function createResponse(fetchedAt: number, more: Partial<CachedResponse> = {}): CachedResponse {
  return {
    ...{ kind: 'successful', fetchedAt, staleAt: fetchedAt + 1000, status: 200, code: null, message: null },
    ...{ bytes: new TextEncoder().encode(`# ${fetchedAt}`), ...RESPONSE_DETAILS, ...more },
  };
}

/** A failure with status 503. */
export function createFailure(at: number, more: Partial<Failure> = {}): Failure {
  return {
    ...{ at, code: 'http-status', status: 503, message: 'status 503', retryAt: null, saysNotFound: false },
    ...{ hops: [], timings: { total: 1 }, ...more },
  };
}
