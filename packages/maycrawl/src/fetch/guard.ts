/**
 * A guard against being led into a private network: a server that fetches what strangers name must not reach its own
 * neighbours for them. Addresses are checked when they are known, for every connection, and those that were checked are the ones
 * connected to.
 *
 * @module
 */
import { type LookupAddress, type LookupOptions, lookup as lookupName } from 'node:dns';
import ipaddr from 'ipaddr.js';

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** The address is not one of the public Internet. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'private-address';
}

/**
 * Whether an address belongs to the public Internet: not private, loopback, link-local (where clouds keep their metadata),
 * multicast, carrier-grade NAT, documentation or otherwise reserved. An IPv6 address that carries an IPv4 address is what that
 * one is.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' && !INSIDE_CLOUDS.has(parsed.toString());
  const inner = innerAddress(parsed as ipaddr.IPv6);
  if (inner !== undefined) return isPublicAddress(inner.toString());
  return parsed.range() === 'unicast' && isGlobal(parsed.toByteArray());
}

/** Only 2000::/3 is given out (RFC 4291 section 2.4); of that, ISATAP (RFC 5214) leads to IPv4 addresses. */
function isGlobal(bytes: readonly number[]): boolean {
  const isIsatap =
    bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe && ((bytes[8] as number) & 0xfd) === 0;
  return ((bytes[0] as number) & 0xe0) === 0x20 && !isIsatap;
}

/** Public by its number, but it is the inside of a cloud that answers there (Azure's WireServer). */
const INSIDE_CLOUDS = new Set(['168.63.129.16']);

/** The IPv4 address in an IPv6 address that is a way to one. */
function innerAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  switch (address.range()) {
    // ::ffff:a.b.c.d and 64:ff9b::a.b.c.d (RFC 4291 section 2.5.5.2, RFC 6052).
    case 'ipv4Mapped':
    case 'rfc6052':
      return new ipaddr.IPv4(bytes.slice(12));
    // 2002:aabb:ccdd:: (RFC 3056).
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6));
    default:
      return undefined;
  }
}

/** The same look-up, but if one of the addresses is not public there is an error. */
export function publicOnly(lookup: Lookup = lookupName as Lookup): Lookup {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = found as LookupAddress[];
      try {
        for (const { address } of addresses) requirePublic(address, hostname);
      } catch (refused) {
        return callback(refused as Error, []);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? [], first?.family);
    });
  };
}

/** @throws {PrivateAddressError} if an address is not public. `hostname` is what it was found for. */
export function requirePublic(address: string, hostname: string): void {
  if (isPublicAddress(address)) return;
  const where = address === hostname ? address : `${hostname}, which is ${address}`;
  throw new PrivateAddressError(`not a public address: ${where}`);
}
