// IP addresses and prefixes as numbers. The address of a client is compared as it is: an IPv4-mapped address is an IPv4 address, and no
// other IPv6 address is, unlike in the guard of connections (RFC 4291 section 2.5.5.2).
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address: 32 bits of IPv4, or 128 bits of IPv6 as four numbers, the first one first. */
export type ParsedAddress = number | readonly [number, number, number, number];

/** A prefix of addresses. */
export interface IpPrefix {
  readonly family: 4 | 6;
  /** The first address. */
  readonly start: bigint;
  /** The number of bits that all addresses have in common. */
  readonly length: number;
}

const [ZERO, NINE, DOT] = [0x30, 0x39, 0x2e];
/** An IPv6 address has at most 45 characters. */
const MAX_LENGTH = 45;

/**
 * Parses an address.
 *
 * @param text - IPv4 in dotted decimal without leading zeros, or IPv6 without brackets and zone.
 * @returns `undefined` if it is no address.
 */
export function parseIpAddress(text: string): ParsedAddress | undefined {
  const ipv4 = parseIpv4(text);
  if (ipv4 !== -1) return ipv4;
  if (text.length > MAX_LENGTH || text.includes('%') || !isIPv6(text)) return undefined;
  const parts = ipaddr.IPv6.parse(text).parts;
  const words = [0, 2, 4, 6].map(
    (index) => (parts[index] as number) * 0x1_0000 + (parts[index + 1] as number),
  );
  const [a = 0, b = 0, c = 0, d = 0] = words;
  return a === 0 && b === 0 && c === 0xffff ? d : [a, b, c, d];
}

/** Parses an IPv4 address. @returns -1 if it is none. */
function parseIpv4(text: string): number {
  const { length } = text;
  if (length < 7 || length > 15) return -1;
  let [address, octet, digits, dots] = [0, 0, 0, 0];
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) {
      // A leading zero would be octal to some programs.
      if (digits > 0 && octet === 0) return -1;
      octet = octet * 10 + code - ZERO;
      digits++;
      if (octet > 255) return -1;
    } else if (code === DOT && digits > 0 && dots < 3) {
      address = address * 256 + octet;
      dots++;
      octet = 0;
      digits = 0;
    } else return -1;
  }
  return dots === 3 && digits > 0 ? address * 256 + octet : -1;
}

/** Converts an address to a number of 32 or 128 bits. */
export function toBits(address: ParsedAddress): bigint {
  if (typeof address === 'number') return BigInt(address);
  return address.reduce((bits, word) => (bits << 32n) | BigInt(word), 0n);
}

/** The number of bits of an address. */
export function getWidth(family: 4 | 6): 32 | 128 {
  return family === 4 ? 32 : 128;
}

/** The last address of a prefix. */
export function getEnd({ family, start, length }: IpPrefix): bigint {
  return start | ((1n << BigInt(getWidth(family) - length)) - 1n);
}

/**
 * Parses a prefix in CIDR notation, or an address, which is a prefix with all bits. Bits after the prefix are ignored.
 *
 * @returns `undefined` if the text is neither.
 */
export function parsePrefix(text: string): IpPrefix | undefined {
  const slash = text.indexOf('/');
  const address = parseIpAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  const family = typeof address === 'number' ? 4 : 6;
  const width = getWidth(family);
  const length = slash === -1 ? width : parseLength(text.slice(slash + 1), width);
  // The length of an IPv4-mapped prefix is one of 128 bits.
  if (length === undefined || (family === 4 && text.includes(':') && slash !== -1)) return undefined;
  const shift = BigInt(width - length);
  return { family, start: (toBits(address) >> shift) << shift, length };
}

function parseLength(text: string, most: number): number | undefined {
  if (!/^(?:0|[1-9]\d{0,2})$/.test(text)) return undefined;
  const length = Number(text);
  return length <= most ? length : undefined;
}

/** Formats a prefix in CIDR notation. */
export function formatPrefix({ family, start, length }: IpPrefix): string {
  const width = getWidth(family);
  const bytes = Array.from({ length: width / 8 }, (_, index) =>
    Number((start >> BigInt(width - 8 * (index + 1))) & 0xffn),
  );
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}
