import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toComparedPaths } from '../../src/bytes/percent-encoding.ts';
import type { RobotsTxt } from '../../src/model/robots-txt.ts';
import { parse } from '../../src/model/robots-txt.ts';
import { Budget } from '../../src/proofs/automata/budget.ts';
import { type CrawlerComparison, compareFiles } from '../../src/proofs/compare.ts';
import { listCrawlers, type NamedCrawler } from '../../src/proofs/crawler-classes.ts';
import { LONG_PARAMETERS, takeShare } from '../support/arbitraries.ts';
import { enumeratePaths } from '../support/enumeration.ts';

const RUNS = takeShare(LONG_PARAMETERS, 20);

/** A crawler whose rules are compared. */
const A: NamedCrawler = { name: 'a', crawler: 'a' };

/** Exhaustive trial: all paths over an alphabet up to a length. */
interface Trial {
  readonly profile: string;
  readonly characters: readonly string[];
  readonly maxLength: number;
  /** Parts of patterns besides `a`, `b`, `*` and `/`. */
  readonly parts: readonly string[];
}

const TRIALS: readonly Trial[] = [
  { profile: 'google', characters: ['/', 'a', 'b', '.', '?', 'x'], maxLength: 6, parts: ['.', '$', '?'] },
  { profile: 'google', characters: ['/', 'a', 'b', '?'], maxLength: 8, parts: ['?', '$'] },
  { profile: 'google-2013', characters: ['/', 'a', '.', '?'], maxLength: 8, parts: ['.', '$'] },
  {
    profile: 'rfc9309',
    characters: ['/', 'a', '?', '%2F', '%', '%3F'],
    maxLength: 6,
    parts: ['?', '%2F', '%2f', '%3F', ':', '%3A', '%61', '%', '$', '2F'],
  },
];

interface Difference {
  readonly length: number;
  readonly isBlocked: boolean;
}

/** Finds the differences by trying every path. The keys are the deciding lines, before and after. */
function findDifferences(
  before: RobotsTxt,
  after: RobotsTxt,
  paths: readonly string[],
): Map<string, Difference> {
  const [rulesBefore, rulesAfter] = [before.ruleset('a'), after.ruleset('a')];
  const found = new Map<string, Difference>();
  for (const path of paths) {
    const [a, b] = [rulesBefore.decide(`http://h${path}`), rulesAfter.decide(`http://h${path}`)];
    if (a.kind === 'out-of-scope' || b.kind === 'out-of-scope') throw new Error(path);
    const pair = `${a.line} ${b.line}`;
    if (a.allowed === b.allowed) continue;
    const length = Math.min(
      found.get(pair)?.length ?? Number.POSITIVE_INFINITY,
      getComparedLength(path, before),
    );
    found.set(pair, { length, isBlocked: a.allowed });
  }
  return found;
}

/** Returns the length of a path in the form in which it is compared. */
function getComparedLength(path: string, { profile }: RobotsTxt): number {
  return profile.comparison === 'decoded' ? (toComparedPaths(path)[0] as string).length : path.length;
}

type Rules = readonly (readonly [string, string])[];
const toFile = (list: Rules): string =>
  ['user-agent: *', ...list.map(([kind, value]) => `${kind}: ${value}`)].join('\n');
/** Generates two files: independent ones, or two that differ in one added or replaced rule. */
function createPairs({ parts }: Trial): fc.Arbitrary<readonly [Rules, Rules]> {
  const pattern = fc
    .array(fc.constantFrom('a', 'a', 'b', '*', '/', ...parts), { maxLength: 4 })
    .map((chars) => `/${chars.join('')}`);
  const rule = fc.tuple(
    fc.constantFrom('allow', 'disallow'),
    fc.oneof(pattern, fc.constantFrom('', '*', '/*', '/index.html')),
  );
  const rules = fc.array(rule, { maxLength: 5 });
  return fc.oneof(
    fc.tuple(rules, rules),
    fc
      .tuple(rules, rule, fc.nat(5))
      .map(([list, extra, at]) => [list, [...list.slice(0, at), extra, ...list.slice(at)]] as const),
    fc
      .tuple(rules, rule, fc.nat(5))
      .map(([list, other, at]) => [list, list.map((each, index) => (index === at ? other : each))] as const),
  );
}

test.each(TRIALS)(
  'the changes equal those of an exhaustive search over $characters up to length $maxLength ($profile)',
  (trial) => {
    const { profile, characters, maxLength } = trial;
    const paths = enumeratePaths(characters, maxLength);
    const triedPaths = new Set(paths);
    const tally = { equivalent: 0, different: 0, changes: 0 };
    fc.assert(
      fc.property(createPairs(trial), ([before, after]) => {
        const [fileBefore, fileAfter] = [
          parse(toFile(before), { profile }),
          parse(toFile(after), { profile }),
        ];
        const [comparison] = compareFiles(fileBefore, fileAfter, { crawlers: [A] }).comparisons;
        const { equivalent, changes } = comparison as CrawlerComparison;
        const expected = findDifferences(fileBefore, fileAfter, paths);
        expect(equivalent).toBe(changes.length === 0);
        const found = new Map(
          changes.map((change) => [`${change.before.line} ${change.after.line}`, change]),
        );
        expect(found.size).toBe(changes.length);
        for (const [lines, { length, isBlocked }] of expected) {
          const change = found.get(lines);
          expect(change?.direction).toBe(isBlocked ? 'blocked' : 'allowed');
          const shortest = getComparedLength(change?.example ?? '', fileBefore);
          // A shorter example can contain characters that were not tried.
          if (triedPaths.has(change?.example ?? '')) expect(shortest).toBe(length);
          else expect(shortest).toBeLessThanOrEqual(length);
        }
        for (const { example, before: a, after: b } of changes) {
          expect(expected.has(`${a.line} ${b.line}`) || !triedPaths.has(example)).toBe(true);
          expect(fileBefore.ruleset('a').decide(`http://h${example}`)).toMatchObject({
            allowed: a.allowed,
            line: a.line,
          });
          expect(fileAfter.ruleset('a').decide(`http://h${example}`)).toMatchObject({
            allowed: b.allowed,
            line: b.line,
          });
        }
        tally[equivalent ? 'equivalent' : 'different']++;
        tally.changes += changes.length;
      }),
      RUNS,
    );
    expect(tally.equivalent).toBeGreaterThan(RUNS.numRuns / 20);
    expect(tally.different).toBeGreaterThan(RUNS.numRuns / 4);
    expect(tally.changes).toBeGreaterThan(RUNS.numRuns / 2);
  },
);

test('compareFiles covers named crawlers, crawlers with fallbacks, and all others', () => {
  const before = parse('User-agent: Googlebot\nDisallow: /g\n\nUser-agent: Foo\nDisallow: /f\n');
  const after = parse(
    'user-agent: googlebot\ndisallow: /g # same\n\nuser-agent: foo\nuser-agent: *\ndisallow: /f\n',
  );
  const { equivalent, comparisons } = compareFiles(before, after);
  expect(equivalent).toBe(false);
  const changed = comparisons.filter(({ changes }) => changes.length > 0);
  expect(changed.length).toBe(1);
  const names = changed[0]?.crawlers.map(({ name }) => name);
  expect(names).toContain('*');
  expect(names).toContain('GPTBot');
  expect(names).not.toContain('Googlebot');
  // Googlebot Image falls back to the groups for Googlebot.
  expect(names).not.toContain('Googlebot Image');
  expect(changed[0]?.changes).toMatchObject([{ direction: 'blocked', example: '/f', after: { line: 6 } }]);
});

test('a proof that needs more than its budget is undecided, and stops at the budget', () => {
  const many = (letter: string): string =>
    `user-agent: *\n${Array.from({ length: 300 }, (_, rule) => `disallow: /*${letter}*${rule % 7}b*c${rule}*d\n`).join('')}`;
  const budget = new Budget(100_000);
  const { comparisons } = compareFiles(parse(many('a')), parse(many('e')), { budget, crawlers: [A] });
  expect(comparisons.map(({ equivalent }) => equivalent)).toEqual([null]);
  expect(budget.spent).toBeLessThanOrEqual(200_000);
});

test('the work grows linearly with the number of named agents', () => {
  const file = (count: number, path: string): RobotsTxt =>
    parse(Array.from({ length: count }, (_, n) => `user-agent: a${n}\ndisallow: /${path}${n}\n`).join(''));
  const measureWork = (count: number): number => {
    const budget = new Budget();
    expect(compareFiles(file(count, 'x'), file(count, 'x'), { budget }).equivalent).toBe(true);
    return budget.spent;
  };
  expect(measureWork(2000)).toBeLessThan(12 * measureWork(200));
});

const findChangedNames = (before: string, after: string): string[] =>
  compareFiles(parse(before), parse(after))
    .comparisons.filter(({ changes }) => changes.length > 0)
    .flatMap(({ crawlers }) => crawlers.map(({ name }) => name));

test('no change affects a crawler that ignores robots.txt; changes affect its bare token', () => {
  const toFileFor = (path: string): string => `User-agent: FeedFetcher-Google\nDisallow: ${path}\n`;
  expect(findChangedNames(toFileFor('/'), toFileFor('/x'))).toEqual(['token:FeedFetcher-Google']);
});

test('the bare token of a crawler with fallbacks is compared only if it selects other groups', () => {
  const googlebot = 'User-agent: Googlebot\nDisallow: /a\n';
  const image = 'User-agent: Googlebot-Image\nDisallow: /a\n';
  expect(findChangedNames(googlebot + image, googlebot)).toEqual(['token:Googlebot-Image']);
  const named = listCrawlers([parse(googlebot + image)]).map(({ name }) => name);
  expect(named.filter((name) => name.startsWith('token:'))).toEqual([]);
  // The bare token obeys the groups for * if it is not named, so nothing changes for it.
  const adsBot = 'User-agent: *\nDisallow: /\n';
  expect(findChangedNames(`${adsBot}User-agent: AdsBot-Google\nDisallow: /\n`, adsBot)).toEqual([
    'AdsBot-Google',
  ]);
});

test('an extended token is compared separately from its product token', () => {
  const file = (path: string): string =>
    `User-agent: MJ12bot\nDisallow: ${path}\n\nUser-agent: MJ\nDisallow: /\n`;
  expect(findChangedNames(file('/a'), file('/b'))).toEqual(['MJ12bot']);
});
