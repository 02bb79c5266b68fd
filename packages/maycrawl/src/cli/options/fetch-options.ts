/**
 * Options that several commands have.
 *
 * @module
 */
import type { ReadingOptions } from '../input/source.ts';
import { duration, flag, type OptionDescription, type OptionTable, text } from './option.ts';

/** The version of this package. */
export const VERSION = '0.1.0';

/** How the command names itself to sites. */
export const USER_AGENT: OptionDescription<string> = text('<text>', 'User-Agent header of requests', {
  default: `maycrawl/${VERSION}`,
});

/** How long one request may take. */
export const TIMEOUT: OptionDescription<number> = duration(
  '<time>',
  ['1ms', '1h'],
  'longest time to fetch a robots.txt, redirects included',
  { default: '30s' },
);

/** Opens addresses that are not of the public Internet. Without it only the origins on the command line may be on such addresses. */
export const ALLOW_PRIVATE: OptionDescription<boolean> = flag(
  'also connect to private addresses beyond those that you name: of redirects, links and sitemaps that lead into your network',
);

/** Where responses of sites are stored. */
export const CACHE_DATABASE: OptionDescription<string> = text(
  '<path|url|none>',
  'where responses of sites are stored: a SQLite file, a postgres:// URL or none (default: a file in your cache folder)',
);

/** The format of the output. */
export const JSON_OUTPUT: OptionDescription<boolean> = flag('print JSON');

/** How a robots.txt is read. */
export const PROFILE: OptionDescription<string> = text(
  '<name>',
  'reading of robots.txt: google, google-2022, google-2013 or rfc9309',
  { default: 'google' },
);

/** Options of each command that fetches robots.txt. */
export const FETCHING: OptionTable<Omit<ReadingOptions, 'profile'> & { readonly profile: string }> = {
  profile: PROFILE,
  userAgent: USER_AGENT,
  timeout: TIMEOUT,
  database: CACHE_DATABASE,
  fresh: flag('fetch also what is stored'),
  offline: flag('fetch nothing: use what is stored'),
  allowPrivate: ALLOW_PRIVATE,
};
