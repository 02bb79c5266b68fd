import { describe, expect, test } from 'vitest';
import { isLocalServerAddress, isPublicAddress, toCanonicalAddress } from '../../../src/bytes/ip-address.ts';

describe('addresses of the public Internet', () => {
  test.each([
    '8.8.8.8',
    '93.184.215.14',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192'],
    ...['192.0.2.1', '198.18.0.1', '203.0.113.1'],
    ...['224.0.0.1', '255.255.255.255', '240.0.0.1', '::', '::1'],
    ...['fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254'],
    ...['ff02::1', '2001:db8::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1'],
    ...['::7f00:1', '::a00:1', '::2', '100:0:0:1::1', '1::1', '4000::1', '8000::1', '64:ff9b:1::1'],
    // Local use NAT64 and its IPv4 address at each of the places of RFC 6052; Teredo; ISATAP; documentation of RFC 9637.
    ...['64:ff9b:1::808:808', '64:ff9b:1:808:8:800::'],
    ...['64:ff9b:1:7f00:0:100::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ...['2002:a00:1::1', '2002:a9fe:a9fe::', '3fff::1', 'fec0::1'],
    ...['100::1', '::ffff:0:808:808', 'fe80::1%lo'],
    ...['::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '0.0.0.1'],
    ...['192.88.99.1', '198.51.100.7', '255.255.255.254'],
    ...['2001:4860::5efe:10.0.0.1', '2001:4860::200:5efe:a00:1', '168.63.129.16', '::ffff:168.63.129.16'],
    ...['nonsense', '', '127.1', '2130706433', '0x7f000001'],
    ...['0177.0.0.1', '1.1.1', '8.8.8.8.', '[2606:2800::1]'],
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
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
