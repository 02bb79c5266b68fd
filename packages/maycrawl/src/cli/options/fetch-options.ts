// Options that several commands have.
import type { CacheLimits } from '../input/response-store.ts';
import type { ReadingOptions } from '../input/source.ts';
import { count, duration, flag, type OptionDescription, type OptionTable, size, text } from './option.ts';

/** The version of this package. */
export const VERSION = '0.1.0';

export const USER_AGENT: OptionDescription<string> = text('<text>', 'User-Agent header of requests', {
  default: `maycrawl/${VERSION}`,
});

export const TIMEOUT: OptionDescription<number> = duration(
  '<time>',
  ['1ms', '1h'],
  'maximum time to fetch a robots.txt, including redirects',
  { default: '30s' },
);

/** Allows addresses outside the public Internet. Without it only the origins on the command line may have such addresses. */
export const ALLOW_PRIVATE: OptionDescription<boolean> = flag(
  'allow connections to private addresses from redirects, links and sitemaps, not only to the sites you name',
);

export const CACHE_DATABASE: OptionDescription<string> = text(
  '<path|url|none>',
  'store of responses: a SQLite file, a postgres:// URL or none (default: a file in your cache folder)',
);

/** The limits of a store of responses. */
export const CACHE_LIMITS: OptionTable<CacheLimits> = {
  maxBytes: size(
    '<size>',
    'maximum size of the stored responses, such as 2GB (default: 512 MiB; in PostgreSQL 4 GiB, in memory 64 MiB)',
  ),
  maxOrigins: count(
    '<count>',
    [1, Number.POSITIVE_INFINITY],
    'maximum number of sites in the store (default: 1000000)',
  ),
};

export const JSON_OUTPUT: OptionDescription<boolean> = flag('print JSON');

/** The names stand here again, because the command does not load core at every start; a test compares them. */
export const PROFILE: OptionDescription<string> = text(
  '<name>',
  'profile: google, google-2022, google-2013 or rfc9309',
  { default: 'google' },
);

/** Options of each command that fetches robots.txt. */
export const FETCHING: OptionTable<ReadingOptions> = {
  profile: PROFILE,
  userAgent: USER_AGENT,
  timeout: TIMEOUT,
  database: CACHE_DATABASE,
  fresh: flag('fetch even if the stored response is fresh'),
  offline: flag('send no requests: use stored responses only'),
  allowPrivate: ALLOW_PRIVATE,
};
