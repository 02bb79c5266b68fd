// URLs and hosts on the command line.

import { hasScheme, type ParsedUrl, parseUrl } from '@maycrawl/core/url';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';

/**
 * Parses a URL or a host. A host gets the scheme `https`.
 *
 * A name without a dot is more often a mistake than a host, so it needs a scheme. Addresses and `localhost` do not.
 *
 * @throws {CommandError} if it is neither an http, https or ftp URL nor a host.
 */
export function parseUrlOrHost(text: string): ParsedUrl {
  const url = parseUrl(hasScheme(text) ? text : `https://${text}`);
  if (url === undefined || !/^(https?|ftp):$/.test(url.protocol))
    throw new CommandError(`"${visible(text)}" is not a site: give an http, https or ftp URL, or a host`);
  const [host = ''] = text.split(/[/?#]/);
  if (hasScheme(text) || url.hostname === 'localhost' || host.startsWith('[') || /\../.test(host)) return url;
  throw new CommandError(
    `"${visible(text)}" is neither a URL nor a host with a dot: write https://${visible(text)} if it is a host`,
  );
}

/** Parses a URL or a host to an origin, as {@link parseUrlOrHost} does. @throws {CommandError} if it is neither. */
export function parseOrigin(text: string): string {
  return parseUrlOrHost(text).origin;
}
