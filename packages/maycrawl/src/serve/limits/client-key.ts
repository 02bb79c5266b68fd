// Keys of clients: which addresses share one account.
import ipaddr from 'ipaddr.js';

/** The client of every request that a proxy forwards without a usable address. */
const UNKNOWN = 'unknown';

/**
 * Returns the key of the client with an address: the address itself, or the /64 network of an IPv6 address, because one host can
 * use all addresses of its /64 (RFC 4291 section 2.5.1). An IPv4-mapped address has the key of its IPv4 address.
 *
 * Some proxies forward the client's port too. It differs for each connection, so it is ignored. All texts that are not addresses
 * have one key: a client could otherwise get a new account by sending a new text.
 */
export function getClientKey(written: string): string {
  const address = written.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(address)) return UNKNOWN;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : formatNetwork(parsed as ipaddr.IPv6, 64);
}

/**
 * Returns the /48 network of an IPv6 client, or `undefined` for IPv4. One subscriber can have a /48, which has 65,536 networks of
 * 64 bits (RFC 6177).
 *
 * @param key - from {@link getClientKey}.
 */
export function getSiteKey(key: string): string | undefined {
  const [network, bits] = key.split('/');
  return bits === '64' ? formatNetwork(ipaddr.IPv6.parse(network as string), 48) : undefined;
}

function formatNetwork(address: ipaddr.IPv6, bits: 48 | 64): string {
  const parts = address.parts.slice(0, bits / 16);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${bits}`;
}
