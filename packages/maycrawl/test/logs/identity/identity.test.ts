import {
  CRAWLER_RECORDS,
  createOperatorFinder,
  OPERATOR_RECORDS,
  type OperatorRecord,
} from '@maycrawl/core/crawlers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { getEnd, parseIpAddress, parsePrefix, toBits } from '../../../src/logs/identity/address.ts';
import {
  createIdentifier,
  type DnsVerifier,
  type Identity,
  type MethodResult,
  type SignatureVerifier,
} from '../../../src/logs/identity/identity.ts';
import type { ListedPrefix } from '../../../src/logs/identity/range-file.ts';
import { RangeSet } from '../../../src/logs/identity/range-set.ts';
import { RangeStore, type StoredList } from '../../../src/logs/identity/range-store.ts';
import type { LogRequest } from '../../../src/logs/request.ts';

const REQUEST: LogRequest = {
  time: Date.parse('2026-11-20T12:00:00Z'),
  host: 'shop.example',
  method: 'GET',
  target: '/',
  status: 200,
  bytes: 0,
  crawler: 'ExampleBot',
  userAgent: 'ExampleBot/1.0',
  address: '192.0.2.7',
  signature: null,
};
const SIGNATURE = {
  signature: 'sig=:AA==:',
  input: 'sig=();tag="web-bot-auth"',
  agent: '"https://bot.example"',
};

function createList(crawler: string, day: string, prefixes: readonly string[]): StoredList {
  const listed = prefixes.map((text) => ({ ...parsePrefix(text), service: null }) as ListedPrefix);
  return { crawler, day, time: Date.parse(day), creationTime: null, ranges: new RangeSet(listed) };
}

const RANGES = { ranges: 'https://bot.example/ips.json', format: 'json' } as const;
const DNS = { dns: ['*.bot.example'] } as const;
const KEYS = { signature: 'https://bot.example' } as const;
const record = (verification: OperatorRecord['verification'] & object): OperatorRecord => ({
  operator: 'Example',
  crawlers: ['ExampleBot'],
  verification,
  sources: [],
});

/** What the methods of a case say. An omitted one is not configured. */
interface Case {
  readonly methods?: readonly object[];
  /** Days of lists, with or without the address. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  readonly dns?: MethodResult;
  readonly signature?: MethodResult;
  readonly isSigned?: boolean;
  readonly address?: string | null;
  readonly time?: string;
}

const IN = ['192.0.2.0/24'];
const OUT = ['198.51.100.0/24'];

// Written from the table of identities. Each has its reason.
const CASES: readonly (readonly [title: string, setup: Case, identity: Identity])[] = [
  // verified
  ['the address is in the list of the day', { methods: [RANGES], lists: { '2026-11-20': IN } }, 'verified'],
  [
    'the address is in the list of an earlier day',
    { methods: [RANGES], lists: { '2026-11-01': IN } },
    'verified',
  ],
  [
    'the newest list that is not after the request has the address',
    { methods: [RANGES], lists: { '2026-11-01': OUT, '2026-11-19': IN, '2026-11-21': OUT } },
    'verified',
  ],
  [
    'a list is valid from the first moment of its day',
    { methods: [RANGES], lists: { '2026-11-20': IN }, time: '2026-11-20T00:00:00Z' },
    'verified',
  ],
  ['reverse and forward DNS agree', { methods: [DNS], dns: 'match' }, 'verified'],
  [
    'DNS confirms what the list does not have',
    { methods: [RANGES, DNS], lists: { '2026-11-20': OUT }, dns: 'match' },
    'verified',
  ],
  [
    'DNS confirms a request before the first list',
    { methods: [RANGES, DNS], lists: { '2026-11-21': OUT }, dns: 'match' },
    'verified',
  ],
  [
    'the list confirms what DNS does not',
    { methods: [RANGES, DNS], lists: { '2026-11-20': IN }, dns: 'mismatch' },
    'verified',
  ],
  ['the signature verifies', { methods: [KEYS], isSigned: true, signature: 'match' }, 'verified'],
  [
    'the signature verifies, the address is in no list',
    { methods: [RANGES, KEYS], lists: { '2026-11-20': OUT }, isSigned: true, signature: 'match' },
    'verified',
  ],
  [
    'the signature verifies, the log has no address',
    { methods: [RANGES, KEYS], isSigned: true, signature: 'match', address: null },
    'verified',
  ],
  [
    'an IPv6 address is in the list',
    { methods: [RANGES], lists: { '2026-11-20': ['2001:db8::/32'] }, address: '2001:db8::1' },
    'verified',
  ],
  [
    'an IPv4-mapped address is an IPv4 address',
    { methods: [RANGES], lists: { '2026-11-20': IN }, address: '::ffff:192.0.2.7' },
    'verified',
  ],
  [
    'the user has a list that the catalogue does not name',
    { methods: [], lists: { '2026-11-20': IN } },
    'verified',
  ],
  // spoofed
  [
    'the address is not in the list of the day',
    { methods: [RANGES], lists: { '2026-11-20': OUT } },
    'spoofed',
  ],
  [
    'the address is only in an earlier list',
    { methods: [RANGES], lists: { '2026-11-01': IN, '2026-11-19': OUT } },
    'spoofed',
  ],
  [
    'the address is only in a later list',
    { methods: [RANGES], lists: { '2026-11-19': OUT, '2026-11-21': IN } },
    'spoofed',
  ],
  ['DNS has another name', { methods: [DNS], dns: 'mismatch' }, 'spoofed'],
  [
    'neither the list nor DNS confirms the address',
    { methods: [RANGES, DNS], lists: { '2026-11-20': OUT }, dns: 'mismatch' },
    'spoofed',
  ],
  [
    'the request is before the first list, and DNS fails',
    { methods: [RANGES, DNS], lists: { '2026-11-21': OUT }, dns: 'mismatch' },
    'spoofed',
  ],
  [
    'the address is not in the list, and DNS does not respond',
    { methods: [RANGES, DNS], lists: { '2026-11-20': OUT }, dns: 'unknown' },
    'spoofed',
  ],
  ['the signature is false', { methods: [KEYS], isSigned: true, signature: 'mismatch' }, 'spoofed'],
  [
    'an IPv6 address is not in a list of IPv4',
    { methods: [RANGES], lists: { '2026-11-20': IN }, address: '2001:db8::1' },
    'spoofed',
  ],
  // unverifiable
  ['the operator publishes no method', { methods: [] }, 'unverifiable'],
  ['the operator publishes no method, though DNS was given', { methods: [], dns: 'match' }, 'unverifiable'],
  [
    'the log has no address',
    { methods: [RANGES], lists: { '2026-11-20': OUT }, address: null },
    'unverifiable',
  ],
  [
    'the address is hidden',
    { methods: [RANGES], lists: { '2026-11-20': OUT }, address: '192.0.2.x' },
    'unverifiable',
  ],
  [
    'the log has no address, the signature cannot be verified',
    { methods: [KEYS], isSigned: true, signature: 'unknown', address: null },
    'unverifiable',
  ],
  // unchecked
  ['there are no lists', { methods: [RANGES] }, 'unchecked'],
  ['there is no DNS', { methods: [DNS] }, 'unchecked'],
  ['the request is before the first list', { methods: [RANGES], lists: { '2026-11-21': OUT } }, 'unchecked'],
  [
    'the request is before the first list, which has the address',
    { methods: [RANGES], lists: { '2026-11-21': IN } },
    'unchecked',
  ],
  [
    'a moment before the first list',
    { methods: [RANGES], lists: { '2026-11-20': OUT }, time: '2026-11-19T23:59:59.999Z' },
    'unchecked',
  ],
  [
    'the request is before the first list, and DNS does not respond',
    { methods: [RANGES, DNS], lists: { '2026-11-21': OUT }, dns: 'unknown' },
    'unchecked',
  ],
  ['DNS does not respond', { methods: [DNS], dns: 'unknown' }, 'unchecked'],
  [
    'the address is not in a list that is not complete',
    { methods: [{ ...RANGES, partial: true }], lists: { '2026-11-20': OUT } },
    'unchecked',
  ],
  ['the request is not signed', { methods: [KEYS], signature: 'match' }, 'unchecked'],
  [
    'there is no key for the signature',
    { methods: [KEYS], isSigned: true, signature: 'unknown' },
    'unchecked',
  ],
  ['signatures are not verified', { methods: [KEYS], isSigned: true }, 'unchecked'],
  ['lists are those of another crawler', { methods: [DNS], dns: 'unknown', lists: {} }, 'unchecked'],
];

function setUp({ methods = [], lists, dns, signature, isSigned, address, time }: Case, isAsync = false) {
  const respond = (result: MethodResult) => (): MethodResult | Promise<MethodResult> =>
    isAsync ? Promise.resolve(result) : result;
  const identify = createIdentifier({
    findOperator: createOperatorFinder({ operators: [record(methods as never)], crawlers: [] }),
    ...(lists && {
      ranges: new RangeStore(
        Object.entries(lists).map(([day, prefixes]) => createList('ExampleBot', day, prefixes)),
      ),
    }),
    ...(dns && { dns: { verify: respond(dns) } satisfies DnsVerifier }),
    ...(signature && { signatures: { verify: respond(signature) } satisfies SignatureVerifier }),
  });
  const request: LogRequest = {
    ...REQUEST,
    ...(address !== undefined && { address }),
    ...(time && { time: Date.parse(time) }),
    ...(isSigned && { signature: SIGNATURE }),
  };
  return identify(request);
}

describe('the table of identities', () => {
  test.each(CASES)('%s', async (_, setup, identity) => {
    expect(setUp(setup)).toBe(identity);
    expect(await setUp(setup, true)).toBe(identity);
  });

  test('has at least 30 cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(30);
  });
});

describe('the catalogue', () => {
  test('a request as GPTBot from an address of ChatGPT-User is spoofed', () => {
    const ranges = new RangeStore([
      createList('GPTBot', '2026-11-01', OUT),
      createList('ChatGPT-User', '2026-11-01', IN),
    ]);
    const identify = createIdentifier({ ranges });
    expect(identify({ ...REQUEST, crawler: 'GPTBot' })).toBe('spoofed');
    expect(identify({ ...REQUEST, crawler: 'ChatGPT-User' })).toBe('verified');
  });

  test('Meta does not publish all addresses, so that no request as its crawlers is spoofed', () => {
    const ranges = new RangeStore([createList('facebookexternalhit', '2026-11-01', OUT)]);
    expect(createIdentifier({ ranges })({ ...REQUEST, crawler: 'facebookexternalhit' })).toBe('unchecked');
  });

  test('crawlers without a method are unverifiable, whatever their names are', () => {
    const identify = createIdentifier({ ranges: new RangeStore([]) });
    for (const crawler of ['Bytespider', 'UnknownBot', '__proto__', 'constructor', ''])
      expect(identify({ ...REQUEST, crawler })).toBe('unverifiable');
  });
});

test('an unknown option is a TypeError', () => {
  expect(() => createIdentifier({ range: new RangeStore([]) } as never)).toThrow(TypeError);
});

describe('a naive second implementation', () => {
  interface World {
    readonly methods: {
      readonly ranges: boolean;
      readonly partial: boolean;
      readonly dns: boolean;
      readonly keys: boolean;
    };
    readonly lists: readonly { readonly day: number; readonly prefixes: readonly string[] }[] | null;
    readonly dns: MethodResult | null;
    readonly signature: MethodResult | null;
  }

  /** Follows the table of identities, from one request alone. */
  function identifyNaively({ methods, lists, dns, signature }: World, request: LogRequest): Identity {
    const publishes = methods.ranges || methods.dns || methods.keys || (lists !== null && lists.length > 0);
    const address = request.address === null ? undefined : parseIpAddress(request.address);
    const applied: boolean[] = [];
    if (methods.keys && request.signature !== null && signature !== null && signature !== 'unknown')
      applied.push(signature === 'match');
    if (address !== undefined && methods.dns && dns !== null && dns !== 'unknown')
      applied.push(dns === 'match');
    const valid = (lists ?? []).filter(({ day }) => Date.UTC(2026, 10, day) <= request.time);
    const newest = Math.max(...valid.map(({ day }) => day));
    const list = valid.find(({ day }) => day === newest);
    if (address !== undefined && list !== undefined) {
      const bits = toBits(address);
      const isInside = list.prefixes.some((text) => {
        const prefix = parsePrefix(text);
        if (prefix === undefined || (prefix.family === 4) !== (typeof address === 'number')) return false;
        return prefix.start <= bits && bits <= getEnd(prefix);
      });
      if (isInside || !(methods.ranges && methods.partial)) applied.push(isInside);
    }
    if (applied.includes(true)) return 'verified';
    if (!publishes) return 'unverifiable';
    if (applied.includes(false)) return 'spoofed';
    return address === undefined ? 'unverifiable' : 'unchecked';
  }

  const result = fc.constantFrom<MethodResult | null>('match', 'mismatch', 'unknown', null);
  const prefix = fc.constantFrom(
    '192.0.2.0/24',
    '192.0.2.4/30',
    '198.51.100.0/24',
    '2001:db8::/32',
    '192.0.0.0/8',
  );
  const world: fc.Arbitrary<World> = fc.record({
    methods: fc.record({
      ranges: fc.boolean(),
      partial: fc.boolean(),
      dns: fc.boolean(),
      keys: fc.boolean(),
    }),
    lists: fc.option(
      fc.uniqueArray(fc.record({ day: fc.integer({ min: 1, max: 28 }), prefixes: fc.array(prefix) }), {
        selector: ({ day }) => day,
        maxLength: 5,
      }),
    ),
    dns: result,
    signature: result,
  });
  const request = fc
    .record({
      address: fc.constantFrom(
        '192.0.2.7',
        '192.0.2.5',
        '198.51.100.1',
        '2001:db8::1',
        '::ffff:192.0.2.5',
        '203.0.113.9',
        '-',
        null,
      ),
      time: fc.integer({ min: Date.UTC(2026, 9, 30), max: Date.UTC(2026, 11, 2) }),
      signature: fc.constantFrom(SIGNATURE, null),
    })
    .map((changes) => ({ ...REQUEST, ...changes }));

  test('gives the same identities, for requests in any order of time', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(request, { maxLength: 20 }),
        fc.boolean(),
        async (each, requests, isAsync) => {
          const { methods, lists, dns, signature } = each;
          const respond = (value: MethodResult) => () => (isAsync ? Promise.resolve(value) : value);
          const verification = [
            ...(methods.ranges ? [{ ...RANGES, partial: methods.partial }] : []),
            ...(methods.dns ? [DNS] : []),
            ...(methods.keys ? [KEYS] : []),
          ];
          const identify = createIdentifier({
            findOperator: createOperatorFinder({ operators: [record(verification)], crawlers: [] }),
            ranges: lists
              ? new RangeStore(
                  lists.map(({ day, prefixes }) =>
                    createList('ExampleBot', `2026-11-${String(day).padStart(2, '0')}`, prefixes),
                  ),
                )
              : undefined,
            dns: dns ? { verify: respond(dns) } : undefined,
            signatures: signature ? { verify: respond(signature) } : undefined,
          });
          for (const one of requests) expect(await identify(one)).toBe(identifyNaively(each, one));
        },
      ),
      { numRuns: getFuzzRuns(100) },
    );
  });
});

test('the operators of the catalogue are found by default', () => {
  const find = createOperatorFinder({ operators: OPERATOR_RECORDS, crawlers: CRAWLER_RECORDS });
  const ranges = new RangeStore([createList('Googlebot', '2026-11-01', OUT)]);
  const [one, other] = [createIdentifier({ ranges }), createIdentifier({ ranges, findOperator: find })];
  for (const crawler of ['Googlebot', 'bingbot', 'YandexBot', 'Bytespider'])
    expect(one({ ...REQUEST, crawler })).toBe(other({ ...REQUEST, crawler }));
});
