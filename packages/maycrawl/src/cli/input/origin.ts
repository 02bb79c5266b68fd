/**
 * URLs and hosts on the command line.
 *
 * @module
 */

import { hasScheme, type ParsedUrl, parseUrl } from '@maycrawl/core/url';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';

/**
 * The URL that a user means: a URL, or a host alone, which gets the scheme `https`.
 *
 * A name without a dot is more often a mistake than a host, so that it needs a scheme. Addresses and `localhost` do not.
 *
 * @throws {CommandError} if it is neither an http, https or ftp URL nor a host.
 */
export function parseUrlOrHost(text: string): ParsedUrl {
  const url = parseUrl(hasScheme(text) ? text : `https://${text}`);
  if (url === undefined || !/^(https?|ftp):$/.test(url.protocol))
    throw new CommandError(`"${visible(text)}" is no site: give an http, https or ftp URL, or a host`);
  const [host = ''] = text.split(/[/?#]/);
  if (hasScheme(text) || url.hostname === 'localhost' || host.startsWith('[') || /\../.test(host)) return url;
  throw new CommandError(
    `"${visible(text)}" is neither a URL nor a host with a dot: write https://${visible(text)} if it is the name of a host`,
  );
}

/**
 * The origin of a URL or a host, as {@link parseUrlOrHost} reads it.
 *
 * @throws {CommandError} if it is neither.
 */
export function parseOrigin(text: string): string {
  return parseUrlOrHost(text).origin;
}
