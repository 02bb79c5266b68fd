import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import {
  formatPrefix,
  getEnd,
  type IpPrefix,
  parseIpAddress,
  parsePrefix,
  toBits,
} from '../../../src/logs/identity/address.ts';
import { RangeSet } from '../../../src/logs/identity/range-set.ts';

const RUNS = { numRuns: getFuzzRuns(150) };
const prefix = (text: string): IpPrefix => {
  const parsed = parsePrefix(text);
  if (parsed === undefined) throw new Error(`not a prefix: ${text}`);
  return parsed;
};

/** Looks through all prefixes. */
function findNaively(prefixes: readonly IpPrefix[], address: string): IpPrefix | undefined {
  const parsed = parseIpAddress(address);
  if (parsed === undefined) return undefined;
  const family = typeof parsed === 'number' ? 4 : 6;
  const bits = toBits(parsed);
  let best: IpPrefix | undefined;
  for (const each of prefixes)
    if (
      each.family === family &&
      each.start <= bits &&
      bits <= getEnd(each) &&
      each.length > (best?.length ?? -1)
    )
      best = each;
  return best;
}

describe('parseIpAddress', () => {
  test.each<[string, bigint | undefined]>([
    ['0.0.0.0', 0n],
    ['255.255.255.255', 0xffff_ffffn],
    ['66.249.66.1', 0x42f9_4201n],
    ['::', 0n],
    ['2001:4860:4801:10::1', 0x2001_4860_4801_0010_0000_0000_0000_0001n],
    ['2001:DB8::A', 0x2001_0db8_0000_0000_0000_0000_0000_000an],
    // An IPv4-mapped address is an IPv4 address.
    ['::ffff:66.249.66.1', 0x42f9_4201n],
    ['::ffff:42f9:4201', 0x42f9_4201n],
    // NAT64 and 6to4 are addresses of their own.
    ['64:ff9b::66.249.66.1', 0x0064_ff9b_0000_0000_0000_0000_42f9_4201n],
    ['1.2.3', undefined],
    ['1.2.3.4.5', undefined],
    ['1.2.3.256', undefined],
    ['01.2.3.4', undefined],
    ['1.2.3.04', undefined],
    ['1..2.3', undefined],
    ['1.2.3.', undefined],
    ['.1.2.3', undefined],
    ['0x7f.0.0.1', undefined],
    ['2130706433', undefined],
    [' 1.2.3.4', undefined],
    ['1.2.3.4:80', undefined],
    ['[::1]', undefined],
    ['fe80::1%eth0', undefined],
    ['::1::', undefined],
    ['-', undefined],
    ['', undefined],
    ['1'.repeat(100_000), undefined],
    [':'.repeat(100_000), undefined],
  ])('%.40j', (text, bits) => {
    const parsed = parseIpAddress(text);
    expect(parsed === undefined ? undefined : toBits(parsed)).toBe(bits);
  });

  test('accepts the same texts of four numbers as a naive parser', () => {
    const part = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '07', '256', '1e1', '+1', '٣'));
    fc.assert(
      fc.property(fc.array(part, { minLength: 3, maxLength: 5 }), (parts) => {
        const isValid =
          parts.length === 4 && parts.every((each) => /^(0|[1-9]\d{0,2})$/.test(each) && +each < 256);
        const expected = isValid ? parts.reduce((sum, each) => sum * 256 + Number(each), 0) : undefined;
        expect(parseIpAddress(parts.join('.'))).toBe(expected);
      }),
      RUNS,
    );
  });
});

describe('parsePrefix', () => {
  test.each([
    ['66.249.64.0/20', '66.249.64.0/20'],
    ['66.249.66.1/20', '66.249.64.0/20'],
    ['66.249.66.1', '66.249.66.1/32'],
    ['2001:4860:4801:10::/64', '2001:4860:4801:10::/64'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('%s is %s', (text, written) => {
    expect(formatPrefix(prefix(text))).toBe(written);
  });

  test.each([
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
    '::/129',
    '::ffff:1.2.3.0/120',
    '/8',
    'a/8',
    '',
  ])('%j is no prefix', (text) => {
    expect(parsePrefix(text)).toBeUndefined();
  });
});

describe('RangeSet', () => {
  test('finds the most specific of overlapping prefixes', () => {
    const wide = prefix('198.51.100.0/22');
    const narrow = prefix('198.51.100.0/24');
    const set = new RangeSet([narrow, wide]);
    const find = (address: string): IpPrefix | undefined => set.find(parseIpAddress(address) as number);
    expect(find('198.51.100.7')).toBe(narrow);
    expect(find('198.51.101.7')).toBe(wide);
    expect(find('198.51.104.0')).toBeUndefined();
    expect(find('198.51.99.255')).toBeUndefined();
  });

  test('the first and the last address of each address space can be in a prefix', () => {
    const set = new RangeSet(['0.0.0.0/8', '255.0.0.0/8', '::/16', 'ffff::/16'].map(prefix));
    for (const address of ['0.0.0.0', '255.255.255.255', '::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'])
      expect(set.has(parseIpAddress(address) as number), address).toBe(true);
    for (const address of ['1.0.0.0', '254.255.255.255', '1::', 'fffe::'])
      expect(set.has(parseIpAddress(address) as number), address).toBe(false);
  });

  test('an empty set has no address, and IPv4 prefixes have no IPv6 address', () => {
    expect(new RangeSet([]).has(0)).toBe(false);
    expect(new RangeSet([prefix('1.2.3.0/24')]).has([0, 0, 0, 0x0102_0300])).toBe(false);
  });

  const near = fc.constantFrom(0, 1, 2, 254, 255, 64, 128, 192);
  const ipv4 = fc.tuple(fc.constantFrom(10, 11), near, near, near).map((parts) => parts.join('.'));
  const group = fc.constantFrom('0', '1', 'ffff', '8000', '7fff');
  // Those of IPv4-mapped addresses are IPv4 prefixes, and none if they are shorter than 96 bits.
  const ipv6 = fc
    .array(group, { minLength: 8, maxLength: 8 })
    .map((groups) => groups.join(':'))
    .filter((text) => !text.startsWith('0:0:0:0:0:ffff:'));
  const address = fc.oneof(ipv4, ipv6);
  const anyPrefix = fc.oneof(
    fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })),
    fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })),
  );

  test('finds the same prefix as a search through all of them', () => {
    fc.assert(
      fc.property(
        fc.array(anyPrefix, { maxLength: 20 }),
        fc.array(address, { minLength: 20, maxLength: 20 }),
        (texts, addresses) => {
          const prefixes = texts.map(([text, length]) => prefix(`${text}/${length}`));
          const set = new RangeSet(prefixes);
          for (const each of addresses) {
            const parsed = parseIpAddress(each) as number;
            const expected = findNaively(prefixes, each);
            expect(set.find(parsed)).toBe(expected);
            expect(set.has(parsed)).toBe(expected !== undefined);
          }
        },
      ),
      RUNS,
    );
  });
});
