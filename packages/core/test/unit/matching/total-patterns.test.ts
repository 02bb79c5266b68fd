import { expect, test } from 'vitest';
import {
  findTotalDisallow,
  hasEffectiveAllow,
  isTotalPattern,
} from '../../../src/matching/total-patterns.ts';
import { parse } from '../../../src/model/robots-txt.ts';
import { AccessClassifier } from '../../../src/proofs/access-class.ts';

const PATTERNS = ['/', '*', '/*', '**', '/**', '/*$', '*$', '/**$', '*/', '*/*', '**/'];
const PARTIAL_PATTERNS = ['', '$', '/$', '*/$', '/a', '/*a', '*?', 'x', '/*/', '//', '*$*'];

test.each(PATTERNS)('%s matches every path', (pattern) => {
  expect(isTotalPattern(pattern)).toBe(true);
});

test.each(PARTIAL_PATTERNS)('%j does not match every path', (pattern) => {
  expect(isTotalPattern(pattern)).toBe(false);
});

test.each([...PATTERNS, ...PARTIAL_PATTERNS])('the class of a file that disallows %j agrees', (pattern) => {
  const robots = parse(`User-agent: *\nDisallow: ${pattern}`);
  const isNone = new AccessClassifier('google').classify(robots.ruleset('x')).kind === 'none';
  expect(isNone).toBe(isTotalPattern(pattern));
});

test.each([
  ['google', 'nothing', false],
  ['google-2013', 'nothing', true],
  ['google', '', false],
  ['google', '/a', true],
  ['rfc9309', '*a', true],
])('profile %s: an allow rule for %j may allow a URL: %s', (profile, value, expected) => {
  const robots = parse(`User-agent: *\nDisallow: /\nAllow: ${value}`, { profile });
  const [group] = robots.groups();
  const rules = group?.rules ?? [];
  expect(hasEffectiveAllow(rules, robots.profile)).toBe(expected);
  expect(findTotalDisallow(rules, robots.profile)?.line).toBe(expected ? undefined : 2);
});
