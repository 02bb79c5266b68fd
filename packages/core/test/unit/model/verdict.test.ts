import { describe, expect, test } from 'vitest';
import { decide, decideWithoutFile, explainVerdict, findCrawler } from '../../../src/index.ts';

const FILE =
  'User-agent: Googlebot\nAllow: /a/index.html\nDisallow: /a\nDisallow:\n\nUser-agent: *\nDisallow: /b?\n';
const crawler = (name: string) => findCrawler(name) ?? name;

/** What is told about each kind of decision. */
const ROWS = [
  [
    'Googlebot',
    '/a/b',
    'disallowed',
    3,
    'rule',
    'own',
    'Disallowed. The group for Googlebot applies. Line 3, "Disallow: /a", is the longest that matches and forbids it.',
  ],
  [
    'Googlebot',
    '/a/',
    'allowed',
    2,
    'rule',
    'own',
    'Allowed. The group for Googlebot applies. Line 2, "Allow: /a/index.html", here as "/a/$", is the longest that matches. Line 3, "Disallow: /a", matches too, but is shorter.',
  ],
  [
    'Googlebot',
    '/c',
    'allowed',
    4,
    'rule',
    'own',
    'Allowed. The group for Googlebot applies. Only the empty rule on line 4 matches, and that forbids nothing.',
  ],
  [
    'Googlebot Image',
    '/a/b',
    'disallowed',
    3,
    'rule',
    'fallback',
    'Disallowed. No group names this crawler itself, so the one for Googlebot applies. Line 3, "Disallow: /a", is the longest that matches and forbids it.',
  ],
  [
    'bingbot',
    '/a',
    'allowed',
    0,
    'no-rule-matched',
    'global',
    'Allowed. No group names this crawler, so the one for * applies. None of its rules matches, so there is nothing against it.',
  ],
  [
    'AdsBot-Google',
    '/b?',
    'allowed',
    0,
    'no-group',
    'none',
    'Allowed. No group applies to this crawler. So there is nothing against it.',
  ],
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

test.each(ROWS)('%s %s', (name, path, kind, line, because, group, explanation) => {
  const verdict = decide(FILE, crawler(name), path);
  expect(verdict).toMatchObject({ kind, line, because, group: { kind: group } });
  expect(explainVerdict(verdict)).toBe(explanation);
});

test('a tie is explained', () => {
  const verdict = decide('user-agent: *\ndisallow: /x\nallow: /x', 'a', '/x');
  expect(explainVerdict(verdict)).toContain(
    'Line 2, "Disallow: /x", matches too, but is as long, and allow wins a tie.',
  );
});

test('tells whether the request form of the URL differs', () => {
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

describe('out of scope is a verdict of its own', () => {
  test.each([
    ['https://other.example/', 'https://h.example/robots.txt', 'other-origin'],
    ['https://h.example/', 'https://h.example/x/robots.txt', 'not-a-robots-txt-url'],
    ['https://h.example/', 'h.example', 'invalid-url'],
    ['mailto:a@h.example', 'https://h.example/robots.txt', 'unsupported-scheme'],
    ['h.example/', 'https://h.example/robots.txt', 'invalid-url'],
  ])('%s under %s', (url, robotsUrl, reason) => {
    for (const normalize of [true, false]) {
      const verdict = decide(FILE, 'Googlebot', url, { url: robotsUrl, normalize });
      expect(verdict).toEqual({ kind: 'out-of-scope', reason, url });
      expect(explainVerdict(verdict)).toMatch(/^No answer\. .+\.$/);
    }
  });
});

describe('without a file', () => {
  test('absent allows, unreachable disallows', () => {
    const absent = decideWithoutFile('absent', 'a', '/x');
    expect(absent).toMatchObject({ kind: 'allowed', because: 'absent', line: 0, rule: null });
    expect(explainVerdict(absent)).toBe('Allowed. The site has no robots.txt, so there are no restrictions.');
    const unreachable = decideWithoutFile('unreachable', 'a', '/x');
    expect(unreachable).toMatchObject({ kind: 'disallowed', because: 'unreachable', line: 0, rule: null });
    expect(explainVerdict(unreachable)).toMatch(/^Disallowed\. The robots.txt could not be fetched/);
  });

  test('scope, exempt crawlers and /robots.txt stay what they are', () => {
    const url = 'https://h.example/robots.txt';
    expect(decideWithoutFile('absent', 'a', 'https://b.example/', { url }).kind).toBe('out-of-scope');
    expect(decideWithoutFile('unreachable', crawler('Google-Safety'), '/x').kind).toBe('allowed');
    expect(decideWithoutFile('unreachable', 'a', '/robots.txt', { profile: 'rfc9309' }).kind).toBe('allowed');
    expect(decideWithoutFile('unreachable', 'a', '/robots.txt').kind).toBe('disallowed');
  });
});
