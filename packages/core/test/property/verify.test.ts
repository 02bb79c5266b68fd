import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/parse.ts';
import { proveVerdict } from '../../src/proofs/verify.ts';

const CHARACTERS = ['/', 'a', 'b', '.', '?', 'x'];
const PATHS = ['/'];
for (let from = 0, length = 1; length < 6; length++) {
  const to = PATHS.length;
  for (; from < to; from++) for (const char of CHARACTERS) PATHS.push(`${PATHS[from]}${char}`);
}
const REQUESTS = PATHS.filter((path) => new URL(`http://h${path}`).href === `http://h${path}`);

const value = fc
  .array(fc.constantFrom('a', 'a', 'b', '*', '/', '.', '?'), { maxLength: 3 })
  .map((chars) => `/${chars.join('')}`);
const pattern = fc.tuple(value, fc.constantFrom('', '*', '$')).map(([start, end]) => `${start}${end}`);
const rule = fc.tuple(fc.constantFrom('allow', 'disallow'), pattern);

test('what is proved is what trying all short paths finds, and a counter-example is a shortest one', () => {
  const tally = { holds: 0, broken: 0, vacuous: 0 };
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), pattern, fc.boolean(), (rules, claim, isAllowed) => {
      const ruleset = parse(
        ['user-agent: *', ...rules.map(([kind, path]) => `${kind}: ${path}`)].join('\n'),
      ).ruleset('x');
      const describes = parse(`user-agent: *\ndisallow: ${claim}`).ruleset('x');
      const { holds, counterexample, isVacuous } = proveVerdict(ruleset, claim, isAllowed);
      const described = REQUESTS.filter((path) => describes.decide(`http://h${path}`).kind === 'disallowed');
      const broken = described.find(
        (path) => ruleset.decide(`http://h${path}`).kind !== (isAllowed ? 'allowed' : 'disallowed'),
      );
      expect(holds).toBe(counterexample === null);
      if (broken !== undefined) expect(counterexample?.path.length).toBe(broken.length);
      if (counterexample !== null) {
        expect(describes.decide(`http://h${counterexample.path}`).kind).toBe('disallowed');
        expect(ruleset.decide(`http://h${counterexample.path}`)).toMatchObject({ allowed: !isAllowed });
      }
      if (isVacuous) expect(described).toEqual([]);
      tally[isVacuous ? 'vacuous' : holds ? 'holds' : 'broken']++;
    }),
    { numRuns: 500, seed: 2 },
  );
  expect(tally.holds).toBeGreaterThan(50);
  expect(tally.broken).toBeGreaterThan(100);
  expect(tally.vacuous).toBeGreaterThan(1);
}, 120_000);

test.each(['', 'a', '/a\n', '/a#b'])('%j is no pattern', (claim) => {
  expect(() => proveVerdict(parse('').ruleset('x'), claim, true)).toThrow(/not a pattern/);
});
