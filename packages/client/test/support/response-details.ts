import { type CacheHeaders, type Hop, NO_HEADERS } from '../../src/robots/fetch-result.ts';
import type { Timings } from '../../src/robots/phases.ts';

/** The details of a successful response besides its file. */
export const RESPONSE_DETAILS: {
  readonly headers: CacheHeaders;
  readonly hops: readonly Hop[];
  readonly timings: Timings;
} = {
  headers: {
    ...NO_HEADERS,
    etag: '"e"',
  },
  hops: [{ url: 'https://example.com/robots.txt', status: 200 }],
  timings: { lookup: 0.5, connect: 1, headers: 2.5, total: 4 },
};
