import fc from 'fast-check';
import {
  type BareItem as OracleItem,
  parseDictionary as parseWithOracle,
  serializeDictionary,
} from 'structured-headers';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import {
  createInteger,
  createString,
  type Dictionary,
  isInnerList,
  parseDictionary,
  parseItem,
  serializeInnerList,
  serializeItem,
} from '../../src/signatures/structured-fields.ts';

const serialize = (dictionary: Dictionary): Record<string, string> =>
  Object.fromEntries(
    [...dictionary].map(([key, member]) => [
      key,
      isInnerList(member) ? serializeInnerList(member) : serializeItem(member),
    ]),
  );

describe('parseDictionary', () => {
  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['sig=:AAE=:', { sig: ':AAE=:' }],
    ['a=1,\tb=2 , c', { a: '1', b: '2', c: '?1' }],
    [
      'sig1=("@authority" "signature-agent";key="sig1");created=1;tag="x"',
      { sig1: '("@authority" "signature-agent";key="sig1");created=1;tag="x"' },
    ],
    ['a=(  1   2  )', { a: '(1 2)' }],
    ['a=();x', { a: '();x' }],
    ['a=1;b;  c=?0;d=tok/en:', { a: '1;b;c=?0;d=tok/en:' }],
    ['a=-0, b=007, c=1.50, d=-0.5, e=@12', { a: '0', b: '7', c: '1.5', d: '-0.5', e: '@12' }],
    ['a="x\\"y\\\\"', { a: '"x\\"y\\\\"' }],
    // Of equal keys the last value counts, at the position of the first.
    ['a=1, b=2, a=3', { a: '3', b: '2' }],
    ['a=1;x=1;y;x=2', { a: '1;x=2;y' }],
    ['__proto__=1', { __proto__: '1' } as Record<string, string>],
  ])('%s', (text, members) => {
    const parsed = parseDictionary(text);
    expect(parsed && JSON.stringify(serialize(parsed))).toBe(
      text.startsWith('__') ? undefined : JSON.stringify(members),
    );
  });

  test.each([
    'a=',
    'a=1,',
    'a=1 b=2',
    'A=1',
    'a="x',
    'a="\\n"',
    'a="é"',
    'a=(1',
    'a=(1 2',
    'a=(1)2',
    'a=("x""y")',
    'a=1.',
    'a=1.2345',
    'a=1234567890123456',
    'a=:x',
    'a=?2',
    'a=%"x"',
    '=1',
    ',',
    'a=1;',
    'a=1;B',
  ])('%j is no dictionary', (text) => {
    expect(parseDictionary(text)).toBeUndefined();
  });

  test('long fields, and many members, are not read', () => {
    expect(parseDictionary(`a="${'x'.repeat(70_000)}"`)).toBeUndefined();
    expect(parseDictionary(Array.from({ length: 300 }, (_, index) => `a${index}`).join())).toBeUndefined();
    for (const text of [
      '('.repeat(60_000),
      'a='.repeat(30_000),
      '"'.repeat(60_000),
      ' '.repeat(60_000),
      'a=1;'.repeat(16_000),
    ])
      expect(parseDictionary(text)?.size ?? 0).toBe(0);
  });

  test('accepts what the package structured-headers accepts, with the same serialization', () => {
    // Not dates: the package refuses parameters after them.
    const bare = fc.constantFrom(
      '1',
      '-0',
      '0.50',
      '"x"',
      '"\\""',
      'tok',
      '*a',
      '?1',
      ':AA==:',
      '(1 "x")',
      '();a',
      '',
      '"',
      'é',
      '?',
      '1.2.3',
    );
    const parameter = fc.constantFrom(';a', ';a=1', '; b="x"', ';;', ';A', '', '', '');
    const separator = fc.constantFrom(',', ', ', ' ,\t', '', ' ', ',,');
    const member = fc.tuple(fc.constantFrom('a=', 'b=', 'c', 'A=', '*=', 'a'), bare, parameter, separator);
    const text = fc.oneof(
      fc
        .array(
          member.map((parts) => parts.join('')),
          { maxLength: 4 },
        )
        .map((all) => all.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (written) => {
        let expected: string | undefined;
        try {
          expected = serializeDictionary(
            parseWithOracle(written) as Map<string, [OracleItem, Map<string, OracleItem>]>,
          );
        } catch {
          expected = undefined;
        }
        const parsed = parseDictionary(written);
        const own =
          parsed &&
          [...parsed]
            .map(([key, value]) => {
              const serialized = isInnerList(value) ? serializeInnerList(value) : serializeItem(value);
              return serialized.startsWith('?1') ? key + serialized.slice(2) : `${key}=${serialized}`;
            })
            .join(', ');
        expect(own).toBe(expected);
      }),
      { numRuns: getFuzzRuns(600) },
    );
  });
});

test('an item is one value with parameters', () => {
  expect(parseItem('"https://bot.example"')?.bare.value).toBe('https://bot.example');
  expect(parseItem('https://bot.example')?.bare).toMatchObject({
    kind: 'token',
    value: 'https://bot.example',
  });
  expect(parseItem('"a", "b"')).toBeUndefined();
});

test('a string that is created is one that is read, and has no other characters', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (/[^ -~]/.test(text)) expect(() => createString(text)).toThrow(RangeError);
      else expect(parseItem(createString(text).text)?.bare).toEqual(createString(text));
    }),
  );
  expect(createString('a"b\\').text).toBe('"a\\"b\\\\"');
  expect(parseItem(createInteger(1_735_689_600).text)?.bare).toEqual(createInteger(1_735_689_600));
});
