/**
 * Hosts that are not on the public Internet, judged by their form. Nothing is resolved.
 *
 * @module
 */

/**
 * Names of this machine (RFC 6761), of local networks (RFC 6762, RFC 8375; ICANN for `internal`) and names
 * that never resolve (RFC 6761). `example` is not included: documentation uses it for public names.
 */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|test|invalid)$/;

/** "This network", private, loopback, link-local, shared (RFC 6598), multicast and reserved addresses. */
const LOCAL_IPV4 =
  /^(?:0|10|127|22[4-9]|2[3-5]\d|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./;

/** Global unicast addresses: 2000::/3 is the only range assigned (RFC 4291 section 2.4). */
const PUBLIC_IPV6 = /^\[[23][0-9a-f]{3}:/;

/**
 * Returns whether a host can be on the public Internet.
 *
 * @param host - as the URL Standard serializes it: in lower case, an IPv4 address as four numbers, an IPv6
 *   address in brackets.
 */
export function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return PUBLIC_IPV6.test(host);
  if (/^\d+(?:\.\d+){3}$/.test(host)) return !LOCAL_IPV4.test(host);
  const name = host.replace(/\.$/, '');
  return name.includes('.') && !LOCAL_NAME.test(name);
}
