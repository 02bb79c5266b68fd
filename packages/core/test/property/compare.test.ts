import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RobotsTxt } from '../../src/document.ts';
import { parse } from '../../src/parse.ts';
import { compareFiles, compareRulesets } from '../../src/proofs/compare.ts';
import { FUZZ_PARAMETERS } from '../support/arbitraries.ts';

/** All paths over few characters, up to a length, as far as they can be in a request. */
function enumeratePaths(characters: readonly string[], maxLength: number): string[] {
  const all = ['/'];
  for (let from = 0, length = 1; length < maxLength; length++) {
    const to = all.length;
    for (; from < to; from++) for (const char of characters) all.push(`${all[from]}${char}`);
  }
  return all.filter((path) => new URL(`http://h${path}`).href === `http://h${path}`);
}

const CHARACTERS = ['/', 'a', 'b', '.', '?', 'x'];
const MAX_LENGTH = 6;
const PATHS = enumeratePaths(CHARACTERS, MAX_LENGTH);

interface Difference {
  readonly length: number;
  readonly isBlocked: boolean;
}

/** What differs, by the lines that decide, found by trying every path. */
function differencesOf(before: RobotsTxt, after: RobotsTxt, crawler: string): Map<string, Difference> {
  const [was, is] = [before.ruleset(crawler), after.ruleset(crawler)];
  const found = new Map<string, Difference>();
  for (const path of PATHS) {
    const [a, b] = [was.decide(`http://h${path}`), is.decide(`http://h${path}`)];
    if (a.kind === 'out-of-scope' || b.kind === 'out-of-scope') throw new Error(path);
    const pair = `${a.line} ${b.line}`;
    if (a.allowed !== b.allowed && !found.has(pair))
      found.set(pair, { length: path.length, isBlocked: a.allowed });
  }
  return found;
}

const pattern = fc
  .array(fc.constantFrom('a', 'a', 'b', '*', '/', '.', '$', '?'), { maxLength: 4 })
  .map((chars) => `/${chars.join('')}`);
const rule = fc.tuple(
  fc.constantFrom('allow', 'disallow'),
  fc.oneof(pattern, fc.constantFrom('', '*', '/*', '/index.html')),
);
const rules = fc.array(rule, { maxLength: 5 });
const fileOf = (list: readonly (readonly [string, string])[]): string =>
  ['user-agent: *', ...list.map(([kind, value]) => `${kind}: ${value}`)].join('\n');
/** Two files: any two, or one and the same with a rule more, less or changed. */
const pair = fc.oneof(
  fc.tuple(rules, rules),
  fc
    .tuple(rules, rule, fc.nat(5))
    .map(([list, extra, at]) => [list, [...list.slice(0, at), extra, ...list.slice(at)]] as const),
  fc
    .tuple(rules, rule, fc.nat(5))
    .map(([list, other, at]) => [list, list.map((each, index) => (index === at ? other : each))] as const),
);

test('what changes is what trying all short paths finds, and every example is a shortest one', () => {
  const tally = { equivalent: 0, different: 0, changes: 0 };
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const [was, is] = [parse(fileOf(before)), parse(fileOf(after))];
      const { equivalent, changes } = compareRulesets(was.ruleset('a'), is.ruleset('a'));
      const expected = differencesOf(was, is, 'a');
      expect(equivalent).toBe(changes.length === 0);
      const found = new Map(changes.map((change) => [`${change.before.line} ${change.after.line}`, change]));
      expect(found.size).toBe(changes.length);
      for (const [lines, { length, isBlocked }] of expected) {
        const change = found.get(lines);
        expect(change?.example.length).toBe(length);
        expect(change?.direction).toBe(isBlocked ? 'blocked' : 'allowed');
      }
      for (const { example, before: a, after: b } of changes) {
        expect(
          expected.has(`${a.line} ${b.line}`) || example.length > MAX_LENGTH || /[^/ab.?x]/.test(example),
        ).toBe(true);
        expect(was.ruleset('a').decide(`http://h${example}`)).toMatchObject({
          allowed: a.allowed,
          line: a.line,
        });
        expect(is.ruleset('a').decide(`http://h${example}`)).toMatchObject({
          allowed: b.allowed,
          line: b.line,
        });
      }
      tally[equivalent ? 'equivalent' : 'different']++;
      tally.changes += changes.length;
    }),
    { ...FUZZ_PARAMETERS, numRuns: Math.min(FUZZ_PARAMETERS.numRuns ?? 300, 300) },
  );
  expect(tally.equivalent).toBeGreaterThan(20);
  expect(tally.different).toBeGreaterThan(100);
  expect(tally.changes).toBeGreaterThan(200);
}, 120_000);

test('crawlers that a file names, those with fallbacks, and all others', () => {
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
  // It falls back to the groups for Googlebot.
  expect(names).not.toContain('Googlebot Image');
  expect(changed[0]?.changes).toMatchObject([{ direction: 'blocked', example: '/f', after: { line: 6 } }]);
});

test('past the bound it says that it does not know', () => {
  const many = (letter: string): string =>
    `user-agent: *\n${Array.from({ length: 300 }, (_, rule) => `disallow: /*${letter}*${rule % 7}b*c${rule}*d\n`).join('')}`;
  const started = performance.now();
  const { equivalent } = compareRulesets(parse(many('a')).ruleset('x'), parse(many('e')).ruleset('x'), {
    maxStates: 100_000,
  });
  expect(equivalent).toBeNull();
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('a crawler that ignores robots.txt ignores every change', () => {
  const [before, after] = ['/', '/x'].map((path) =>
    parse(`User-agent: FeedFetcher-Google\nDisallow: ${path}\n`),
  );
  expect(compareFiles(before as RobotsTxt, after as RobotsTxt).equivalent).toBe(true);
});
