/**
 * The IANA registries of special-purpose addresses, as they are published, and the blocks beside them. Node's `BlockList` is the oracle.
 */
import { BlockList, isIP, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress, toCanonicalAddress } from '../../src/bytes/ip-address.ts';

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and RFC 5771. */
const IPV4: readonly (readonly [block: string, name: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['0.0.0.0/32', 'this host on this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared address space'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.0.0/29', 'IPv4 service continuity prefix'],
  ['192.0.0.8/32', 'dummy address'],
  ['192.0.0.9/32', 'port control protocol anycast'],
  ['192.0.0.10/32', 'traversal using relays around NAT anycast'],
  ['192.0.0.170/31', 'discovery of NAT64'],
  ['192.0.2.0/24', 'documentation (TEST-NET-1)'],
  ['192.31.196.0/24', 'AS112-v4'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relay anycast'],
  ['192.88.99.2/32', '6a44 relay anycast'],
  ['192.168.0.0/16', 'private use'],
  ['192.175.48.0/24', 'direct delegation AS112 service'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation (TEST-NET-2)'],
  ['203.0.113.0/24', 'documentation (TEST-NET-3)'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['255.255.255.255/32', 'limited broadcast'],
  ['168.63.129.16/32', 'WireServer of Azure'],
];

/** https://www.iana.org/assignments/iana-ipv6-special-registry, without the prefixes that carry IPv4 addresses, and RFC 4291. */
const IPV6: readonly (readonly [block: string, name: string])[] = [
  ['::1/128', 'loopback'],
  ['::/128', 'unspecified'],
  ['64:ff9b:1::/48', 'IPv4-IPv6 translation for local use'],
  ['100::/64', 'discard-only'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/23', 'IETF protocol assignments'],
  ['2001::/32', 'Teredo'],
  ['2001:1::1/128', 'port control protocol anycast'],
  ['2001:1::2/128', 'traversal using relays around NAT anycast'],
  ['2001:1::3/128', 'DNS-SD service registration protocol anycast'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:3::/32', 'AMT'],
  ['2001:4:112::/48', 'AS112-v6'],
  ['2001:10::/28', 'ORCHID'],
  ['2001:20::/28', 'ORCHIDv2'],
  ['2001:30::/28', 'drone remote ID'],
  ['2001:db8::/32', 'documentation'],
  ['2620:4f:8000::/48', 'direct delegation AS112 service'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
];

/** What is not global unicast, with every address whose first bits are not 001 (RFC 4291 section 2.4). */
const UNASSIGNED = ['::/3', '4000::/2', '8000::/1'];

// One list for each version: Node compares an IPv4 address also with IPv6 blocks such as ::/3.
const special = {
  ipv4: toBlockList(IPV4.map(([block]) => block)),
  ipv6: toBlockList([...IPV6.map(([block]) => block), ...UNASSIGNED]),
};

function toBlockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', length] = block.split('/');
    list.addSubnet(address, Number(length), getVersion(address));
  }
  return list;
}

function getVersion(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** Whether the lists have an address that carries no other one. */
function isSpecial(address: string): boolean {
  const version = getVersion(address);
  return special[version].check(address, version);
}

const toBits = (address: string): bigint => {
  if (isIPv4(address)) return address.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const groups = (text = ''): string[] => text.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)].reduce(
    (bits, group) => bits * 65_536n + BigInt(`0x${group}`),
    0n,
  );
};

const toIpv4 = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) % 256n).join('.');
const toHex = (bits: bigint, groups: number): string =>
  (
    bits
      .toString(16)
      .padStart(groups * 4, '0')
      .match(/.{4}/g) ?? []
  ).join(':');

/** The first and the last address of a block, and those before and after it, if there are any. */
function listBorders(block: string): string[] {
  const [address = '', length] = block.split('/');
  const size = isIPv4(address) ? 32n : 128n;
  const first = toBits(address);
  const last = first + 2n ** (size - BigInt(length ?? 0)) - 1n;
  const borders = [first, last, first - 1n, last + 1n].filter((bits) => bits >= 0n && bits < 2n ** size);
  return borders.map((bits) => (size === 32n ? toIpv4(bits) : toHex(bits, 8)));
}

/** The IPv6 addresses that carry an IPv4 address, in the forms that are written. */
function listCarriers(address: string): string[] {
  const hex = toHex(toBits(address), 2);
  return [
    ...[`::ffff:${address}`, `::FFFF:${hex}`, `0:0:0:0:0:ffff:${hex}`, `::ffff:${hex}%eth0`],
    ...[`64:ff9b::${address}`, `64:ff9b::${hex}`, `2002:${hex}::`, `2002:${hex}:0:5efe::1`],
  ];
}

describe('the registries', () => {
  test.each([...IPV4, ...IPV6])(
    'no address of %s (%s) is public, and those beside it are what they are',
    (block) => {
      const borders = listBorders(block);
      expect(borders.slice(0, 2).map(isPublicAddress)).toEqual([false, false]);
      for (const border of borders)
        expect([border, isPublicAddress(border)]).toEqual([border, !isSpecial(border)]);
    },
  );

  test.each(IPV4)('an IPv6 address that carries one of %s (%s) has its class', (block) => {
    for (const border of listBorders(block))
      for (const carrier of listCarriers(border)) {
        expect([carrier, isIP(carrier)]).toEqual([carrier, 6]);
        expect([carrier, isPublicAddress(carrier)]).toEqual([carrier, !isSpecial(border)]);
        expect(toCanonicalAddress(carrier)).toBe(border);
      }
  });

  test('Teredo, ISATAP, IPv4-compatible and IPv4-translated addresses of a public one are not public', () => {
    for (const address of [
      '2001:0:808:808::f7f7:f7f7',
      '2606:4700::5efe:8.8.8.8',
      '2606:4700::200:5efe:8.8.8.8',
      '::8.8.8.8',
      '::ffff:0:8.8.8.8',
    ])
      expect([address, isIP(address), isPublicAddress(address)]).toEqual([address, 6, false]);
  });
});

test('any address is public if the lists have neither it nor the address that it carries', () => {
  let publicCount = 0;
  const group = fc.constantFrom(
    '2001',
    '2002',
    '0',
    'db8',
    '2620',
    '4f',
    '8000',
    '3fff',
    '64',
    'ff9b',
    'ffff',
    'a9fe',
    '808',
  );
  const groups = fc.array(
    fc.oneof(
      group,
      fc.nat(65_535).map((bits) => bits.toString(16)),
    ),
    { minLength: 8, maxLength: 8 },
  );
  const arbitrary = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    groups.map((each) => each.join(':')),
  );
  fc.assert(
    fc.property(arbitrary, (address) => {
      // ISATAP and IPv4-compatible addresses have a test of their own.
      fc.pre(!/5efe|^::[\d.]+$/i.test(address));
      const canonical = toCanonicalAddress(address) ?? '';
      expect(isIP(canonical)).not.toBe(0);
      const isPublic = isPublicAddress(address);
      expect(isPublic).toBe(!isSpecial(canonical));
      if (isPublic) publicCount++;
    }),
  );
  expect(publicCount).toBeGreaterThan(10);
});

test('exactly the texts that Node reads as an address are addresses', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789abcdfF::..%[]/@ g\n'), maxLength: 24 });
  const cut = fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(40), text);
  const near = cut.map(
    ([address, index, insert]) => address.slice(0, index) + insert.slice(0, 2) + address.slice(index),
  );
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), text, near), (written) => {
      expect([written, toCanonicalAddress(written) !== undefined]).toEqual([written, isIP(written) !== 0]);
    }),
    { numRuns: 2_000 },
  );
});
