import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { CRAWLER_RECORDS, parseCrawlerRecords } from '../../../src/crawlers.ts';

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../src/crawlers/crawlers.schema.json', import.meta.url), 'utf8'),
);
const validate = new Ajv().compile(SCHEMA);

const RECORD = {
  token: 'ExampleBot',
  operator: 'Example',
  kind: 'crawler',
  purposes: ['search'],
  robotsTxt: 'obeys',
  description: 'Indexes partner sites.',
  sources: [{ url: 'https://example.com/bot', kind: 'operator', date: '2026-11-23' }],
};

/** The parser and the schema must agree. @returns the message of the parser, or `null` if it accepts the value. */
function check(value: unknown): string | null {
  let message: string | null = null;
  try {
    parseCrawlerRecords(value);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(validate(value), `${message}: ${JSON.stringify(value)}`).toBe(message === null);
  return message;
}

const checkRecord = (changes: object): string | null => check({ crawlers: [{ ...RECORD, ...changes }] });

test('the catalogue of maycrawl is accepted', () => {
  expect(check({ $schema: './crawlers.schema.json', crawlers: CRAWLER_RECORDS })).toBeNull();
});

test.each([
  ['a record with the least properties', {}],
  [
    'all properties',
    { name: 'Example', fallbacks: ['Googlebot'], governs: ['Googlebot'], header: null, rank: 1 },
  ],
  ['a retired name without a date', { retired: { since: null } }],
  ['a retired name with a year', { retired: { since: '2024' } }],
  ['a name with digits and dots', { token: 'archive.org_bot2' }],
  ['no purposes and no sources', { purposes: [], sources: [] }],
  ['300 characters', { operator: '😀'.repeat(300) }],
])('%s is accepted', (_, changes) => {
  expect(checkRecord(changes)).toBeNull();
});

describe('what is not a record is rejected with its place', () => {
  test.each<[object, string]>([
    [{ token: 'Example Bot' }, 'the catalogue.crawlers[0].token must be letters, digits, "_", "-" and "."'],
    [{ token: '' }, 'the catalogue.crawlers[0].token must be letters, digits, "_", "-" and "."'],
    [{ token: 'a'.repeat(101) }, 'the catalogue.crawlers[0].token must be letters, digits, "_", "-" and "."'],
    [
      { operator: '😀'.repeat(301) },
      'the catalogue.crawlers[0].operator must be a text with 1 to 300 characters',
    ],
    [{ operator: 5 }, 'the catalogue.crawlers[0].operator must be a text with 1 to 300 characters'],
    [
      { kind: 'robot' },
      'the catalogue.crawlers[0].kind must be one of crawler, user-triggered-fetcher, policy-token, software',
    ],
    [
      { purposes: ['search', 'search'] },
      'the catalogue.crawlers[0].purposes must be a list without repetitions',
    ],
    [{ purposes: 'search' }, 'the catalogue.crawlers[0].purposes must be a list with at most 16 items'],
    [
      { robotsTxt: true },
      'the catalogue.crawlers[0].robotsTxt must be one of obeys, own-group-only, may-ignore, ignores, undocumented',
    ],
    [
      { retired: { since: '24-1-1' } },
      'the catalogue.crawlers[0].retired.since must be a year, month or day such as 2026-11-23',
    ],
    [{ retired: {} }, 'the catalogue.crawlers[0].retired must be an object with "since"'],
    [{ rank: 0 }, 'the catalogue.crawlers[0].rank must be a whole number from 1 to 1000'],
    [{ rank: 1.5 }, 'the catalogue.crawlers[0].rank must be a whole number from 1 to 1000'],
    [{ purpose: ['search'] }, 'the catalogue.crawlers[0] must be an object without "purpose"'],
    [
      { sources: [{ url: 'javascript:alert(1)', kind: 'operator', date: '2026' }] },
      'the catalogue.crawlers[0].sources[0].url must be an http or https URL',
    ],
    [
      { sources: [{ url: 'https://a.example/ b', kind: 'operator', date: '2026' }] },
      'the catalogue.crawlers[0].sources[0].url must be an http or https URL',
    ],
    [
      { sources: [{ url: 'https://a.example/', kind: 'rumour', date: '2026' }] },
      'the catalogue.crawlers[0].sources[0].kind must be one of operator, copy, third-party',
    ],
    [
      { sources: Array.from({ length: 11 }, () => RECORD.sources[0]) },
      'the catalogue.crawlers[0].sources must be a list with at most 10 items',
    ],
  ])('%j', (changes, message) => {
    expect(checkRecord(changes)).toBe(message);
  });

  test.each<[unknown, string]>([
    [null, 'the catalogue must be an object'],
    [[RECORD], 'the catalogue must be an object'],
    [{}, 'the catalogue must be an object with "crawlers"'],
    [{ crawlers: [], version: 1 }, 'the catalogue must be an object without "version"'],
    [{ crawlers: [null] }, 'the catalogue.crawlers[0] must be an object'],
    [
      { crawlers: Array.from({ length: 10_001 }, () => RECORD) },
      'the catalogue.crawlers must be a list with at most 10000 items',
    ],
    [JSON.parse('{"crawlers":[],"__proto__":{}}'), 'the catalogue must be an object without "__proto__"'],
  ])('a catalogue that is not one, %#', (value, message) => {
    expect(check(value)).toBe(message);
  });
});

test('each required property is required', () => {
  for (const key of Object.keys(RECORD)) {
    const { [key as keyof typeof RECORD]: _, ...rest } = RECORD;
    expect(check({ crawlers: [rest] })).toBe(`the catalogue.crawlers[0] must be an object with "${key}"`);
  }
});

test('two records with the same token are an error, regardless of case', () => {
  const twice = { crawlers: [RECORD, { ...RECORD, token: 'examplebot' }] };
  expect(() => parseCrawlerRecords(twice)).toThrow(
    new RangeError('the catalogue.crawlers[1] has the same token as [0]: examplebot'),
  );
});

test('the parser accepts a value if and only if the schema does', () => {
  const keys = [
    ...Object.keys(RECORD),
    'name',
    'fallbacks',
    'governs',
    'header',
    'retired',
    'runsScripts',
    'rank',
    'x',
  ];
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      [],
      {},
      ['search'],
      ['Googlebot'],
      { since: '2025-02' },
      'crawler',
      'obeys',
      7,
    ),
    fc.constantFrom<unknown>('https://example.com/', '2026-13', 'a', ''),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), value), fc.subarray(keys), (changes, removed) => {
      const record = { ...RECORD, ...changes };
      // Most values have all required properties.
      if (removed.length < 2) for (const key of removed) delete record[key as keyof typeof RECORD];
      check({ crawlers: [record] });
    }),
    { numRuns: getFuzzRuns(500) },
  );
});
