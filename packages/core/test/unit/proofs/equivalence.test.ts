import { expect, test } from 'vitest';
import { parse } from '../../../src/model/robots-txt.ts';
import { Budget } from '../../../src/proofs/automata/budget.ts';
import { EquivalenceProver } from '../../../src/proofs/equivalence.ts';

const isEquivalent = (before: string, after: string): boolean =>
  new EquivalenceProver(parse(before), new Budget()).isEquivalent(parse(after));

test('a pattern with spaces differs from the patterns between its spaces', () => {
  expect(
    isEquivalent('User-agent: *\nDisallow: /a -/b\n', 'User-agent: *\nDisallow: /a\nDisallow: /b\n'),
  ).toBe(false);
  expect(isEquivalent('User-agent: *\nDisallow: /a +/b\n', 'User-agent: *\nDisallow: /a\nAllow: /b\n')).toBe(
    false,
  );
});

test('rules in another order are equivalent', () => {
  expect(
    isEquivalent(
      'User-agent: *\nDisallow: /a\nDisallow: /b/c\n',
      'User-agent: *\nDisallow: /b/c\nDisallow: /a\n',
    ),
  ).toBe(true);
});
