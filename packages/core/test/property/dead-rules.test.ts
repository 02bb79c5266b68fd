import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RobotsTxt } from '../../src/document.ts';
import { parse } from '../../src/parse.ts';
import { compareFiles } from '../../src/proofs/compare.ts';
import { findDeadRules } from '../../src/proofs/dead-rules.ts';
import { enumeratePaths, pathsThatDiffer } from '../support/enumeration.ts';

/** The file without some of its lines, each of which becomes one that says nothing and decides nothing. */
function without(file: string, lines: readonly number[]): string {
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
  'all dead rules can go together, and no other rule can go after them (%s)',
  (profile) => {
    const read = (text: string): RobotsTxt => parse(text, { profile });
    const tally = { dead: 0, alive: 0 };
    fc.assert(
      fc.property(file, (text) => {
        const { rules, undecided } = findDeadRules(read(text));
        expect(undecided).toEqual([]);
        const dead = rules.map((rule) => rule.line);
        const rest = without(text, dead);
        expect(compareFiles(read(text), read(rest)).equivalent).toBe(true);
        expect(pathsThatDiffer(read(text), read(rest), ['a', 'googlebot', 'other'], PATHS)).toEqual([]);
        const alive = read(text)
          .groups()
          .flatMap((group) => group.rules)
          .filter((rule) => !dead.includes(rule.line) && rule.text !== '');
        for (const { line: own } of alive) {
          expect(compareFiles(read(text), read(without(rest, [own]))).equivalent).toBe(false);
        }
        tally.dead += dead.length;
        tally.alive += alive.length;
      }),
      { numRuns: 150, seed: 5 },
    );
    expect(tally.dead).toBeGreaterThan(150);
    expect(tally.alive).toBeGreaterThan(150);
  },
  120_000,
);

test('why each of them is dead', () => {
  const text = [
    'user-agent: *',
    'disallow: /a',
    'disallow: /a/b',
    'allow: /',
    'disallow: /x/../y',
    'disallow: no-slash',
    'allow: /z',
    'disallow: /*b',
    'disallow: /a',
  ].join('\n');
  expect(findDeadRules(parse(text)).rules).toEqual([
    { line: 3, reason: 'covered', by: [8] },
    { line: 4, reason: 'default', by: [2, 8] },
    { line: 5, reason: 'no-path', by: [] },
    { line: 6, reason: 'no-path', by: [] },
    { line: 7, reason: 'default', by: [8] },
    { line: 9, reason: 'covered', by: [2, 8] },
  ]);
});

test('thousands of rules: it ends, and says what it did not decide', () => {
  const rules = Array.from({ length: 10_000 }, (_, index) => `disallow: /p${index}/`);
  const started = performance.now();
  const { rules: dead, undecided } = findDeadRules(parse(['user-agent: *', ...rules].join('\n')));
  // None of them is dead; few were looked at.
  expect(dead).toEqual([]);
  expect(undecided.length).toBeGreaterThan(5_000);
  expect(performance.now() - started).toBeLessThan(30_000);
}, 60_000);

test('a group that names nobody has no dead rules: that it names nobody is what is wrong', () => {
  expect(findDeadRules(parse('user-agent: 008\ndisallow: /\n')).rules).toEqual([]);
});
