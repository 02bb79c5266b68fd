// Hosts that are not on the public Internet, judged by their form. Nothing is resolved.
import { isPublicAddress } from '../bytes/ip-address.ts';
import { removeBrackets } from '../bytes/url.ts';

/**
 * Names of this machine (RFC 6761), of local networks (RFC 6762, RFC 8375; ICANN for `internal`) and names
 * that never resolve (RFC 6761). `example` is not included: documentation uses it for public names.
 */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|test|invalid)$/;

/**
 * Returns whether a host can be on the public Internet.
 *
 * @param host - as the URL Standard serializes it: in lower case, an IPv4 address as four numbers, an IPv6
 *   address in brackets.
 */
export function isPublicHost(host: string): boolean {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return isPublicAddress(removeBrackets(host));
  const name = host.replace(/\.$/, '');
  return name.includes('.') && !LOCAL_NAME.test(name);
}
