// Options that several commands have.
import type { OptionValues } from './option-record.ts';

/** The version of this package. */
export const VERSION = '0.1.0';

export const USER_AGENT = {
  type: 'header',
  placeholder: '<text>',
  description: 'User-Agent header of requests',
  default: `maycrawl/${VERSION}` as string,
  sections: ['serve', 'watch', 'audit'],
} as const;

export const TIMEOUT = {
  type: 'duration',
  placeholder: '<time>',
  range: ['1ms', '1h'],
  description: 'maximum time to fetch a robots.txt, including redirects',
  default: '30s',
  sections: ['serve', 'watch'],
} as const;

/** Allows addresses outside the public Internet. Without it only the origins on the command line may have such addresses. */
export const ALLOW_PRIVATE = {
  type: 'flag',
  description:
    'allow connections to private addresses from redirects, links and sitemaps, not only to the sites you name',
  sections: ['watch', 'audit'],
} as const;

export const CACHE_DATABASE = {
  type: 'text',
  placeholder: '<path|url|none>',
  description:
    'store of responses: a SQLite file, a postgres:// URL or none (default: a file in your cache folder)',
  sections: ['serve'],
} as const;

/** The limits of a store of responses. */
export const MAX_BYTES = {
  type: 'size',
  placeholder: '<size>',
  description:
    'maximum size of the stored responses, such as 2GB (default: 512 MiB; in PostgreSQL 4 GiB, in memory 64 MiB)',
  sections: ['serve'],
} as const;
export const MAX_ORIGINS = {
  type: 'count',
  placeholder: '<count>',
  range: [1, undefined],
  description: 'maximum number of sites in the store (default: 1000000)',
  sections: ['serve'],
} as const;

export const JSON_OUTPUT = { type: 'flag', description: 'print JSON' } as const;

/** The names stand here again, because the command does not load core at every start; a test compares them. */
export const PROFILE = {
  type: 'text',
  placeholder: '<name>',
  description: 'profile: google, google-2022, google-2013 or rfc9309',
  default: 'google',
  sections: ['audit'],
} as const;

/** Options of each command that fetches robots.txt. */
export const FETCHING = {
  profile: PROFILE as typeof PROFILE,
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: TIMEOUT as typeof TIMEOUT,
  database: CACHE_DATABASE as typeof CACHE_DATABASE,
  fresh: { type: 'flag', description: 'fetch even if the stored response is fresh' },
  offline: { type: 'flag', description: 'send no requests: use stored responses only' },
  allowPrivate: ALLOW_PRIVATE as typeof ALLOW_PRIVATE,
} as const;
export type ReadingOptions = OptionValues<typeof FETCHING>;
