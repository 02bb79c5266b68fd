// Networks of addresses: reports have them in place of addresses.
import ipaddr from 'ipaddr.js';

/** Bits of the networks of IPv4 and IPv6 addresses. */
const [IPV4_BITS, IPV6_BITS] = [24, 48] as const;

/** Formats the network of a valid address: `203.0.113.0/24`, `2001:db8:1::/48`. */
export function formatNetwork(address: string): string {
  const parsed = ipaddr.process(address);
  const bits = parsed.kind() === 'ipv4' ? IPV4_BITS : IPV6_BITS;
  const network =
    parsed.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${bits}`);
  return `${network}/${bits}`;
}
