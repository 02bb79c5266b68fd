// Which IP addresses belong to the public Internet: the only table of special-purpose addresses. An IPv4 address has the bits of its
// IPv4-mapped form here, so that one table and one comparison serve both versions.
//
// Sources: the IANA registries of IPv4 and IPv6 special-purpose addresses (RFC 6890, RFC 8190; IPv6 as of 2024-10-22), of multicast
// addresses (RFC 5771, RFC 4291), and of IPv6 global unicast addresses.
import { parseUrl } from './url.ts';

/**
 * `public`: of the public Internet. `local`: servers of a local network have such addresses. `special`: neither; no site has such an
 * address, or the host of a cloud machine or its metadata has it.
 */
type Scope = 'public' | 'local' | 'special';

/** Four numbers without leading zeros, which some programs read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** Characters of an IPv6 address, which the URL parser checks, and a zone, which says only through which interface. */
const IPV6 = /^([\da-f:.]+)(?:%[\da-z.:-]+)?$/i;

/** Prefixes of 96 bits: IPv4-mapped addresses (RFC 4291 section 2.5.5.2), and NAT64 (RFC 6052). */
const MAPPED = 0xffffn;
const NAT64 = 0x64_ff9b_0000_0000_0000_0000n;
/** The prefix of 16 bits of 6to4 (RFC 3056). */
const SIX_TO_FOUR = 0x2002n;

/**
 * Blocks of addresses, the specific ones first: the first block that contains an address has its scope. An address in no block is
 * special. Blocks that the registries call globally reachable (AS112, AMT, anycast of protocols) are special too: their services are
 * not sites.
 */
const BLOCKS: readonly Block[] = /* @__PURE__ */ (
  [
    // Public by its number, but the host of a virtual machine responds there (Azure's WireServer).
    ['168.63.129.16/32', 'special'],
    // Metadata of virtual machines (Alibaba Cloud, AWS, Google Cloud), in blocks that are otherwise ordinary local ones.
    ['100.100.100.200/32', 'special'],
    ['fd00:ec2::254/128', 'special'],
    ['fd20:ce::254/128', 'special'],
    // "This network" (RFC 791).
    ['0.0.0.0/8', 'special'],
    // Private use (RFC 1918).
    ['10.0.0.0/8', 'local'],
    ['172.16.0.0/12', 'local'],
    ['192.168.0.0/16', 'local'],
    // Shared address space of carrier-grade NAT (RFC 6598).
    ['100.64.0.0/10', 'local'],
    // Loopback (RFC 1122, RFC 4291).
    ['127.0.0.0/8', 'local'],
    ['::1/128', 'local'],
    // Link-local (RFC 3927), where clouds have their metadata.
    ['169.254.0.0/16', 'special'],
    // IETF protocol assignments (RFC 6890).
    ['192.0.0.0/24', 'special'],
    // Documentation (RFC 5737).
    ['192.0.2.0/24', 'special'],
    ['198.51.100.0/24', 'special'],
    ['203.0.113.0/24', 'special'],
    // AS112 (RFC 7534, RFC 7535).
    ['192.31.196.0/24', 'special'],
    ['192.175.48.0/24', 'special'],
    // AMT (RFC 7450).
    ['192.52.193.0/24', 'special'],
    // Anycast of 6to4 relays (deprecated, RFC 7526).
    ['192.88.99.0/24', 'special'],
    // Benchmarks (RFC 2544).
    ['198.18.0.0/15', 'special'],
    // Multicast (RFC 5771), reserved (RFC 1112), limited broadcast (RFC 919).
    ['224.0.0.0/3', 'special'],
    ['0.0.0.0/0', 'public'],
    // IETF protocol assignments (RFC 2928): Teredo, benchmarks, AMT, AS112, ORCHID, DRIP.
    ['2001::/23', 'special'],
    // Documentation (RFC 3849, RFC 9637).
    ['2001:db8::/32', 'special'],
    ['3fff::/20', 'special'],
    // AS112 (RFC 7534).
    ['2620:4f:8000::/48', 'special'],
    // Global unicast: no other block has been assigned (RFC 4291 section 2.4).
    ['2000::/3', 'public'],
    // Unique local (RFC 4193).
    ['fc00::/7', 'local'],
  ] as const
).map(([block, scope]) => toBlock(block, scope));

interface Block {
  /** The bits of an address that lie after the prefix. */
  readonly shift: bigint;
  readonly prefix: bigint;
  readonly scope: Scope;
}

/**
 * Checks whether an address belongs to the public Internet. Private, loopback, link-local (where clouds have their metadata),
 * multicast, carrier-grade NAT, documentation and reserved addresses do not. An IPv6 address that carries an IPv4 address (IPv4-mapped,
 * NAT64, 6to4) has the class of that one; Teredo, ISATAP and NAT64 with a local prefix are never public.
 *
 * @param address - IPv4 in dotted decimal, or IPv6 without brackets. Any other text is not public.
 */
export function isPublicAddress(address: string): boolean {
  const bits = parseAddress(address);
  return bits !== undefined && getScope(bits) === 'public' && !isIsatap(bits);
}

/**
 * Checks whether an address is one that servers of a local network have: loopback, RFC 1918, unique local (RFC 4193) or
 * carrier-grade NAT. Link-local addresses, multicast, reserved ranges and the metadata services of clouds are not.
 *
 * @param address - as {@link isPublicAddress} takes it.
 */
export function isLocalServerAddress(address: string): boolean {
  const bits = parseAddress(address);
  return bits !== undefined && getScope(bits) === 'local';
}

/**
 * Writes an address in its one canonical form, an IPv6 address that carries an IPv4 address as that one.
 *
 * @returns `undefined` for a text that is no address.
 */
export function toCanonicalAddress(address: string): string | undefined {
  const bits = parseAddress(address);
  if (bits === undefined) return undefined;
  if (bits >> 32n === MAPPED) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = bits.toString(16).padStart(32, '0').match(/.{4}/g) as string[];
  return serializeIpv6(groups.join(':'));
}

/** Parses an address, without the IPv6 address around an IPv4 one. @returns 128 bits; `undefined` if it is no address. */
function parseAddress(text: string): bigint | undefined {
  if (IPV4.test(text)) return parseIpv4(text);
  const address = IPV6.exec(text)?.[1];
  const serialized = address === undefined ? undefined : serializeIpv6(address);
  return serialized === undefined ? undefined : getEmbeddedAddress(parseIpv6(serialized));
}

/** Serializes an IPv6 address as the URL Standard does (RFC 5952). */
function serializeIpv6(address: string): string | undefined {
  return parseUrl(`http://[${address}]/`)?.hostname.slice(1, -1);
}

function parseIpv4(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), MAPPED);
}

/** @param serialized - groups of hexadecimal digits, with at most one `::`. */
function parseIpv6(serialized: string): bigint {
  const [head = [], tail = []] = serialized
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** The IPv4 address to which packets for an IPv6 address are sent on, or the address itself. */
function getEmbeddedAddress(bits: bigint): bigint {
  if (bits >> 32n === NAT64) return (MAPPED << 32n) | (bits & 0xffff_ffffn);
  if (bits >> 112n === SIX_TO_FOUR) return (MAPPED << 32n) | ((bits >> 80n) & 0xffff_ffffn);
  return bits;
}

/** ISATAP addresses (RFC 5214 section 6.1), which any prefix can have, lead to IPv4 addresses of a local network. */
function isIsatap(bits: bigint): boolean {
  return ((bits >> 32n) & 0xfdff_ffffn) === 0x5efen;
}

function getScope(bits: bigint): Scope {
  return BLOCKS.find(({ shift, prefix }) => bits >> shift === prefix)?.scope ?? 'special';
}

function toBlock(block: string, scope: Scope): Block {
  const [address = '', length = ''] = block.split('/');
  const isIpv4 = IPV4.test(address);
  const shift = BigInt((isIpv4 ? 32 : 128) - Number(length));
  return { shift, prefix: (isIpv4 ? parseIpv4(address) : parseIpv6(address)) >> shift, scope };
}
