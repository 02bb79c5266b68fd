import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { STAR } from '../../src/bytes/ascii.ts';
import { GOOGLE } from '../../src/crawler/profile.ts';
import { createRuleTable } from '../../src/matching/create-rule-table.ts';
import { GAVE_UP, GramIndex } from '../../src/matching/grams/gram-index.ts';
import { NONE, RuleTable } from '../../src/matching/rule-table.ts';
import { parse } from '../../src/model/robots-txt.ts';
import { getRuleTable } from '../../src/model/ruleset.ts';
import { Budget } from '../../src/proofs/automata/budget.ts';
import { RuleAutomaton } from '../../src/proofs/automata/rule-automaton.ts';
import { END, SortedPatterns } from '../../src/proofs/automata/sorted-patterns.ts';
import { collectRules } from '../../src/syntax/collect.ts';
import { Scanner } from '../../src/syntax/scanner.ts';
import { oracleDecide } from '../oracle/oracle.ts';
import { FUZZ_PARAMETERS } from '../support/arbitraries.ts';

const PREFERENCE = { tokenSets: [['a']], selections: [], obeysGlobal: true, isExempt: false };

function createTable(file: string): RuleTable {
  const bytes = new TextEncoder().encode(file);
  const { rules } = collectRules(new Scanner(bytes, false), PREFERENCE);
  return createRuleTable(file, bytes, rules, GOOGLE);
}

const createFile = (rules: readonly (readonly [boolean, string])[]): string =>
  `user-agent: a\n${rules.map(([isAllow, pattern]) => `${isAllow ? 'allow' : 'disallow'}: ${pattern}\n`).join('')}`;

/** A small alphabet, so that patterns overlap with each other, with themselves and with the paths. */
const rule = (characters: readonly string[], maxLength: number): fc.Arbitrary<readonly [boolean, string]> =>
  fc.tuple(
    fc.boolean(),
    fc.array(fc.constantFrom(...characters), { maxLength }).map((chars) => `/${chars.join('')}`),
  );
/** Parts of all lengths of grams, most of which share grams. */
const longRules = fc.array(
  rule(['*', '*', 'a', 'ab', 'abcd', 'bcda', 'abcdabcd', 'abcdabce', 'babcdabc', '/', '$'], 5),
  { maxLength: 60 },
);
const rules = fc.oneof(
  fc.array(rule(['a', 'b', '*', '/'], 7), { maxLength: 30 }),
  fc.array(rule(['a', 'a', 'b', '*', '$', 'c'], 12), { maxLength: 30 }),
  fc.array(rule(['a', 'b', 'c', 'd', '/', '.'], 5), { maxLength: 120 }),
  fc.array(rule(['*', '*', 'a', 'b', 'ab', 'ba', 'index.html', '/'], 12), { maxLength: 60 }),
  longRules,
);
const path = fc
  .array(
    fc.constantFrom(
      ...['a', 'a', 'b', 'c', 'd', '/', '.', 'ab', 'index.html', '*', '$', '\0', 'é', 'ツ', '\ud83d'],
      ...['abcd', 'abcdabcd', 'babcdabce'],
    ),
    { maxLength: 24 },
  )
  .map((chars) => `/${chars.join('')}`);

interface Tally {
  decided: number;
  won: number;
  distinct: Set<number>;
}

const createTally = (): Tally => ({ decided: 0, won: 0, distinct: new Set() });

function count(tally: Tally, entry: number): void {
  tally.decided++;
  if (entry !== NONE) tally.won++;
  tally.distinct.add(entry);
}

test.each([
  ['a small ruleset uses the table', 30, false],
  ['a large ruleset uses the gram index', 200, true],
])('%s, with the same verdicts', (_title, size, isIndexed) => {
  const lines = Array.from({ length: size }, (_, index): [boolean, string] => [
    index % 3 === 0,
    `/${index % 7 === 0 ? '*' : ''}${index}`,
  ]);
  const ruleset = parse(createFile(lines)).ruleset('a');
  const table = getRuleTable(ruleset);
  const find = vi.spyOn(GramIndex.prototype, 'find');
  let calls = 0;
  try {
    for (let index = 0; index < 300; index++) {
      const verdict = ruleset.decide(`/${index}/x`);
      const entry = RuleTable.prototype.find.call(table, `/${index}/x`, 0);
      expect(verdict.kind === 'out-of-scope' ? -1 : verdict.line).toBe(
        entry === NONE ? 0 : table.line(entry),
      );
    }
    calls = find.mock.calls.length;
  } finally {
    find.mockRestore();
  }
  expect(calls).toBe(isIndexed ? 300 : 0);
});

describe('the gram index', () => {
  test('finds the same winners as the rule table', () => {
    const tally = createTally();
    fc.assert(
      fc.property(rules, fc.array(path, { minLength: 1, maxLength: 12 }), (lines, paths) => {
        const table = createTable(createFile(lines));
        const index = new GramIndex(table);
        // One index for several paths: decisions must be independent.
        for (const text of [...paths, ...paths]) {
          const entry = index.find(text, 0);
          expect(entry).toBe(table.find(text, 0));
          count(tally, entry);
        }
      }),
      FUZZ_PARAMETERS,
    );
    // Not vacuous: different rules won.
    expect(tally.won / tally.decided).toBeGreaterThan(0.3);
    expect(tally.distinct.size).toBeGreaterThan(10);
  });

  test('can start at any index of the text', () => {
    fc.assert(
      fc.property(rules, path, fc.string(), (lines, text, before) => {
        const table = createTable(createFile(lines));
        const expected = table.find(text, 0);
        expect(table.find(before + text, before.length)).toBe(expected);
        expect(new GramIndex(table).find(before + text, before.length)).toBe(expected);
      }),
      FUZZ_PARAMETERS,
    );
  });

  test('finds the line of the naive oracle', () => {
    let largeTables = 0;
    fc.assert(
      fc.property(rules, path, (lines, text) => {
        const file = createFile(lines);
        const content = new TextEncoder().encode(file);
        const { line } = oracleDecide({
          content,
          preferences: [['a']],
          url: `http://h${text}`,
          normalize: false,
        });
        const table = createTable(file);
        const entry = new GramIndex(table).find(text, 0);
        expect(entry === NONE ? 0 : table.line(entry)).toBe(line);
        if (table.count > 3) largeTables++;
      }),
      FUZZ_PARAMETERS,
    );
    expect(largeTables).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 20);
  });

  test.each([
    ['without stars', (index: number) => `/${index * 7919}/`],
    ['with stars', (index: number) => `/*${index * 7919}/*.html$`],
    ['with a common prefix', (index: number) => `/shop/product/item-${index}`],
    ['with short parts', (index: number) => `/*${(index % 36).toString(36)}${index}x`],
  ])('compares a path with few of 2,000 rules %s', (_title, pattern) => {
    const table = createTable(
      createFile(Array.from({ length: 2000 }, (_, index) => [false, pattern(index)])),
    );
    const index = new GramIndex(table);
    const compare = vi.spyOn(table, 'matches');
    let won = 0;
    for (let number = 0; number < 2000; number += 40) {
      const matching = pattern(number).replaceAll('*', 'a').replace('$', '');
      for (const text of [matching, `${matching.slice(0, -1)}y`]) {
        const entry = index.find(text, 0);
        const compared = compare.mock.calls.length;
        compare.mockClear();
        expect(compared).toBeLessThan(40);
        expect(entry).toBe(table.find(text, 0));
        compare.mockClear();
        if (entry !== NONE) won++;
      }
    }
    expect(won).toBeGreaterThanOrEqual(50);
  });

  test.each(['', '$'])('finds patterns of every length that end with "%s"', (end) => {
    const letters = (length: number): string => 'xyz'.repeat(length).slice(0, length);
    const fillers = Array.from({ length: 300 }, (_, index) => [false, `/${index * 7919}`] as const);
    for (let length = 0; length < 70; length++) {
      const table = createTable(createFile([...fillers, [false, `/${letters(length)}${end}`]]));
      const index = new GramIndex(table);
      expect(index.find(`/${letters(length)}`, 0)).not.toBe(NONE);
      expect(index.find(`/${letters(length)}-`, 0)).toBe(table.find(`/${letters(length)}-`, 0));
    }
  });

  test('gives up if a path shares the grams of very many rules', () => {
    // All patterns contain the same parts, in different orders.
    const patterns = Array.from({ length: 4096 }, (_, number) =>
      [...number.toString(2).padStart(12, '0')].map((bit) => (bit === '0' ? '*ab*ba' : '*ba*ab')).join(''),
    );
    const table = createTable(createFile(patterns.map((each) => [false, `${each}*ca`])));
    const index = new GramIndex(table);
    expect(index.find(`/${'ab'.repeat(500)}`, 0)).toBe(NONE);
    // A comparison with a short path takes time, too.
    expect(index.find('/ca', 0)).toBe(GAVE_UP);
    expect(index.find(`/ca${'ab'.repeat(500)}`, 0)).toBe(GAVE_UP);
  });
});

describe('a matcher whose gram index has given up', () => {
  /** Patterns that share all their grams. Paths of the same letters contain them. */
  const createBinaryRules = (end: string): (readonly [boolean, string])[] =>
    Array.from({ length: 2048 }, (_, index) => [
      index % 2 === 0,
      `/*${[...index.toString(2)].map((bit) => (bit === '1' ? 'a' : 'b')).join('*')}*c${end}`,
    ]);
  const binaryPaths = Array.from(
    { length: 600 },
    (_, index) => `/${(index * 3).toString(2).replaceAll('1', 'a').replaceAll('0', 'b')}c`,
  );

  /**
   * Decides paths, and compares the verdicts with those of the rule table.
   *
   * @returns how many patterns were compared one by one, how many paths the index has searched, and how many beginnings of patterns
   * were compared with paths.
   */
  function countSteps(
    file: string,
    paths: readonly string[],
  ): { compared: number; searched: number; begun: number } {
    const ruleset = parse(file).ruleset('a');
    // The first decisions create no matcher.
    for (let index = 0; index < 20; index++) ruleset.decide('/');
    const compare = vi.spyOn(RuleTable.prototype, 'matches');
    const search = vi.spyOn(GramIndex.prototype, 'find');
    const begin = vi.spyOn(String.prototype, 'startsWith');
    const lines: number[] = [];
    let counted = { compared: 0, searched: 0, begun: 0 };
    try {
      for (const text of paths) {
        const verdict = ruleset.decide(text);
        lines.push(verdict.kind === 'out-of-scope' ? -1 : verdict.line);
      }
      counted = {
        compared: compare.mock.calls.length,
        searched: search.mock.calls.length,
        begun: begin.mock.calls.length,
      };
    } finally {
      compare.mockRestore();
      search.mockRestore();
      begin.mockRestore();
    }
    const table = createTable(file);
    const entries = paths.map((text) => table.find(text, 0));
    expect(lines).toEqual(entries.map((entry) => (entry === NONE ? 0 : table.line(entry))));
    // Not vacuous: many rules won.
    expect(new Set(lines).size).toBeGreaterThan(paths.length / 4);
    return counted;
  }

  test.each(['', '$'])('does not compare its patterns with each path again, if they end with "%s"', (end) => {
    const { compared, searched, begun } = countSteps(createFile(createBinaryRules(end)), binaryPaths);
    // The index gave up, and was tried again after a while.
    expect(searched).toBeGreaterThan(1);
    expect(searched).toBeLessThan(20);
    // It compares at most 500 patterns with a path before it gives up.
    expect(compared).toBeLessThan(20 * 500);
    // The part matcher does not visit each pattern either: those with the same beginning share it.
    expect(begun).toBeGreaterThan(binaryPaths.length);
    expect(begun).toBeLessThan(5 * binaryPaths.length);
  });

  test('uses the index again if the paths no longer share grams with many rules', () => {
    const others = Array.from({ length: 500 }, (_, index) => [index % 2 === 0, `/d${index}/`] as const);
    const paths = others.map(([, pattern]) => pattern);
    const file = createFile([...createBinaryRules(''), ...others]);
    const { searched } = countSteps(file, ['/abababc', ...paths]);
    expect(searched).toBeGreaterThan(200);
    expect(searched).toBeLessThan(500);
  });
});

test('the automaton of the proofs finds the same winners as the rule table', () => {
  const tally = createTally();
  fc.assert(
    fc.property(rules, fc.array(path, { minLength: 1, maxLength: 4 }), (lines, paths) => {
      const table = createTable(createFile(lines));
      const patterns = SortedPatterns.from(table);
      const codes = [...patterns.characters()].filter((code) => code !== END && code !== STAR);
      const classes = [...codes, -1].map((code) => ({ code, patternCode: code }));
      const automaton = new RuleAutomaton(table, patterns, new Map(), classes, new Budget());
      for (const text of paths) {
        const getClass = (at: number): number => {
          const index = codes.indexOf(text.charCodeAt(at));
          return index < 0 ? codes.length : index;
        };
        let state = 0;
        for (let at = 0; at < text.length; at++) state = automaton.next(state, getClass(at));
        expect(automaton.getWinner(state)).toBe(table.find(text, 0));
        count(tally, automaton.getWinner(state));
      }
    }),
    FUZZ_PARAMETERS,
  );
  expect(tally.won / tally.decided).toBeGreaterThan(0.3);
  expect(tally.distinct.size).toBeGreaterThan(10);
});
