import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { parse } from '../../src/model/robots-txt.ts';
import { Budget } from '../../src/proofs/automata/budget.ts';
import { proveVerdict, VerdictProver } from '../../src/proofs/verify.ts';
import { LONG_PARAMETERS, takeShare } from '../support/arbitraries.ts';
import { enumeratePaths } from '../support/enumeration.ts';

const RUNS = takeShare(LONG_PARAMETERS, 10);

const REQUESTS = enumeratePaths(['/', 'a', 'b', '.', '?', 'x'], 6);

const value = fc
  .array(fc.constantFrom('a', 'a', 'b', '*', '/', '.', '?'), { maxLength: 3 })
  .map((chars) => `/${chars.join('')}`);
const pattern = fc.tuple(value, fc.constantFrom('', '*', '$')).map(([start, end]) => `${start}${end}`);
const rule = fc.tuple(fc.constantFrom('allow', 'disallow'), pattern);

test.each(['google', 'rfc9309'])(
  'a proof agrees with an exhaustive search over short paths, and its counterexample is a shortest one (%s)',
  (profile) => {
    const tally = { true: 0, false: 0, vacuous: 0 };
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), pattern, fc.boolean(), (rules, claim, isAllowed) => {
        const ruleset = parse(
          ['user-agent: *', ...rules.map(([kind, path]) => `${kind}: ${path}`)].join('\n'),
          { profile },
        ).ruleset('x');
        const claimRuleset = parse(`user-agent: *\ndisallow: ${claim}`, { profile }).ruleset('x');
        const { isTrue, counterexample, isVacuous } = proveVerdict(ruleset, claim, isAllowed);
        const matchingPaths = REQUESTS.filter(
          (path) => claimRuleset.decide(`http://h${path}`).kind === 'disallowed',
        );
        const broken = matchingPaths.find(
          (path) => ruleset.decide(`http://h${path}`).kind !== (isAllowed ? 'allowed' : 'disallowed'),
        );
        expect(isTrue).toBe(counterexample === null);
        if (broken !== undefined) expect(counterexample?.path.length).toBe(broken.length);
        if (counterexample !== null) {
          expect(claimRuleset.decide(`http://h${counterexample.path}`).kind).toBe('disallowed');
          expect(ruleset.decide(`http://h${counterexample.path}`)).toMatchObject({ allowed: !isAllowed });
        }
        if (isVacuous) expect(matchingPaths).toEqual([]);
        tally[isVacuous ? 'vacuous' : isTrue ? 'true' : 'false']++;
      }),
      RUNS,
    );
    expect(tally.true).toBeGreaterThan(RUNS.numRuns / 10);
    expect(tally.false).toBeGreaterThan(RUNS.numRuns / 5);
    expect(tally.vacuous).toBeGreaterThan(0);
  },
);

test.each(['', 'a', '/a\n', '/a#b'])('%j is not a valid pattern', (claim) => {
  expect(() => proveVerdict(parse('').ruleset('x'), claim, true)).toThrow(/not a pattern/);
});

test('claims about one ruleset share its automaton and a budget', () => {
  const rules = Array.from({ length: 2000 }, (_, index) => `disallow: /p${index}/\n`);
  const ruleset = parse(`user-agent: *\n${rules.join('')}`).ruleset('a');
  const measureWork = (count: number): number => {
    const budget = new Budget();
    const patterns = Array.from({ length: count }, (_, index) => `/p${index}/*`);
    const prover = new VerdictProver(ruleset, patterns, { budget });
    for (const pattern of patterns) expect(prover.prove(pattern, false).isTrue).toBe(true);
    return budget.spent;
  };
  expect(measureWork(200)).toBeLessThan(20 * measureWork(10));
  const budget = new Budget(10);
  const prover = new VerdictProver(ruleset, ['/p*'], { budget });
  expect(prover.prove('/p*', false).isTrue).toBeNull();
});

test('a proof without a budget does no work, not even that of an exception', () => {
  const ruleset = parse('user-agent: *\ndisallow: /p').ruleset('a');
  const budget = new Budget(150);
  const spend = vi.spyOn(budget, 'spend');
  const prover = new VerdictProver(ruleset, ['/p*'], { budget });
  while (prover.prove('/p*', false).isTrue !== null);
  const { length } = spend.mock.calls;
  expect(length).toBeGreaterThan(0);
  expect(prover.prove('/p*', false).isTrue).toBeNull();
  expect(spend.mock.calls).toHaveLength(length);
});

test.each([
  ['does not begin with / or *', 'x'],
  ['contains NUL', '/a\0'],
  ['contains #', '/a#'],
  ['contains a line end', '/a\n'],
  ['is longer than a line', `/${'a'.repeat(16_663)}`],
])('proveVerdict throws a RangeError if the pattern %s', (_name, pattern) => {
  expect(() => proveVerdict(parse('').ruleset('a'), pattern, true)).toThrow(RangeError);
});

test('a proof that is undecided does not claim that no URL matches', () => {
  const ruleset = parse('user-agent: *\ndisallow: /a*b*c').ruleset('x');
  expect(proveVerdict(ruleset, '/', true, { maxStates: 1 })).toMatchObject({
    isTrue: null,
    isVacuous: false,
  });
});
