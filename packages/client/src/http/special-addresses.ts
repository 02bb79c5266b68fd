/**
 * Which IP addresses belong to the public Internet, by the IANA registries of special-purpose addresses (RFC 6890). Knows nothing
 * of names, URLs and connections.
 *
 * @module
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by its number, but the host of a virtual machine responds there (Azure's WireServer). */
const CLOUD_HOSTS: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The metadata of virtual machines (AWS), in a range that is otherwise an ordinary private one. */
const CLOUD_METADATA: ReadonlySet<string> = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200']);

/** Ranges that local networks use for ordinary servers. */
const LOCAL_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Documentation (RFC 9637), which ipaddr.js does not know. */
const DOCUMENTATION = ipaddr.parseCIDR('3fff::/20') as [ipaddr.IPv6, number];
/** Local use NAT64 (RFC 8215): where in it an IPv4 address stands is the decision of each network. */
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48') as [ipaddr.IPv6, number];

/**
 * Checks whether an address belongs to the public Internet. Private, loopback, link-local (where clouds have their metadata),
 * multicast, carrier-grade NAT, documentation and reserved addresses do not. An IPv6 address that carries an IPv4 address has the
 * class of that one.
 *
 * @param address - IPv4 in dotted decimal, or IPv6 without brackets. Any other text is not public.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' && !CLOUD_HOSTS.has(parsed.toString());
  return parsed.range() === 'unicast' && isGlobalUnicast(parsed as ipaddr.IPv6);
}

/**
 * Checks whether an address is one that servers of a local network have: loopback, RFC 1918, unique local (RFC 4193) or
 * carrier-grade NAT. Link-local addresses, multicast, reserved ranges and the metadata services of clouds are not.
 *
 * @param address - as {@link isPublicAddress} takes it.
 */
export function isLocalServerAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && LOCAL_RANGES.has(parsed.range()) && !CLOUD_METADATA.has(parsed.toString());
}

/**
 * Writes an address in its one canonical form, an IPv6 address that carries an IPv4 address as that one.
 *
 * @returns `undefined` for a text that is no address.
 */
export function toCanonicalAddress(address: string): string | undefined {
  return parseAddress(address)?.toString();
}

/** An address, without the IPv6 address around an IPv4 one and without a zone, which says only through which interface. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Also refuses what ipaddr.js reads as other programs do not, such as 127.1 and octal numbers.
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.parse(address.replace(/%.*$/s, ''));
  if (parsed.kind() === 'ipv4') return parsed;
  return getEmbeddedAddress(parsed as ipaddr.IPv6) ?? parsed;
}

/** The IPv4 address to which packets for an IPv6 address are sent on. */
function getEmbeddedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.match(LOCAL_NAT64)) return undefined;
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

/** Only 2000::/3 is assigned (RFC 4291 section 2.4); in it, ISATAP addresses (RFC 5214) lead to IPv4 addresses. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  if (address.match(DOCUMENTATION)) return false;
  const bytes = address.toByteArray();
  const isIsatap =
    bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe && ((bytes[8] as number) & 0xfd) === 0;
  return ((bytes[0] as number) & 0xe0) === 0x20 && !isIsatap;
}
