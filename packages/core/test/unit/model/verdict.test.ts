import { describe, expect, test } from 'vitest';
import { decide, explainVerdict, findCrawler } from '../../../src/index.ts';

const FILE =
  'User-agent: Googlebot\nAllow: /a/index.html\nDisallow: /a\nDisallow:\n\nUser-agent: *\nDisallow: /b?\n';
const crawler = (name: string) => findCrawler(name) ?? name;

/** Agent, path, verdict, line, reason, kind of group, explanation. */
const ROWS = [
  [
    'Googlebot',
    '/a/b',
    'disallowed',
    3,
    'rule',
    'own',
    'Disallowed. The group for Googlebot applies. Line 3, "Disallow: /a", is the longest matching rule.',
  ],
  [
    'Googlebot',
    '/a/',
    'allowed',
    2,
    'rule',
    'own',
    'Allowed. The group for Googlebot applies. Line 2, "Allow: /a/index.html", applied as "/a/$", is the longest matching rule. Line 3, "Disallow: /a", also matches, but is shorter.',
  ],
  [
    'Googlebot',
    '/c',
    'allowed',
    4,
    'rule',
    'own',
    'Allowed. The group for Googlebot applies. Only the empty rule on line 4 matches. An empty rule disallows nothing.',
  ],
  [
    'Googlebot Image',
    '/a/b',
    'disallowed',
    3,
    'rule',
    'fallback',
    'Disallowed. No group names this crawler itself, so the group for Googlebot applies. Line 3, "Disallow: /a", is the longest matching rule.',
  ],
  [
    'bingbot',
    '/a',
    'allowed',
    0,
    'no-rule-matched',
    'global',
    'Allowed. No group names this crawler, so the group for * applies. None of its rules matches the URL.',
  ],
  ['AdsBot-Google', '/b?', 'allowed', 0, 'no-group', 'none', 'Allowed. No group applies to this crawler.'],
  [
    'Google-Safety',
    '/b?',
    'allowed',
    0,
    'crawler-exempt',
    'none',
    'Allowed. This crawler ignores robots.txt.',
  ],
] as const;

test.each(ROWS)(
  'the verdict and its explanation for %s and %s',
  (name, path, kind, line, reason, group, explanation) => {
    const verdict = decide(FILE, crawler(name), path);
    expect(verdict).toMatchObject({ kind, line, reason, group: { kind: group } });
    expect(explainVerdict(verdict)).toBe(explanation);
  },
);

test('the explanation mentions a tie', () => {
  const verdict = decide('user-agent: *\ndisallow: /x\nallow: /x', 'a', '/x');
  expect(explainVerdict(verdict)).toContain(
    'Line 2, "Disallow: /x", also matches and is equally long, but allow takes precedence.',
  );
});

test('normalized is true if the request form of the URL differs', () => {
  expect(decide(FILE, 'a', 'https://h.example/x/../b?%c3')).toMatchObject({
    path: '/b?%C3',
    normalized: true,
  });
  expect(decide(FILE, 'a', 'https://h.example/b?')).toMatchObject({
    path: '/b?',
    normalized: false,
    line: 7,
  });
  const raw = decide(FILE, 'a', 'https://h.example/x/../b?', { normalize: false });
  expect(raw).toMatchObject({ path: '/x/../b?', normalized: false, line: 0 });
});

describe('URLs that are out of scope', () => {
  test.each([
    ['https://other.example/', 'https://h.example/robots.txt', 'other-origin'],
    ['https://h.example/', 'https://h.example/x/robots.txt', 'invalid-robots-txt-url'],
    ['mailto:a@h.example', 'https://h.example/robots.txt', 'unsupported-scheme'],
    ['h.example/', 'https://h.example/robots.txt', 'invalid-url'],
  ])('%s, robots.txt at %s', (url, robotsUrl, reason) => {
    for (const normalize of [true, false]) {
      const verdict = decide(FILE, 'Googlebot', url, { url: robotsUrl, normalize });
      expect(verdict).toEqual({ kind: 'out-of-scope', reason, url });
      expect(explainVerdict(verdict)).toMatch(/^No verdict\. .+\.$/);
    }
  });
});
