import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GOOGLE } from '../../src/crawler/profile.ts';
import { Automaton, GAVE_UP } from '../../src/matching/automaton.ts';
import { IndexedTable } from '../../src/matching/indexed-table.ts';
import { rankPatterns } from '../../src/matching/ranked-patterns.ts';
import { NONE, RuleTable } from '../../src/matching/rule-table.ts';
import { parse } from '../../src/model/parse.ts';
import { getCompiledRules } from '../../src/model/ruleset.ts';
import { collectRules } from '../../src/syntax/collect.ts';
import { Scanner } from '../../src/syntax/scanner.ts';
import { oracleDecide } from '../oracle/oracle.ts';
import { FUZZ_PARAMETERS } from '../support/arbitraries.ts';

const PREFERENCE = { tokenSets: [['a']], obeysGlobal: true, isExempt: false };

function createTable(file: string): RuleTable {
  const bytes = new TextEncoder().encode(file);
  const { rules } = collectRules(new Scanner(bytes, false), PREFERENCE);
  return new RuleTable(file, rankPatterns(file, bytes, rules, GOOGLE));
}

function createIndexedTable(file: string): IndexedTable {
  const bytes = new TextEncoder().encode(file);
  const { rules } = collectRules(new Scanner(bytes, false), PREFERENCE);
  return new IndexedTable(file, rankPatterns(file, bytes, rules, GOOGLE));
}

const createFile = (rules: readonly (readonly [boolean, string])[]): string =>
  `user-agent: a\n${rules.map(([isAllow, pattern]) => `${isAllow ? 'allow' : 'disallow'}: ${pattern}\n`).join('')}`;

/** A small alphabet, so that patterns overlap with each other, with themselves and with the paths. */
const rule = (characters: readonly string[], maxLength: number): fc.Arbitrary<readonly [boolean, string]> =>
  fc.tuple(
    fc.boolean(),
    fc.array(fc.constantFrom(...characters), { maxLength }).map((chars) => `/${chars.join('')}`),
  );
const rules = fc.oneof(
  fc.array(rule(['a', 'b', '*', '/'], 7), { maxLength: 30 }),
  fc.array(rule(['a', 'a', 'b', '*', '$', 'c'], 12), { maxLength: 30 }),
  fc.array(rule(['a', 'b', 'c', 'd', '/', '.'], 5), { maxLength: 120 }),
  fc.array(rule(['*', '*', 'a', 'b', 'ab', 'ba', 'index.html', '/'], 12), { maxLength: 60 }),
);
const path = fc
  .array(fc.constantFrom('a', 'a', 'b', 'c', 'd', '/', '.', 'ab', 'index.html', '*', '$', '\0', 'é'), {
    maxLength: 24,
  })
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

test('a large ruleset switches to the automaton after a few decisions, with the same verdicts', () => {
  const lines = Array.from({ length: 200 }, (_, index): [boolean, string] => [
    index % 3 === 0,
    `/${index % 7 === 0 ? '*' : ''}${index}`,
  ]);
  const ruleset = parse(createFile(lines)).ruleset('a');
  const { table } = getCompiledRules(ruleset);
  const sizes = new Set<number>();
  for (let round = 0; round < 3; round++) {
    for (let index = 0; index < 300; index++) {
      const verdict = ruleset.decide(`/${index}/x`);
      const entry = table.find(`/${index}/x`, 0);
      expect(verdict.kind === 'out-of-scope' ? -1 : verdict.line).toBe(
        entry === NONE ? 0 : table.line(entry),
      );
      sizes.add(ruleset.sizeInBytes);
    }
  }
  // First without an automaton, then with one that grows.
  expect(Math.min(...sizes)).toBeLessThan(2 * table.sizeInBytes + 500);
  expect(sizes.size).toBeGreaterThan(2);
});

describe('the automaton', () => {
  test('finds the same winners as the rule table', () => {
    const tally = createTally();
    let states = 0;
    fc.assert(
      fc.property(rules, fc.array(path, { minLength: 1, maxLength: 12 }), (lines, paths) => {
        const table = createTable(createFile(lines));
        const automaton = new Automaton(table, 1_000_000);
        for (const text of [...paths, ...paths]) {
          const entry = automaton.find(text, 0);
          expect(entry).not.toBe(GAVE_UP);
          expect(entry).toBe(table.find(text, 0));
          count(tally, entry);
        }
        expect(automaton.flushes).toBe(0);
        states += automaton.size;
      }),
      FUZZ_PARAMETERS,
    );
    // Not vacuous: states were built, and different rules won.
    expect(states).toBeGreaterThan(3 * FUZZ_PARAMETERS.numRuns);
    expect(tally.won / tally.decided).toBeGreaterThan(0.3);
    expect(tally.distinct.size).toBeGreaterThan(10);
  });

  test('finds the same winners if its states are discarded continuously', () => {
    let flushes = 0;
    fc.assert(
      fc.property(rules, fc.array(path, { minLength: 1, maxLength: 12 }), (lines, paths) => {
        const table = createTable(createFile(lines));
        const automaton = new Automaton(table, 300);
        for (const text of paths) expect(automaton.find(text, 0)).toBe(table.find(text, 0));
        flushes += automaton.flushes;
      }),
      FUZZ_PARAMETERS,
    );
    expect(flushes).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 4);
  });

  test('finds the same winners as the indexed table', () => {
    const tally = createTally();
    fc.assert(
      fc.property(rules, fc.array(path, { minLength: 1, maxLength: 12 }), (lines, paths) => {
        const table = createTable(createFile(lines));
        const searched = createIndexedTable(createFile(lines));
        for (const text of paths) {
          const entry = searched.find(text, 0);
          expect(entry).toBe(table.find(text, 0));
          expect(searched.find(`x${text}`, 1)).toBe(entry);
          count(tally, entry);
        }
      }),
      FUZZ_PARAMETERS,
    );
    expect(tally.won / tally.decided).toBeGreaterThan(0.3);
    expect(tally.distinct.size).toBeGreaterThan(10);
  });

  test('can start at any index of the text', () => {
    fc.assert(
      fc.property(rules, path, fc.string(), (lines, text, before) => {
        const table = createTable(createFile(lines));
        const expected = table.find(text, 0);
        expect(table.find(before + text, before.length)).toBe(expected);
        expect(new Automaton(table, 10_000).find(before + text, before.length)).toBe(expected);
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
        const entry = new Automaton(table, 100_000).find(text, 0);
        expect(entry === NONE ? 0 : table.line(entry)).toBe(line);
        if (table.count > 3) largeTables++;
      }),
      FUZZ_PARAMETERS,
    );
    expect(largeTables).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 20);
  });
});
