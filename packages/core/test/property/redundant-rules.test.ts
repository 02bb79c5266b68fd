import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RobotsTxt } from '../../src/model/robots-txt.ts';
import { parse } from '../../src/model/robots-txt.ts';
import { Budget } from '../../src/proofs/automata/budget.ts';
import { compareFiles } from '../../src/proofs/compare.ts';
import { findRedundantRules } from '../../src/proofs/redundant-rules.ts';
import { FUZZ_PARAMETERS, takeShare } from '../support/arbitraries.ts';
import { enumeratePaths, findDifferingPaths } from '../support/enumeration.ts';

const RUNS = takeShare(FUZZ_PARAMETERS, 12);

/** Replaces lines by empty rules, which have no effect. */
function removeLines(file: string, lines: readonly number[]): string {
  return file
    .split('\n')
    .map((line, index) => (lines.includes(index + 1) ? 'disallow:' : line))
    .join('\n');
}

const value = fc
  .array(fc.constantFrom('a', 'a', 'b', '*', '/', '.', '$', '?'), { maxLength: 4 })
  .map((chars) => `/${chars.join('')}`);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('allow', 'disallow'), value)
      .map(([kind, path]) => `${kind}: ${path}`),
  },
  fc.constantFrom(
    'user-agent: *',
    'user-agent: a',
    'user-agent: googlebot',
    '',
    'disallow: no-slash',
    'allow: /',
  ),
);
const file = fc.array(line, { maxLength: 12 }).map((lines) => ['user-agent: *', ...lines].join('\n'));

const PATHS = enumeratePaths(['/', 'a', 'b', '.', '?', '$'], 5);

test.each(['google', 'rfc9309'])(
  'all redundant rules can be removed together, and no further rule after them (%s)',
  (profile) => {
    const read = (text: string): RobotsTxt => parse(text, { profile });
    const tally = { redundant: 0, effective: 0 };
    fc.assert(
      fc.property(file, (text) => {
        const { rules, undecided } = findRedundantRules(read(text));
        expect(undecided).toEqual([]);
        const redundant = rules.map((rule) => rule.line);
        const rest = removeLines(text, redundant);
        expect(compareFiles(read(text), read(rest)).equivalent).toBe(true);
        expect(findDifferingPaths(read(text), read(rest), ['a', 'googlebot', 'other'], PATHS)).toEqual([]);
        const effective = read(text)
          .groups()
          .flatMap((group) => group.rules)
          .filter((rule) => !redundant.includes(rule.line) && rule.text !== '');
        for (const { line: own } of effective) {
          expect(compareFiles(read(text), read(removeLines(rest, [own]))).equivalent).toBe(false);
        }
        tally.redundant += redundant.length;
        tally.effective += effective.length;
      }),
      RUNS,
    );
    expect(tally.redundant).toBeGreaterThan(RUNS.numRuns);
    expect(tally.effective).toBeGreaterThan(RUNS.numRuns);
  },
);

test('each redundant rule has a reason and the lines that decide in its place', () => {
  const text = [
    ...['user-agent: *', 'disallow: /a', 'disallow: /a/b', 'allow: /', 'disallow: /x/../y'],
    ...['disallow: no-slash', 'allow: /z', 'disallow: /*b', 'disallow: /a'],
  ].join('\n');
  const alone = { removeTogetherWith: [] };
  expect(findRedundantRules(parse(text)).rules).toEqual([
    { line: 3, reason: 'covered', by: [8], ...alone },
    { line: 4, reason: 'default', by: [2, 8], ...alone },
    { line: 5, reason: 'no-path', by: [], ...alone },
    { line: 6, reason: 'no-path', by: [], ...alone },
    { line: 7, reason: 'default', by: [8], ...alone },
    { line: 9, reason: 'covered', by: [2, 8], ...alone },
  ]);
});

test('rules that match no path are redundant, also in a file that has no others', () => {
  const rule = { line: 2, reason: 'no-path', by: [], removeTogetherWith: [] };
  for (const profile of ['google', 'rfc9309'])
    expect(findRedundantRules(parse('user-agent: *\ndisallow: no-slash', { profile }))).toEqual({
      rules: [rule],
      undecided: [],
    });
});

test('`removeTogetherWith` is the smallest set of rules that must be removed too', () => {
  const text = ['user-agent: *', 'allow: /p/q', 'disallow: /p/', 'allow: /p/'].join('\n');
  const { rules } = findRedundantRules(parse(text));
  // Line 3 never wins, because allow wins a tie. It would win without line 4, which allows what the default
  // allows.
  expect(rules.map(({ line, removeTogetherWith }) => [line, removeTogetherWith])).toEqual([
    [2, []],
    [3, []],
    [4, [3]],
  ]);
  fc.assert(
    fc.property(file, (lines) => {
      const before = parse(lines);
      for (const { line: own, removeTogetherWith } of findRedundantRules(before).rules) {
        expect(removeTogetherWith).not.toBeNull();
        const others = removeTogetherWith ?? [];
        const isEquivalent = (removed: number[]): boolean | null =>
          compareFiles(before, parse(removeLines(lines, removed))).equivalent;
        expect(isEquivalent([own, ...others])).toBe(true);
        for (const left of others)
          expect(isEquivalent([own, ...others.filter((each) => each !== left)])).toBe(false);
      }
    }),
    { numRuns: 15 },
  );
});

test('all of thousands of plain rules are decided, with linear work', () => {
  const measureWork = (count: number): number => {
    const rules = Array.from({ length: count }, (_, index) => `disallow: /p${index}/`);
    const budget = new Budget();
    const found = findRedundantRules(parse(['user-agent: *', ...rules].join('\n')), { budget });
    expect(found).toEqual({ rules: [], undecided: [] });
    return budget.spent;
  };
  expect(measureWork(10_000)).toBeLessThan(12 * measureWork(1000));
});

test('rules whose proofs need more than the budget are undecided, and the work stops at the budget', () => {
  const rules = Array.from({ length: 2000 }, (_, index) => `disallow: /*${index}*a*${index % 7}b*c`);
  const budget = new Budget(100_000);
  const { undecided } = findRedundantRules(parse(['user-agent: *', ...rules].join('\n')), { budget });
  expect(undecided.length).toBeGreaterThan(100);
  expect(budget.spent).toBeLessThanOrEqual(200_000);
});

test('a group without a valid agent has no redundant rules', () => {
  expect(findRedundantRules(parse('user-agent: *x\ndisallow: /\n')).rules).toEqual([]);
});

test('a rule that only a bare token or an extended token obeys is not redundant', () => {
  for (const agent of ['FeedFetcher-Google', 'MJ12bot', '008'])
    expect(findRedundantRules(parse(`user-agent: ${agent}\ndisallow: /\n`)).rules).toEqual([]);
});
