import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import {
  CRAWLER_RECORDS,
  type CrawlerRecord,
  createOperatorFinder,
  findOperator,
  OPERATOR_RECORDS,
  type OperatorRecord,
  parseOperatorRecords,
} from '../../../src/crawlers.ts';

const FOLDER = new URL('../../../src/crawlers/', import.meta.url);
const readJson = (name: string): object => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
const validate = new Ajv().compile(readJson('crawlers.schema.json'));

const RECORD: OperatorRecord = {
  operator: 'Example',
  crawlers: ['ExampleBot'],
  verification: [
    { ranges: 'https://example.com/bot.json', format: 'json' },
    { dns: ['*.example.com'] },
    { signature: 'https://example.com' },
  ],
  sources: [{ url: 'https://example.com/bot', kind: 'operator', date: '2026-11-28' }],
};
const CRAWLER: CrawlerRecord = {
  token: 'ExampleBot',
  operator: 'Example',
  kind: 'crawler',
  purposes: [],
  robotsTxt: 'obeys',
  description: 'Indexes partner sites.',
  sources: [{ url: 'https://example.com/bot', kind: 'operator', date: '2026-11-28' }],
};

/** The parser and the schema must agree. @returns the message of the parser, or `null` if it accepts the value. */
function check(changes: object): string | null {
  const value = { crawlers: [], operators: [{ ...RECORD, ...changes }] };
  let message: string | null = null;
  try {
    parseOperatorRecords(value);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(validate(value), `${message}: ${JSON.stringify(value)}`).toBe(message === null);
  return message;
}

describe('the records of the catalogue', () => {
  test('have the form of the schema, and are sorted by operator', () => {
    validate(readJson('operators.json'));
    expect(validate.errors ?? []).toEqual([]);
    expect(parseOperatorRecords(readJson('operators.json'))).toEqual(OPERATOR_RECORDS);
    const names = OPERATOR_RECORDS.map(({ operator }) => operator.toLowerCase());
    expect(names).toEqual([...names].sort());
  });

  test('name crawlers of the catalogue, each once and with its operator', () => {
    const named = OPERATOR_RECORDS.flatMap(({ operator, crawlers = [] }) =>
      crawlers.map((token) => [token, operator] as const),
    );
    expect(new Set(named.map(([token]) => token)).size).toBe(named.length);
    for (const [token, operator] of named)
      expect(CRAWLER_RECORDS.find((record) => record.token === token)?.operator, token).toBe(operator);
    const general = OPERATOR_RECORDS.filter(({ crawlers }) => crawlers === undefined);
    expect(new Set(general.map(({ operator }) => operator)).size).toBe(general.length);
  });

  test('have sources with valid URLs and days', () => {
    for (const { sources, verification = [] } of OPERATOR_RECORDS) {
      expect(sources.length).toBeGreaterThan(0);
      for (const { url, date } of sources) {
        expect(new URL(url).href).toBe(url);
        expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      }
      for (const method of verification)
        if ('ranges' in method) expect(new URL(method.ranges).protocol).toBe('https:');
    }
  });

  test('a record of a policy token, which sends no requests, does not exist', () => {
    const tokens = new Set(OPERATOR_RECORDS.flatMap(({ crawlers = [] }) => crawlers));
    const policies = CRAWLER_RECORDS.filter(
      ({ kind, token }) => kind === 'policy-token' && tokens.has(token),
    );
    expect(policies).toEqual([]);
  });
});

describe('findOperator', () => {
  test('finds the facts about one crawler, with those about all crawlers of its operator', () => {
    expect(findOperator('Googlebot')).toMatchObject({
      operator: 'Google',
      cachePeriod: 86_400_000,
      crawlDelay: 'ignores',
      robotsTxt: 'obeys',
      card: null,
      whenUnavailable: [{ from: 0, effect: 'allow' }],
      verification: [{ format: 'json' }, { dns: ['*.googlebot.com', '*.geo.googlebot.com'] }],
    });
  });

  test('finds a crawler by its name in reports and by its token, regardless of case', () => {
    expect(findOperator('Googlebot Image')).toEqual(findOperator('googlebot-image'));
  });

  test('finds that OpenAI has a list for each of its crawlers', () => {
    const lists = ['GPTBot', 'OAI-SearchBot', 'ChatGPT-User'].map(
      (name) => findOperator(name)?.verification[0],
    );
    expect(new Set(lists.map((list) => list && 'ranges' in list && list.ranges)).size).toBe(3);
  });

  test.each([
    ['Amazonbot', { crawlDelay: 'ignores', robotsTxt: 'obeys' }],
    ['bingbot', { crawlDelay: 'inherits-default' }],
    ['ClaudeBot', { crawlDelay: 'obeys' }],
    ['YandexImages', { crawlDelay: 'ignores' }],
    ['GPTBot', { crawlDelay: 'unknown' }],
    // Third parties report that it ignores robots.txt; its operator does not say it.
    ['Bytespider', { robotsTxt: 'unknown', verification: [] }],
    ['Google-Agent', { robotsTxt: 'ignores' }],
    ['ChatGPT-User', { robotsTxt: 'ignores' }],
    ['Claude-User', { robotsTxt: 'obeys' }],
    // No record is about them.
    ['SemrushBot', { operator: 'Semrush', verification: [], whenUnreachable: null, cachePeriod: 86_400_000 }],
  ])('%s', (name, facts) => {
    expect(findOperator(name)).toMatchObject(facts);
  });

  test('Amazonbot uses the last response for 30 days, then allows all', () => {
    const phases = [
      { from: 0, effect: 'last-response' },
      { from: 2_592_000_000, effect: 'allow' },
    ];
    expect(findOperator('Amazonbot')).toMatchObject({ whenUnavailable: phases, whenUnreachable: phases });
  });

  test('returns undefined for a crawler that no record is about', () => {
    for (const name of ['ExampleBot', '', '__proto__', 'constructor', 'toString'])
      expect(findOperator(name)).toBeUndefined();
  });
});

describe('createOperatorFinder', () => {
  test('the first record about a crawler counts', () => {
    const find = createOperatorFinder({
      operators: [
        { ...RECORD, cachePeriod: 1 },
        { ...RECORD, cachePeriod: 2 },
      ],
      crawlers: [CRAWLER],
    });
    expect(find('ExampleBot')?.cachePeriod).toBe(1);
  });

  test('a record can name a crawler that the catalogue does not have', () => {
    const find = createOperatorFinder({ operators: [RECORD], crawlers: [] });
    expect(find('examplebot')).toMatchObject({ operator: 'Example', robotsTxt: 'unknown' });
  });

  test('a record without crawlers is about those that no other record names', () => {
    const general = { operator: 'example', cachePeriod: 7, sources: [] };
    const find = createOperatorFinder({ operators: [general], crawlers: [CRAWLER] });
    expect(find('ExampleBot')).toMatchObject({ cachePeriod: 7, verification: [], robotsTxt: 'obeys' });
  });

  test('what a record says about a crawler counts, and the rest is that of all crawlers of its operator', () => {
    const general: OperatorRecord = {
      ...{ operator: 'Example', cachePeriod: 7, crawlDelay: 'obeys', robotsTxt: 'obeys' },
      sources: [{ url: 'https://example.com/all', kind: 'operator', date: '2026-11-28' }],
    };
    const own: OperatorRecord = { ...RECORD, cachePeriod: 1, robotsTxt: 'ignores' };
    for (const operators of [
      [general, own],
      [own, general],
    ])
      expect(createOperatorFinder({ operators, crawlers: [CRAWLER] })('ExampleBot')).toMatchObject({
        ...{ cachePeriod: 1, robotsTxt: 'ignores', crawlDelay: 'obeys', verification: RECORD.verification },
        sources: [{ url: 'https://example.com/bot' }, { url: 'https://example.com/all' }],
      });
  });

  test('throws a TypeError for an unknown option', () => {
    expect(() => createOperatorFinder({ operators: [], crawlers: [], crawler: [] } as never)).toThrow(
      TypeError,
    );
    expect(() => createOperatorFinder({ operators: [] } as never)).toThrow(TypeError);
  });
});

describe('parseOperatorRecords', () => {
  test('a catalogue without operators has none', () => {
    expect(parseOperatorRecords({ crawlers: [] })).toEqual([]);
  });

  test.each([
    [
      'all properties',
      { cachePeriod: 0, crawlDelay: 'obeys', robotsTxt: 'ignores', card: 'https://a.example/' },
    ],
    [
      'an outage with two phases',
      {
        whenUnreachable: [
          { from: 0, effect: 'disallow' },
          { from: 5, effect: 'allow' },
        ],
      },
    ],
    ['no method', { verification: [] }],
    [
      'a list with a part of the addresses',
      { verification: [{ ranges: 'https://a.example/', format: 'text', partial: true }] },
    ],
  ])('%s is accepted', (_, changes) => {
    expect(check(changes)).toBeNull();
  });

  test.each<[object, string]>([
    [{ operator: '' }, 'operator must be a text with 1 to 300 characters'],
    [{ crawlers: ['a b'] }, 'crawlers[0] must be letters, digits, "_", "-" and "."'],
    [{ cachePeriod: -1 }, 'cachePeriod must be a whole number from 0 to 315360000000'],
    [{ cachePeriod: '24h' }, 'cachePeriod must be a whole number from 0 to 315360000000'],
    [{ verification: [{}] }, 'verification[0] must be an object with "ranges"'],
    [{ verification: [null] }, 'verification[0] must be an object'],
    [{ verification: [{ dns: ['*'] }] }, 'verification[0].dns[0] must be a host name, or "*." and one'],
    [{ verification: [{ dns: ['*.com'] }] }, 'verification[0].dns[0] must be a host name, or "*." and one'],
    [
      { verification: [{ dns: ['a*.example.com'] }] },
      'verification[0].dns[0] must be a host name, or "*." and one',
    ],
    [
      { verification: [{ dns: [], signature: 'https://a.example/' }] },
      'verification[0] must be an object without "signature"',
    ],
    [
      { verification: [{ ranges: 'file:///etc', format: 'json' }] },
      'verification[0].ranges must be an http or https URL',
    ],
    [
      { verification: [{ ranges: 'https://a.example/', format: 'xml' }] },
      'verification[0].format must be one of json, text, geofeed',
    ],
    [
      { whenUnreachable: [{ from: 0, effect: 'block' }] },
      'whenUnreachable[0].effect must be one of disallow, last-response, allow-if-reachable, allow',
    ],
    [{ note: 'x' }, ' must be an object without "note"'],
  ])('%j is rejected with its place', (changes, message) => {
    const place = message.startsWith(' ') ? '' : '.';
    expect(check(changes)).toBe(`the catalogue.operators[0]${place}${message}`);
  });

  test.each([
    [[]],
    [[{ from: 1, effect: 'allow' }]],
    [
      [
        { from: 0, effect: 'allow' },
        { from: 0, effect: 'disallow' },
      ],
    ],
  ])('phases %j, which are not in the order of time, are a RangeError', (whenUnavailable) => {
    const value = { crawlers: [], operators: [{ ...RECORD, whenUnavailable }] };
    expect(() => parseOperatorRecords(value)).toThrow(
      new RangeError(
        'the catalogue.operators[0].whenUnavailable must begin at 0, and be in the order of time',
      ),
    );
  });

  test('accepts a value if and only if the schema does', () => {
    const keys = [...Object.keys(RECORD), 'cachePeriod', 'crawlDelay', 'robotsTxt', 'card', 'x'];
    const value = fc.oneof(
      fc.constantFrom<unknown>(null, [], {}, 7, -1, 'obeys', 'ignores', 'https://example.com/', [
        'Googlebot',
      ]),
      fc.constantFrom<unknown>(
        [{ dns: ['*.a.example'] }],
        [{ signature: 'x' }],
        [{ ranges: 'https://a/', format: 'text' }],
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), value), (changes) => {
        check(changes);
      }),
      { numRuns: getFuzzRuns(150) },
    );
  });
});
