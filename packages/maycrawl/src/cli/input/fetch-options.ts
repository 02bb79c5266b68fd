/**
 * Options that every command has that fetches. Loads nothing, because the command reads it at every start.
 *
 * @module
 */

/** Opens addresses that are not of the public Internet. Without it only the origins on the command line may be on such addresses. */
export const ALLOW_PRIVATE = [
  '--allow-private',
  'also connect to private addresses: beyond what you name, such as redirects, links and sitemaps that lead into your network',
] as const;
