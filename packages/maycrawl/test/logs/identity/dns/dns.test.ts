import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createResolver } from '@maycrawl/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterFile } from '../../../../../../scripts/after-file.ts';
import { type DnsAnswer, NO_SUCH_NAME, startNameServer } from '../../../../../client/test/support/dns.ts';
import { DnsFileError, readDnsFile } from '../../../../src/logs/identity/dns/dns-file.ts';
import { createNetworkLookups, type DnsLookups } from '../../../../src/logs/identity/dns/dns-lookups.ts';
import { createDnsVerifier, isNamedLike } from '../../../../src/logs/identity/dns/dns-verifier.ts';
import { createIdentifier, type MethodResult } from '../../../../src/logs/identity/identity.ts';
import { createTestFolder } from '../../../support/folder.ts';

const MASKS = ['*.googlebot.com', '*.geo.googlebot.com'];
const ADDRESS = '66.249.66.1';
const NAME = 'crawl-66-249-66-1.googlebot.com';

/** Lookups from tables. A missing key has no result. */
function createLookups(
  names: Readonly<Record<string, readonly string[]>>,
  addresses: Readonly<Record<string, readonly string[]>> = {},
): DnsLookups & { readonly calls: string[] } {
  const calls: string[] = [];
  const find = (table: Readonly<Record<string, readonly string[]>>) => async (key: string) => {
    calls.push(key);
    return Object.hasOwn(table, key) ? table[key] : undefined;
  };
  return { calls, reverse: find(names), forward: find(addresses) };
}

describe('isNamedLike', () => {
  test.each([
    ['crawl-66-249-66-1.googlebot.com', true],
    ['geo-crawl-1.geo.googlebot.com', true],
    ['A.GOOGLEBOT.COM', true],
    ['a.googlebot.com.', true],
    ['googlebot.com', false],
    ['.googlebot.com', false],
    ['evilgooglebot.com', false],
    ['a.evilgooglebot.com', false],
    ['a.googlebot.com.evil.example', false],
    ['a.googlebot.comx', false],
    ['a..googlebot.com', false],
    ['a b.googlebot.com', false],
    ['é.googlebot.com', false],
    [`${'a.'.repeat(130)}googlebot.com`, false],
    ['', false],
  ])('%.40j: %j', (name, isOwn) => {
    expect(isNamedLike(name, MASKS)).toBe(isOwn);
  });

  test('a mask without a star is one name', () => {
    expect(isNamedLike('bot.example.com', ['bot.example.com'])).toBe(true);
    expect(isNamedLike('x.bot.example.com', ['bot.example.com'])).toBe(false);
  });

  test('a name that is like a mask ends with its labels, and has more', () => {
    const label = fc.constantFrom('a', 'b', 'ab', 'googlebot', 'com');
    const labels = fc.array(label, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(labels, fc.array(label, { minLength: 2, maxLength: 3 }), (name, mask) => {
        const isOwn = name.length > mask.length && name.slice(-mask.length).join() === mask.join();
        expect(isNamedLike(name.join('.'), [`*.${mask.join('.')}`])).toBe(isOwn);
      }),
    );
  });
});

describe('createDnsVerifier', () => {
  const verify = (lookups: DnsLookups, address = ADDRESS): unknown =>
    createDnsVerifier(lookups).verify(address, MASKS);

  test.each<[string, DnsLookups, MethodResult]>([
    [
      'the name is one of the operator, and has the address',
      createLookups({ [ADDRESS]: [NAME] }, { [NAME]: [ADDRESS] }),
      'match',
    ],
    [
      'one of several names',
      createLookups({ [ADDRESS]: ['a.example', NAME] }, { [NAME]: ['192.0.2.1', ADDRESS] }),
      'match',
    ],
    [
      'the name has another address',
      createLookups({ [ADDRESS]: [NAME] }, { [NAME]: ['192.0.2.1'] }),
      'mismatch',
    ],
    ['the name has no address', createLookups({ [ADDRESS]: [NAME] }, { [NAME]: [] }), 'mismatch'],
    ['the name is one of another domain', createLookups({ [ADDRESS]: ['evilgooglebot.com'] }), 'mismatch'],
    ['the address has no name', createLookups({ [ADDRESS]: [] }), 'mismatch'],
    ['the reverse lookup fails', createLookups({}), 'unknown'],
    ['the forward lookup fails', createLookups({ [ADDRESS]: [NAME] }), 'unknown'],
    [
      'one forward lookup fails, the other has another address',
      createLookups({ [ADDRESS]: [NAME, 'a.googlebot.com'] }, { [NAME]: ['192.0.2.1'] }),
      'unknown',
    ],
  ])('%s', async (_, lookups, result) => {
    expect(await verify(lookups)).toBe(result);
  });

  test('IPv6 addresses are equal in each of their forms', async () => {
    const lookups = createLookups({ '2001:db8::1': [NAME] }, { [NAME]: ['2001:0DB8:0:0:0:0:0:1'] });
    expect(await verify(lookups, '2001:db8::1')).toBe('match');
  });

  test('an address with many names is looked up a few times', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `a${index}.googlebot.com`);
    const lookups = createLookups({ [ADDRESS]: names }, Object.fromEntries(names.map((name) => [name, []])));
    expect(await verify(lookups)).toBe('mismatch');
    expect(lookups.calls).toHaveLength(6);
  });

  test('each address is looked up once, and its result is there without a promise', async () => {
    const lookups = createLookups({ [ADDRESS]: [NAME] }, { [NAME]: [ADDRESS] });
    const verifier = createDnsVerifier(lookups);
    await Promise.all([verifier.verify(ADDRESS, MASKS), verifier.verify(ADDRESS, MASKS)]);
    expect(verifier.verify(ADDRESS, MASKS)).toBe('match');
    expect(lookups.calls).toEqual([ADDRESS, NAME]);
  });

  test('the result depends on the operator', async () => {
    const verifier = createDnsVerifier(createLookups({ [ADDRESS]: [NAME] }, { [NAME]: [ADDRESS] }));
    expect(await verifier.verify(ADDRESS, MASKS)).toBe('match');
    expect(await verifier.verify(ADDRESS, ['*.search.msn.com'])).toBe('mismatch');
  });

  test('addresses are limited, and failures and skipped requests are counted', async () => {
    const verifier = createDnsVerifier(createLookups({ '192.0.2.1': [] }), { maxAddresses: 2 });
    expect(await verifier.verify('192.0.2.1', MASKS)).toBe('mismatch');
    expect(await verifier.verify('192.0.2.2', MASKS)).toBe('unknown');
    expect(await verifier.verify('192.0.2.3', MASKS)).toBe('unknown');
    expect(verifier.verify('192.0.2.1', MASKS)).toBe('mismatch');
    expect(verifier.counts).toEqual({ addresses: 2, failures: 1, skipped: 1 });
  });

  test('requests get their identities', async () => {
    const dns = createDnsVerifier(
      createLookups({ [ADDRESS]: [NAME], '192.0.2.1': [] }, { [NAME]: [ADDRESS] }),
    );
    const identify = createIdentifier({ dns });
    const request = {
      ...{ time: 0, host: null, method: 'GET', target: '/', status: 200, bytes: 0, crawler: 'Googlebot' },
      ...{ userAgent: 'Googlebot', signature: null },
    };
    expect(await identify({ ...request, address: ADDRESS })).toBe('verified');
    expect(identify({ ...request, address: ADDRESS })).toBe('verified');
    expect(await identify({ ...request, address: '192.0.2.1' })).toBe('spoofed');
    expect(await identify({ ...request, address: '192.0.2.2' })).toBe('unchecked');
    expect(identify({ ...request, address: '192.0.2.2', crawler: 'Bytespider' })).toBe('unverifiable');
  });

  test('an error of the program is not a result', async () => {
    const lookups: DnsLookups = {
      reverse: () => Promise.reject(new TypeError('x')),
      forward: async () => [],
    };
    await expect(verify(lookups)).rejects.toThrow(TypeError);
  });
});

describe('createNetworkLookups', async () => {
  const records: Record<string, DnsAnswer | null> = {};
  const server = await startNameServer((name) => (name in records ? (records[name] ?? null) : NO_SUCH_NAME));
  afterFile(() => server.close());
  const resolver = createResolver({ servers: [server.server], hostsPath: '/dev/null' });
  const lookups = createNetworkLookups({ servers: [server.server], resolver, perSecond: 1_000 });

  test('finds names of IPv4 and IPv6 addresses, and addresses of names', async () => {
    records['1.66.249.66.in-addr.arpa'] = { names: [NAME, 'a.example'] };
    records['1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'] = {
      names: ['b.example'],
    };
    records[NAME] = { addresses: [ADDRESS, '2001:db8::1'] };
    expect(await lookups.reverse(ADDRESS)).toEqual([NAME, 'a.example']);
    expect(await lookups.reverse('::ffff:66.249.66.1')).toEqual([NAME, 'a.example']);
    expect(await lookups.reverse('2001:db8::1')).toEqual(['b.example']);
    expect(await lookups.forward(NAME)).toEqual([ADDRESS, '2001:db8::1']);
  });

  test('an address without a name, and a name without an address, have none', async () => {
    expect(await lookups.reverse('192.0.2.1')).toEqual([]);
    records['2.2.0.192.in-addr.arpa'] = {};
    expect(await lookups.reverse('192.0.2.2')).toEqual([]);
    expect(await lookups.forward('none.example')).toEqual([]);
  });

  test('failures have no result', async () => {
    records['3.2.0.192.in-addr.arpa'] = { code: 2 };
    records['fails.example'] = { code: 2 };
    expect(await lookups.reverse('192.0.2.3')).toBeUndefined();
    expect(await lookups.forward('fails.example')).toBeUndefined();
  });

  test('a name server that does not respond has no result after the time limit', async () => {
    records['4.2.0.192.in-addr.arpa'] = null;
    records['silent.example'] = null;
    const limited = createNetworkLookups({ servers: [server.server], resolver, timeout: 50 });
    expect(await limited.reverse('192.0.2.4')).toBeUndefined();
    expect(await limited.forward('silent.example')).toBeUndefined();
  });

  test('sends 20 queries a second', async () => {
    const [time, pauses]: [number, number[]] = [0, []];
    const paced = createNetworkLookups({
      ...{ servers: [server.server], resolver, now: () => time },
      sleep: async (milliseconds) => pauses.push(milliseconds),
    });
    await Promise.all(Array.from({ length: 4 }, () => paced.reverse('192.0.2.1')));
    expect(pauses).toEqual([50, 100, 150]);
  });

  test('wrong options are errors', () => {
    expect(() => createNetworkLookups({ perSecond: 0 })).toThrow(RangeError);
    expect(() => createNetworkLookups({ timeout: Number.NaN })).toThrow(RangeError);
    expect(() => createNetworkLookups({ rate: 1 } as never)).toThrow(TypeError);
  });
});

describe('readDnsFile', () => {
  const read = (content: string): Promise<DnsLookups> => {
    const path = join(createTestFolder('dns'), 'dns.txt');
    writeFileSync(path, content);
    return readDnsFile(path);
  };

  test('has columns and JSON, comments, several names, and addresses without a name', async () => {
    const lookups = await read(
      [
        '# comment',
        '',
        `${ADDRESS}\t${NAME}\t${ADDRESS}, 192.0.2.9\r`,
        `${ADDRESS}\ta.example`,
        '192.0.2.1\t-',
        '{"address":"2001:db8::1","name":"B.example","addresses":["2001:0db8::1"]}',
        '{"address":"192.0.2.2","name":null}',
      ].join('\n'),
    );
    expect(await lookups.reverse(ADDRESS)).toEqual([NAME, 'a.example']);
    expect(await lookups.forward(NAME)).toEqual([ADDRESS, '192.0.2.9']);
    expect(await lookups.forward('a.example')).toBeUndefined();
    expect(await lookups.reverse('192.0.2.1')).toEqual([]);
    expect(await lookups.reverse('192.0.2.2')).toEqual([]);
    expect(await lookups.reverse('2001:db8:0::1')).toEqual(['B.example']);
    expect(await lookups.forward('b.EXAMPLE')).toEqual(['2001:0db8::1']);
    expect(await lookups.reverse('192.0.2.3')).toBeUndefined();
    expect(await lookups.forward('__proto__')).toBeUndefined();
  });

  test.each([
    '192.0.2.1',
    '192.0.2.1\t',
    'x\ta.example',
    '192.0.2.1\ta.example\tx',
    '192.0.2.1\ta.example\t192.0.2.1\tx',
    '{',
    '{}',
    '{"address":"192.0.2.1"}',
    '{"address":"192.0.2.1","name":""}',
    '{"address":"192.0.2.1","name":"a.example","addresses":"192.0.2.1"}',
    '{"address":"192.0.2.1","name":"a.example","addresses":[7]}',
    '{"address":7,"name":"a.example"}',
  ])('%j is an error that names the line', async (line) => {
    const error = await read(`# comment\n${line}\n`).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DnsFileError);
    expect((error as Error).message).toBe('line 2 is no lookup: an address, a name, and its addresses');
  });

  test('a file that does not exist is an error', async () => {
    await expect(readDnsFile('/none/dns.txt')).rejects.toThrow('cannot read the file: ENOENT');
  });

  test('verifies without a network', async () => {
    const verifier = createDnsVerifier(
      await read(`${ADDRESS}\t${NAME}\t${ADDRESS}\n192.0.2.1\tevilgooglebot.com\t192.0.2.1\n`),
    );
    expect(await verifier.verify(ADDRESS, MASKS)).toBe('match');
    expect(await verifier.verify('192.0.2.1', MASKS)).toBe('mismatch');
    expect(await verifier.verify('192.0.2.2', MASKS)).toBe('unknown');
  });
});
