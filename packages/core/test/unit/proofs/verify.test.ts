import { expect, test } from 'vitest';
import { parse } from '../../../src/model/robots-txt.ts';
import { proveVerdict } from '../../../src/proofs/verify.ts';

const prove = (profile: string, rules: string, pattern: string, isAllowed: boolean) => {
  const ruleset = parse(`User-agent: *\n${rules}`, { profile }).ruleset('x');
  const { isTrue, isVacuous, counterexample } = proveVerdict(ruleset, pattern, isAllowed);
  return { isTrue, isVacuous, path: counterexample?.path };
};

const TRUE = { isTrue: true, isVacuous: false, path: undefined };
const FALSE = { isTrue: false, isVacuous: false };

test.each([
  ['google', 'Disallow: /', '/robots.txt$', false, TRUE],
  ['google', 'Disallow: /', '/', false, TRUE],
  ['rfc9309', 'Disallow: /', '/robots.txt$', false, { ...FALSE, path: '/robots.txt' }],
  ['rfc9309', 'Disallow: /', '/%72obots.txt$', false, { ...FALSE, path: '/robots.txt' }],
  ['rfc9309', 'Disallow: /', '/', false, TRUE],
  ['rfc9309', 'Disallow: /', '/robots.txt$', true, TRUE],
  ['rfc9309', 'Disallow: /', '/robots.txt?', false, TRUE],
  ['rfc9309', 'Disallow: /\nAllow: /ads.txt', '/', false, { ...FALSE, path: '/ads.txt' }],
] as const)(
  'profile %s, rules %j: the claim about %s (allowed: %s)',
  (profile, rules, pattern, isAllowed, expected) => {
    expect(prove(profile, rules, pattern, isAllowed)).toEqual(expected);
  },
);

test('a proof that no URL matches is vacuous, a proof that exceeds its budget is not', () => {
  const ruleset = parse('User-agent: *\nDisallow: /').ruleset('x');
  expect(proveVerdict(ruleset, '/../x', true)).toMatchObject({ isTrue: true, isVacuous: true });
  expect(proveVerdict(ruleset, '/x', true, { maxStates: 1 })).toEqual({
    isTrue: null,
    isVacuous: false,
    counterexample: null,
  });
});
