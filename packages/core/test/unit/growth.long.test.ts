import { describe, expect, test } from 'vitest';
import { parse, type Ruleset } from '../../src/index.ts';
import { growthExponent, LINEAR, SIZES } from '../support/growth.ts';

const rulesetOf = (patterns: readonly string[]): Ruleset =>
  parse(`user-agent: *\n${patterns.map((pattern) => `disallow: ${pattern}\n`).join('')}`).ruleset('a');

const times = (count: number, pattern: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => pattern(index));
const a = (count: number): string => 'a'.repeat(count);

/** Rules that make one matcher or another slow. */
const HOSTILE: readonly [string, readonly string[]][] = [
  ['one rule with many stars', [`/${'*a'.repeat(5000)}*b`]],
  [
    'thousands of rules with many stars',
    times(4000, (index) => `/${'*a'.repeat(20 + (index % 30))}*b${index}`),
  ],
  ['parts that nearly match everywhere', times(30, (index) => `/*${a(500)}b${a(500)}${index}`)],
  ['few rules with long parts', times(2, (index) => `/*${a(4000)}b${index}$`)],
  [
    'rules of two characters in all orders',
    times(2000, (index) => `/*${[...index.toString(2)].map((bit) => (bit === '1' ? 'a' : 'b')).join('*')}*c`),
  ],
];

const PATHS: readonly [string, (size: number) => string][] = [
  ['one character', (size) => `/${a(size)}`],
  ['two in turn', (size) => `/${'ab'.repeat(size / 2)}`],
  ['nearly a part', (size) => `/${`${a(499)}c`.repeat(size / 500)}`],
];

describe.each(HOSTILE)('%s', (_name, patterns) => {
  test.each(PATHS)('the time grows no faster than the path: %s', (_path, pathOf) => {
    const ruleset = rulesetOf(patterns);
    // The first decisions read the file, and the next ones use the table. The times must be those of one matcher.
    for (let decision = 0; decision < 50; decision++) ruleset.decide(pathOf(500));
    // Made and flattened before anything is timed.
    const paths = new Map(SIZES.map((size) => [size, Buffer.from(pathOf(size)).toString('latin1')] as const));
    const exponent = growthExponent((size) => {
      ruleset.decide(paths.get(size) ?? '');
    });
    expect(exponent).toBeLessThan(LINEAR);
  });
});

test('nor does the time to parse and decide grow faster than the file', () => {
  const line = (index: number): string => `Disallow: /${index % 7 === 0 ? '*' : ''}${index.toString(36)}\n`;
  const files = new Map(
    SIZES.map(
      (size) => [size, new TextEncoder().encode(`User-agent: *\n${times(size, line).join('')}`)] as const,
    ),
  );
  const exponent = growthExponent((size) => {
    const content = files.get(size) ?? new Uint8Array();
    parse(content, { maxBytes: content.length }).ruleset('a').decide('/zz');
  });
  expect(exponent).toBeLessThan(LINEAR);
});

test('many groups and many tokens do not multiply', () => {
  const content = `${'user-agent: a\nallow:\n'.repeat(20_000)}`;
  const exponent = growthExponent((size) => {
    parse(content).ruleset('a'.repeat(size)).decide('/');
  });
  expect(exponent).toBeLessThan(LINEAR);
});

test('a quadratic function exceeds the bound of this method', () => {
  const quadratic = (size: number): void => {
    let sum = 0;
    for (let i = 0; i < size; i++) for (let j = 0; j < size / 8; j++) sum = (sum + i * j) | 0;
    if (sum === 1) throw new Error('never');
  };
  expect(growthExponent(quadratic)).toBeGreaterThan(1.7);
  const linear = (size: number): void => {
    let sum = 0;
    for (let i = 0; i < size * 1000; i++) sum = (sum + i) | 0;
    if (sum === 1) throw new Error('never');
  };
  expect(growthExponent(linear)).toBeLessThan(LINEAR);
});
