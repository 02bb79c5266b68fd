import { describe, expect, test } from 'vitest';
import { isLocalServerAddress, isPublicAddress, toCanonicalAddress } from '../../../src/bytes/ip-address.ts';

test.each([
  ...['nonsense', '', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '1.1.1', '8.8.8.8.'],
  '[2606:2800::1]',
])('the text %j is no address, so it is not a public one', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

describe('addresses of servers in a local network', () => {
  test.each([
    ...['127.0.0.1', '::1', '10.1.2.3', '192.168.0.7'],
    ...['172.20.0.2', '100.64.3.2', 'fd12::3', '::ffff:10.0.0.1'],
  ])('%s is one', (address) => expect(isLocalServerAddress(address)).toBe(true));
  test.each([
    ...['169.254.169.254', 'fe80::1', '0.0.0.0', '::', '224.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...['fd00:ec2::254', 'fd00:0ec2:0::0254', 'fd20:ce::254', '100.100.100.200'],
    ...['8.8.8.8', '2606:2800::1', 'x'],
  ])('%s is none', (address) => expect(isLocalServerAddress(address)).toBe(false));
});

test('an address has one canonical form', () => {
  const forms = ['::ffff:127.0.0.1', '::ffff:7f00:1', '127.0.0.1', '64:ff9b::7f00:1'];
  expect(new Set(forms.map(toCanonicalAddress))).toEqual(new Set(['127.0.0.1']));
  expect(toCanonicalAddress('FD00:EC2:0:0::254%eth0')).toBe('fd00:ec2::254');
  expect(toCanonicalAddress('localhost')).toBeUndefined();
});
