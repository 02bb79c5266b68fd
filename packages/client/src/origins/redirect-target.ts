// Targets of redirects. A redirect comes from outside, so it must not lead to a private address (docs/fetching.md).
import { getOrigin, parseUrl, removeBrackets, toUrlText, type UrlInput } from '@maycrawl/core/url';
import { createAddressPolicy, requirePermitted } from '../http/address-policy.ts';
import { getSharedResolver } from '../http/dns/resolver.ts';
import type { OriginsOptions } from './origins-options.ts';

/**
 * Requires that a redirect may lead to the addresses of a URL.
 *
 * @param source - the URL that the caller passed. Its origin may be on a private address.
 * @throws {PrivateAddressError} if it may not.
 * @throws {RangeError} if one of the URLs is not an absolute http, https or ftp URL.
 * @throws the error of the resolver if the addresses are unknown.
 */
export async function requireOpenTarget(
  target: UrlInput,
  source: UrlInput,
  { allowPrivateAddresses, addressPolicy }: Pick<OriginsOptions, 'allowPrivateAddresses' | 'addressPolicy'>,
  signal?: AbortSignal,
): Promise<void> {
  const [url, from] = [toUrlText(target), toUrlText(source)];
  // The fetch of robots.txt applies the address policy to the origin that the caller passed.
  if (getOrigin(url) === getOrigin(from) || (addressPolicy === undefined && allowPrivateAddresses === true))
    return;
  const policy = addressPolicy ?? createAddressPolicy({ allowPrivateAddresses, openOrigins: [from] });
  const host = removeBrackets(parseUrl(url)?.hostname ?? '');
  const addresses = await getSharedResolver().resolve(host, signal === undefined ? {} : { signal });
  for (const address of addresses) requirePermitted(policy, url, address, host);
}
