import type { CacheHeaders, Hop } from '../../src/robots/fetch-result.ts';
import type { Timings } from '../../src/robots/phases.ts';

/** What a good answer carries beside its file. */
export const TOLD: {
  readonly headers: CacheHeaders;
  readonly hops: readonly Hop[];
  readonly timings: Timings;
} = {
  headers: {
    ...{ cacheControl: null, expires: null, date: null, age: null },
    ...{ etag: '"e"', lastModified: null, retryAfter: null },
  },
  hops: [{ url: 'https://example.com/robots.txt', status: 200 }],
  timings: { lookup: 0.5, connect: 1, headers: 2.5, total: 4 },
};
