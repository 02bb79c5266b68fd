import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { GOOGLE } from '../../src/crawler/profile.ts';
import { parse } from '../../src/index.ts';
import { createRuleTable } from '../../src/matching/create-rule-table.ts';
import { findLiteral, PartMatcher } from '../../src/matching/part-matcher.ts';
import { NONE, RuleTable } from '../../src/matching/rule-table.ts';
import { collectRules } from '../../src/syntax/collect.ts';
import { Scanner } from '../../src/syntax/scanner.ts';
import { FUZZ_PARAMETERS } from '../support/arbitraries.ts';

function createTable(patterns: readonly string[]): RuleTable {
  const lines = patterns.map((pattern, index) => `${index % 3 === 0 ? 'Allow' : 'Disallow'}: ${pattern}`);
  const content = `User-agent: *\n${lines.join('\n')}`;
  const bytes = new TextEncoder().encode(content);
  const preference = { tokenSets: [], selections: [], obeysGlobal: true, isExempt: false };
  const { rules } = collectRules(new Scanner(bytes, false), preference);
  return createRuleTable(content, bytes, rules, GOOGLE);
}

const text = (parts: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength }).map((chosen) => chosen.join(''));

/** Patterns that differ only at the end, where `$` is an anchor or a character. */
const patterns = fc
  .tuple(
    fc.constantFrom('/', '*', '/*'),
    text(['a', 'a', 'b', '*', '/', 'ab', 'aba', '$'], 10),
    fc.subarray(['', '$', '$*', '*$'], { minLength: 1, maxLength: 2 }),
  )
  .map(([start, rest, ends]) => ends.map((end) => `${start}${rest}${end}`));

test('the part matcher and findLiteral together find the same winners as the rule table', () => {
  const counts = { wildcard: 0, literal: 0, none: 0 };
  fc.assert(
    fc.property(
      fc.array(patterns, { minLength: 1, maxLength: 20 }).map((each) => each.flat()),
      fc.array(text(['a', 'a', 'b', '/', 'é', 'c', '$'], 30), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', 'x', 'https://a.b'),
      (patterns, paths, before) => {
        const table = createTable(patterns);
        const matcher = new PartMatcher(table);
        // One matcher for several paths: decisions must be independent.
        for (const path of paths) {
          const target = `${before}/${path}`;
          const literal = findLiteral(table, target, before.length);
          const found = matcher.find(target, before.length, literal);
          expect(Math.min(literal, found)).toBe(table.find(target, before.length));
          counts[found !== NONE ? 'wildcard' : literal !== NONE ? 'literal' : 'none']++;
          for (const isAllow of [true, false]) {
            const literalOfKind = findLiteral(table, target, before.length, isAllow);
            const foundOfKind = matcher.find(target, before.length, literalOfKind, isAllow);
            const expected = before === '' ? table.findOfKind(isAllow, target) : undefined;
            if (expected !== undefined) expect(Math.min(literalOfKind, foundOfKind)).toBe(expected);
          }
        }
      },
    ),
    FUZZ_PARAMETERS,
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 20);
});

describe('a path on which the gram index gives up', () => {
  /** Patterns of binary numbers with the digits a and b: a long path contains each number, but matches no pattern. */
  const hostile = Array.from(
    { length: 18_000 },
    (_, i) => `*${i.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')}*c`,
  );
  let seed = 1;
  const path = Array.from({ length: 200_000 }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed & 0x10000) === 0 ? 'a' : 'b';
  }).join('');

  test('is decided correctly with 18,000 rules and 200,000 characters', () => {
    // Trying the rules one after another would take 4 billion character comparisons.
    const ruleset = parse(`User-agent: *\n${hostile.map((each) => `Disallow: ${each}\n`).join('')}`).ruleset(
      'x',
    );
    for (let i = 0; i < 20; i++)
      expect(ruleset.decide(`/${path}${i}`)).toMatchObject({ allowed: true, line: 0 });
    expect(ruleset.decide(`/${path}c`)).toMatchObject({ allowed: false });
  });

  test('which rule of the other kind matches is not looked for rule by rule', () => {
    const rules = `Disallow: /\n${hostile.map((each) => `Allow: ${each}\n`).join('')}Allow: *c$\n`;
    const ruleset = parse(`User-agent: *\n${rules}Disallow: /*c$\n`).ruleset('x');
    const oneByOne = vi.spyOn(RuleTable.prototype, 'findOfKind');
    try {
      const long = path.slice(0, 20_000);
      expect(ruleset.decide(`/${long}`)).toMatchObject({ allowed: false, line: 2, overriddenMatch: null });
      // Of both kinds some rules match, each as long as can be.
      expect(ruleset.decide(`/${long}c`)).toMatchObject({
        allowed: true,
        overriddenMatch: { pattern: '/*c$' },
      });
      expect(oneByOne).not.toHaveBeenCalled();
      expect(ruleset.decide('/abc')).toMatchObject({ allowed: true, overriddenMatch: { pattern: '/*c$' } });
      // Not vacuous: the spy sees the calls for a short path.
      expect(oneByOne).toHaveBeenCalled();
    } finally {
      oneByOne.mockRestore();
    }
  });
});
