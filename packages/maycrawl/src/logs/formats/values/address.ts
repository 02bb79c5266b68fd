// The address of the client: that of the connection, or, behind proxies, the one that they wrote into a header field.
import { quoteValue } from '@maycrawl/core/internal';
import ipaddr from 'ipaddr.js';
import type { ClientIpOptions } from '../log-format.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Four numbers without leading zeros. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** The address that stands for none (RFC 1122 section 3.2.1.3). */
const UNSPECIFIED = '0.0.0.0';
/** No address with a zone and a port is longer. */
const MAX_LENGTH = 128;

/**
 * Reads an address, with a port or without. An IPv4-mapped IPv6 address becomes the IPv4 address; IPv6 is written as RFC 5952 says.
 *
 * @returns `undefined` for other texts: `-`, names, addresses with hidden parts such as `203.0.113.x`, hashes; and for addresses that no client
 *   has, `0.0.0.0` and `::`, which logs have in place of removed ones.
 */
export function toAddress(text: string): string | undefined {
  // Most addresses are in this form already.
  if (IPV4.test(text)) return text === UNSPECIFIED ? undefined : text;
  const address = parseAddress(text);
  return address === undefined ? undefined : formatAddress(address);
}

function formatAddress(address: Address): string | undefined {
  if (address.toByteArray().every((byte) => byte === 0)) return undefined;
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
}

function parseAddress(written: string): Address | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const text = removePort(written.trim());
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const zone = text.indexOf('%');
  const bare = zone < 0 ? text : text.slice(0, zone);
  if (!bare.includes(':') || !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Removes quotes, brackets and a port: `"[2001:db8::1]:4711"`, `192.0.2.1:4711`. */
function removePort(written: string): string {
  const text = written.length > 1 && written[0] === '"' ? written.slice(1, -1) : written;
  if (text[0] === '[') {
    const end = text.indexOf(']');
    return end > 0 && /^(?::\d{1,5})?$/.test(text.slice(end + 1)) ? text.slice(1, end) : text;
  }
  const colon = text.indexOf(':');
  return colon > 0 && text.includes('.') && /^:\d{1,5}$/.test(text.slice(colon))
    ? text.slice(0, colon)
    : text;
}

/** Finds the address of the client behind proxies that are trusted. */
export class ForwardedAddress {
  readonly #proxies: readonly Network[];

  /** @throws {RangeError} if there is no proxy, or one is neither an address nor a network. */
  constructor({ trustedProxies }: ClientIpOptions) {
    if (trustedProxies.length === 0)
      throw new RangeError('the address of the client in a header field needs at least one trusted proxy');
    this.#proxies = trustedProxies.map(parseNetwork);
  }

  /**
   * Returns the last address that is not a trusted proxy, from the connection back through the list of the field.
   *
   * @param connection - the address of the connection; `undefined` if the log has none.
   * @param list - the value of the header field.
   * @returns `undefined` if that entry is no address, or all are trusted proxies.
   */
  find(connection: string | undefined, list: string | undefined): string | undefined {
    const peer = connection === undefined ? undefined : parseAddress(connection);
    if (peer !== undefined && !this.#isTrusted(peer)) return formatAddress(peer);
    // From the end, because clients can send a list that is as long as they like.
    for (let end = list?.length ?? 0; list !== undefined && end > 0; ) {
      const comma = list.lastIndexOf(',', end - 1);
      const address = parseAddress(list.slice(comma + 1, end));
      if (address === undefined) return undefined;
      if (!this.#isTrusted(address)) return formatAddress(address);
      end = comma;
    }
    return undefined;
  }

  #isTrusted(address: Address): boolean {
    return this.#proxies.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }
}

function parseNetwork(text: string): Network {
  const address = parseAddress(text);
  if (address !== undefined) return [address, address.kind() === 'ipv4' ? 32 : 128];
  // In a network of zero bits every client would be a proxy, and could choose its address.
  if (ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0) return ipaddr.parseCIDR(text);
  throw new RangeError(
    `a trusted proxy must be an IP address or a network such as 10.0.0.0/8, not ${quoteValue(text)}`,
  );
}
