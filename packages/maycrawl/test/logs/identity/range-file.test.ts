import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { formatPrefix } from '../../../src/logs/identity/address.ts';
import {
  MAX_PREFIXES,
  MAX_RANGE_BYTES,
  parseRangeFile,
  RangeFileError,
  type RangeFileErrorCode,
} from '../../../src/logs/identity/range-file.ts';

const parse = (text: string, format?: 'json' | 'text' | 'geofeed') =>
  parseRangeFile(Buffer.from(text), format);
const list = (text: string, format?: 'json' | 'text' | 'geofeed'): string[] =>
  parse(text, format).prefixes.map(formatPrefix);
const PREFIX = { ipv4Prefix: '192.0.2.0/24' };

function getError(run: () => unknown): RangeFileError {
  try {
    run();
  } catch (error) {
    if (error instanceof RangeFileError) return error;
    throw error;
  }
  throw new Error('there is no error');
}

describe('JSON', () => {
  test('a list as Google publishes it', () => {
    const text = JSON.stringify({
      creationTime: '2026-11-27T15:46:09.000000',
      prefixes: [{ ipv6Prefix: '2001:4860:4801:10::/64' }, { ipv4Prefix: '66.249.64.0/27' }],
    });
    expect(list(text)).toEqual(['2001:4860:4801:10::/64', '66.249.64.0/27']);
    expect(parse(text).creationTime).not.toBeNull();
  });

  test('a list of the draft has services, notes, and properties that the draft does not have', () => {
    const { prefixes, creationTime } = parse(
      JSON.stringify({
        formatVersion: '1.10',
        synctoken: 'x',
        creationTime: '2026-11-27T00:00:00Z',
        notes: 'x',
        later: {},
        prefixes: [{ ...PREFIX, service: 'ExampleBot', region: 'x' }],
      }),
    );
    expect(prefixes[0]?.service).toBe('ExampleBot');
    expect(creationTime).toBe(Date.parse('2026-11-27'));
  });

  test('objects with both or neither kind of prefix are ignored', () => {
    const prefixes = [{ ...PREFIX, ipv6Prefix: '2001:db8::/32' }, {}, { service: 'x' }, PREFIX];
    expect(list(JSON.stringify({ prefixes }))).toEqual(['192.0.2.0/24']);
  });

  test('an address is a prefix with all bits', () => {
    expect(list('{"prefixes":[{"ipv4Prefix":"192.0.2.7"}]}')).toEqual(['192.0.2.7/32']);
  });

  test.each<[unknown, RangeFileErrorCode]>([
    ['{', 'invalid-form'],
    [[], 'invalid-form'],
    [null, 'invalid-form'],
    [{}, 'invalid-form'],
    [{ prefixes: {} }, 'invalid-form'],
    [{ prefixes: ['192.0.2.0/24'] }, 'invalid-form'],
    [{ prefixes: [] }, 'empty'],
    [{ prefixes: [{}] }, 'empty'],
    [{ prefixes: [{ ipv4Prefix: 'x' }] }, 'invalid-prefix'],
    [{ prefixes: [{ ipv4Prefix: 7 }] }, 'invalid-prefix'],
    [{ prefixes: [{ ipv4Prefix: null }] }, 'invalid-prefix'],
    [{ prefixes: [{ ipv4Prefix: '2001:db8::/32' }] }, 'invalid-prefix'],
    [{ prefixes: [{ ipv6Prefix: '192.0.2.0/24' }] }, 'invalid-prefix'],
    // They would verify most of the Internet.
    [{ prefixes: [{ ipv4Prefix: '0.0.0.0/0' }] }, 'invalid-prefix'],
    [{ prefixes: [{ ipv6Prefix: '2000::/3' }] }, 'invalid-prefix'],
    [{ formatVersion: '2.0', prefixes: [PREFIX] }, 'unsupported-version'],
    [{ formatVersion: '1', prefixes: [PREFIX] }, 'invalid-form'],
    [{ formatVersion: 1, prefixes: [PREFIX] }, 'invalid-form'],
    [{ formatVersion: null, prefixes: [PREFIX] }, 'invalid-form'],
  ])('%j is an error with a code', (value, code) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(getError(() => parse(text, 'json')).code).toBe(code);
  });

  test('a property __proto__ changes nothing', () => {
    expect(getError(() => parse('{"__proto__":{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}}')).code).toBe(
      'invalid-form',
    );
    expect(getError(() => parse('{"prefixes":[{"__proto__":{"ipv4Prefix":"192.0.2.0/24"}}]}')).code).toBe(
      'empty',
    );
  });
});

describe('text and geofeeds', () => {
  test('lines with prefixes, addresses, comments and any line end', () => {
    const text = '# comment\r\n192.0.2.0/24 # networks\n\n  198.51.100.7\n2001:db8::/32';
    expect(list(text)).toEqual(['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32']);
  });

  test('a geofeed has the prefix in its first column', () => {
    const text = '# RFC 8805\n192.0.2.0/25,US,US-CA,San Francisco,\n"2001:db8:1::/48",IE,,"Dublin, 2",\n';
    expect(list(text, 'geofeed')).toEqual(['192.0.2.0/25', '2001:db8:1::/48']);
    expect(list(text)).toEqual(['192.0.2.0/25', '2001:db8:1::/48']);
  });

  test('a page in HTML is no list; the error names the line', () => {
    const error = getError(() => parse('<!doctype html>\n<html>', 'text'));
    expect([error.code, error.message]).toEqual([
      'invalid-prefix',
      'line 1 is no address and no prefix in CIDR notation',
    ]);
  });

  test('a list without lines is empty', () => {
    expect(getError(() => parse('# nothing\n')).code).toBe('empty');
    expect(getError(() => parse('')).code).toBe('empty');
  });
});

describe('limits', () => {
  test('bytes', () => {
    expect(getError(() => parseRangeFile(new Uint8Array(MAX_RANGE_BYTES + 1))).code).toBe('too-large');
  });

  test('prefixes', () => {
    const line = '192.0.2.1\n';
    expect(list(line.repeat(MAX_PREFIXES))).toHaveLength(MAX_PREFIXES);
    expect(getError(() => parse(line.repeat(MAX_PREFIXES + 1))).code).toBe('too-many-prefixes');
  });

  test('bytes that are not UTF-8', () => {
    expect(getError(() => parseRangeFile(Uint8Array.of(0x31, 0xff))).code).toBe('invalid-text');
  });

  test('no content throws anything else, and messages are one line without content', () => {
    const json = fc.record(
      {
        formatVersion: fc.oneof(fc.string(), fc.constantFrom('1.0', '3.1')),
        creationTime: fc.oneof(fc.string(), fc.integer()),
        prefixes: fc.oneof(
          fc.array(
            fc.record(
              {
                ipv4Prefix: fc.oneof(fc.ipV4(), fc.jsonValue()),
                ipv6Prefix: fc.oneof(fc.ipV6(), fc.jsonValue()),
              },
              { requiredKeys: [] },
            ),
          ),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      json.map((value) => Buffer.from(JSON.stringify(value))),
    );
    fc.assert(
      fc.property(
        content,
        fc.constantFrom(undefined, 'json' as const, 'text' as const, 'geofeed' as const),
        (bytes, format) => {
          try {
            expect(parseRangeFile(bytes, format).prefixes.length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(RangeFileError);
            expect((error as Error).message).toMatch(/^[ -~]{1,100}$/);
          }
        },
      ),
      { numRuns: getFuzzRuns(150) },
    );
  });
});
