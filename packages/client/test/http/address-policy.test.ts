import { networkInterfaces } from 'node:os';
import { parse } from '@maycrawl/core';
import { lint } from '@maycrawl/core/lint';
import { removeBrackets } from '@maycrawl/core/url';
import { describe, expect, test } from 'vitest';
import { createAddressPolicy, PrivateAddressError, requirePermitted } from '../../src/http/address-policy.ts';
import { requireOpenPort } from '../../src/http/blocked-ports.ts';

const PRIVATE = [
  '127.0.0.1',
  '::1',
  '10.0.0.1',
  '169.254.169.254',
  'fd00:ec2::254',
  '0.0.0.0',
  '168.63.129.16',
];

describe('an address policy', () => {
  test('permits only the public Internet by default', () => {
    for (const policy of [createAddressPolicy(), createAddressPolicy({ allowPrivateAddresses: false })]) {
      expect(policy.permits('http://example.com', '8.8.8.8')).toBe(true);
      for (const address of PRIVATE) expect(policy.permits('http://example.com', address)).toBe(false);
    }
  });

  test('permits everything with allowPrivateAddresses', () => {
    const policy = createAddressPolicy({ allowPrivateAddresses: true });
    for (const address of PRIVATE) expect(policy.permits('http://example.com', address)).toBe(true);
  });

  test('opens an origin: its scheme, host and port', () => {
    const policy = createAddressPolicy({ openOrigins: ['http://LOCALHOST:3000/a?b#c'] });
    for (const url of ['http://localhost:3000', 'http://localhost:3000/robots.txt'])
      expect(policy.permits(url, '127.0.0.1')).toBe(true);
    const others = [
      ...['http://localhost', 'http://localhost:3001', 'https://localhost:3000', 'ftp://localhost:3000'],
      ...['http://localhost.:3000', 'http://127.0.0.1:3000', 'http://a.localhost:3000'],
      ...['http://localhost:3000@evil.example/', 'http://localhost:3000.evil.example/'],
    ];
    for (const url of others.filter((each) => URL.canParse(each)))
      expect([url, policy.permits(url, '127.0.0.1')]).toEqual([url, false]);
  });

  test('opens https with http on the default port, and not the other way round', () => {
    const policy = createAddressPolicy({ openOrigins: ['http://intranet/'] });
    expect(policy.permits('https://intranet/', '10.0.0.1')).toBe(true);
    expect(policy.permits('https://intranet:8443/', '10.0.0.1')).toBe(false);
    const secure = createAddressPolicy({ openOrigins: ['https://intranet/', 'http://other:8080'] });
    expect(secure.permits('http://intranet/', '10.0.0.1')).toBe(false);
    expect(secure.permits('https://other/', '10.0.0.1')).toBe(false);
  });

  test('opens nothing with allowPrivateAddresses: false', () => {
    const policy = createAddressPolicy({ allowPrivateAddresses: false, openOrigins: ['http://localhost/'] });
    expect(policy.permits('http://localhost/', '127.0.0.1')).toBe(false);
  });

  test.each([
    ...[
      '169.254.169.254',
      'fe80::1',
      'fd00:ec2::254',
      '0.0.0.0',
      '224.0.0.1',
      '168.63.129.16',
      '64:ff9b:1::1',
    ],
  ])('refuses that a DNS response leads an open name to %s', (address) => {
    const policy = createAddressPolicy({ openOrigins: ['http://intranet/'] });
    expect(policy.permits('http://intranet/', address)).toBe(false);
  });

  test('opens whatever address the operator wrote', () => {
    for (const address of ['169.254.169.254', '0.0.0.0', '[fe80::1]', '[::ffff:169.254.169.254]', '0x7f.1']) {
      const url = `http://${address}:8080/`;
      const policy = createAddressPolicy({ openOrigins: [url] });
      const { hostname } = new URL(url);
      expect(policy.permits(url, hostname.replace(/^\[|\]$/g, ''))).toBe(true);
    }
  });

  test("takes this machine's public addresses for private ones", () => {
    let own = ['203.0.113.9', '2606:4700::1'];
    const options = { getOwnAddresses: () => own };
    const policy = createAddressPolicy(options);
    const open = createAddressPolicy({ ...options, openOrigins: ['http://me.example/'] });
    for (const address of ['2606:4700::1', '2606:4700:0:0::0:1', '::ffff:8.8.4.4']) {
      own = ['8.8.4.4', '2606:4700::1'];
      expect(policy.permits('http://me.example/', address)).toBe(false);
      expect(open.permits('http://me.example/', address)).toBe(true);
      // Interfaces come and go.
      own = [];
      expect(policy.permits('http://me.example/', address)).toBe(true);
    }
  });

  test('knows the interfaces of this machine', () => {
    const policy = createAddressPolicy();
    const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
    expect(own.length).toBeGreaterThan(0);
    for (const address of own) expect(policy.permits('http://example.com/', address)).toBe(false);
  });

  test('is immutable', () => {
    const origins = ['http://localhost/'];
    const policy = createAddressPolicy({ openOrigins: origins });
    origins.push('http://127.0.0.1/');
    expect(policy.permits('http://127.0.0.1/', '127.0.0.1')).toBe(false);
    expect(Object.isFrozen(policy)).toBe(true);
  });

  test('refuses with one error', () => {
    const policy = createAddressPolicy();
    const refused = (): void => requirePermitted(policy, 'http://a.example/', '127.0.0.1', 'a.example');
    expect(refused).toThrow(PrivateAddressError);
    expect(refused).toThrow(expect.objectContaining({ code: 'private-address', address: '127.0.0.1' }));
    expect(refused).toThrow('not a public address: a.example, which is 127.0.0.1');
  });

  test('does not take what is no URL', () => {
    expect(() => createAddressPolicy({ openOrigins: ['localhost'] })).toThrow(RangeError);
  });
});

test.each([
  ...[
    '8.8.8.8',
    '[2606:4700::1111]',
    '127.0.0.1',
    '10.0.0.8',
    '[::1]',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
  ],
  ...[
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.1',
    '168.63.129.16',
    '[2001:db8::1]',
    '[2001::1]',
    '[3fff::1]',
  ],
  ...[
    '[2606:4700::5efe:808:808]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::808:808]',
    '[2002:808:808::]',
    '[2002:a00:1::]',
  ],
])('the linter and the client agree whether %s is a public address', (host) => {
  const isReported = lint(parse(`Sitemap: http://${host}/s.xml\n`)).some(
    ({ code }) => code === 'sitemap-not-public',
  );
  const policy = createAddressPolicy({ getOwnAddresses: () => [] });
  expect(!isReported).toBe(
    policy.permits('http://a.example/', removeBrackets(new URL(`http://${host}`).hostname)),
  );
});

describe('blocked ports', () => {
  test.each([0, 1, 21, 22, 25, 53, 110, 143, 465, 587, 993, 2049, 6000, 6667, 10080])('%d is one', (port) => {
    for (const protocol of ['http:', 'https:'])
      expect(() => requireOpenPort(protocol, port)).toThrow(
        expect.objectContaining({ code: 'blocked-port' }),
      );
  });

  test.each([80, 443, 3000, 8080, 8443, 6379, 65_535])('%d is none', (port) => {
    expect(() => requireOpenPort('http:', port)).not.toThrow();
  });

  test('each scheme has its own', () => {
    expect(() => requireOpenPort('ftp:', 21)).not.toThrow();
    expect(() => requireOpenPort('ftp:', 25)).toThrow('port 25 is blocked');
    for (const port of [25, 465, 587]) expect(() => requireOpenPort('smtp:', port)).not.toThrow();
    expect(() => requireOpenPort('smtp:', 22)).toThrow('port 22 is blocked');
  });
});
