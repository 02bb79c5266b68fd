import { expect, test } from 'vitest';
import { lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/robots-txt.ts';

const lintRules = (profile: string, ...rules: readonly string[]): string[] =>
  lint(parse(['User-agent: *', ...rules].join('\n'), { profile })).map(({ code, line }) => `${line} ${code}`);

test.each([
  ['google', ['2 unencoded-character']],
  ['rfc9309', []],
])('profile %s: findings about a quotation mark in a pattern', (profile, expected) => {
  expect(lintRules(profile, 'Disallow: /"x')).toEqual(expected);
});

test('a redundant rule with a character that the profile encodes is reported', () => {
  expect(lintRules('rfc9309', 'Disallow: /a', 'Disallow: /a"x')).toEqual(['3 redundant-rule']);
});

test.each([
  [
    'Disallow: /robots.txt$',
    'Of all URLs, this rule matches only /robots.txt, which crawlers may always fetch (RFC 9309).',
  ],
  [
    'Disallow: /%72obots.txt$',
    'Of all URLs, this rule matches only /robots.txt, which crawlers may always fetch (RFC 9309).',
  ],
  ['Disallow: /../x', 'No URL that can be requested matches this rule.'],
])('the finding about %s under a profile that always allows /robots.txt', (rule, message) => {
  const robots = parse(`User-agent: *\n${rule}`, { profile: 'rfc9309' });
  expect(lint(robots).filter(({ code }) => code === 'unreachable-rule')).toMatchObject([{ message }]);
});

test.each([
  [['Disallow: /*$']],
  [['Disallow: /**']],
  [['Disallow: *$']],
  [['Disallow: /', 'Allow: nothing']],
  [['Disallow: /', 'Allow:']],
])('%j blocks everything', (rules) => {
  expect(lintRules('google', ...rules)).toContain('2 everything-blocked');
});

test.each([
  ['google', ['Disallow: /$']],
  ['google', ['Disallow: /', 'Allow: /a']],
  ['google-2013', ['Disallow: /', 'Allow: nothing']],
])('profile %s: %j does not block everything', (profile, rules) => {
  expect(lintRules(profile, ...rules)).not.toContain('2 everything-blocked');
});
