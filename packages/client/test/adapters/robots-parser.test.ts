import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CRAWLERS, decide } from '@maycrawl/core';
import { chai, describe, expect, test } from 'vitest';
import robotsParser from '../../src/adapters/robots-parser.ts';

const require = createRequire(import.meta.url);
const publishedParser: typeof robotsParser = require('robots-parser');

/** The published tests that fail, with the reason. */
const DIFFERENCES: ReadonlyMap<string, string> = new Map([
  [
    'should handle lone high / low surrogates',
    'they are U+FFFD in the file as in the URL, so such a rule matches',
  ],
]);

/** The tests in the package robots-parser, which then call `robotsParser` in place of its own parser. */
function readPublishedTests(): [title: string, run: () => void][] {
  const tests: [string, () => void][] = [];
  const source = readFileSync(require.resolve('robots-parser/test/Robots.js'), 'utf8');
  const modules: Readonly<Record<string, unknown>> = { '../index': robotsParser, chai };
  new Function('require', 'describe', 'it', source)(
    (name: string) => modules[name],
    (_title: string, run: () => void) => run(),
    (title: string, run: () => void) => tests.push([title, run]),
  );
  return tests;
}

describe('the published tests of robots-parser', () => {
  const tests = readPublishedTests();

  test('there are 41 of them', () => {
    expect(tests).toHaveLength(41);
  });

  for (const [title, run] of tests) {
    const reason = DIFFERENCES.get(title);
    if (reason === undefined) test(title, run);
    else test(`fails: ${title} (${reason})`, () => expect(run).toThrow());
  }
});

/** The rows of docs/migrate-from-robots-parser.md: an agent, a path, and whether it is allowed before and after the migration; or what is thrown. */
const ROWS: readonly (readonly [
  row: string,
  content: string,
  agent: string,
  path: string,
  before: boolean,
  after: boolean | string,
])[] = [
  ['a lone surrogate in a rule', '*\nDisallow: /\ud800', 'x', '/\ud800', true, false],
  [
    'a user-agent line with more than a token',
    'MyBot 2.0 (crawler)\nDisallow: /a',
    'MyBot',
    '/a',
    true,
    false,
  ],
  ['a header', 'PetalBot\nDisallow: /a', 'Mozilla/5.0 (compatible; PetalBot)', '/a', true, false],
  ['fallbacks', 'Googlebot\nDisallow: /a', 'Googlebot-Image', '/a', true, false],
  ['a crawler that does not obey *', '*\nDisallow: /a', 'Mediapartners-Google', '/a', false, true],
  ['a crawler that ignores robots.txt', '*\nDisallow: /a', 'FeedFetcher-Google', '/a', false, true],
  ['a bare token', 'Googlebot-Image\nDisallow: /a', 'token:Googlebot-Image', '/a', true, false],
  ['an agent that no line can name', '*\nDisallow: /a', 'bot!', '/a', false, 'RangeError'],
  ['a header without a crawler', '*\nDisallow: /a', 'My Bot', '/a', false, 'TypeError'],
  ['a misspelled field', '*\nDissallow: /a', 'x', '/a', true, false],
  [
    'a field between two user-agent lines',
    'a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /a',
    'a',
    '/a',
    true,
    false,
  ],
  ['a space in a rule', '*\nDisallow: /a b', 'x', '/a%20b', false, true],
  ['a quote in a rule', '*\nDisallow: /a"b', 'x', '/a%22b', false, true],
  ['a brace in a rule', '*\nDisallow: /a{b', 'x', '/a%7Bb', false, true],
  ['index.html', '*\nDisallow: /x\nAllow: /x/index.html', 'x', '/x/', false, true],
  ['a long file', `*\n#${'#'.repeat(512_000)}\nDisallow: /a`, 'x', '/a', false, true],
  ['a long line', `*\nDisallow: /${'a'.repeat(17_000)}`, 'x', `/${'a'.repeat(16_700)}`, true, false],
];

describe('differences from robots-parser', () => {
  const url = 'https://h.example/robots.txt';

  test.each(ROWS)('the documented row: %s', (_row, content, agent, path, before, after) => {
    const [published, own] = [publishedParser, robotsParser].map((parser) => {
      try {
        return parser(url, `User-agent: ${content}`).isAllowed(`https://h.example${path}`, agent);
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect([published, own]).toEqual([before, after]);
  });

  test('a user-agent line names a product token, also if a version or text follows', () => {
    const robots = robotsParser(url, 'User-agent: MyBot/2.0 (crawler)\nDisallow: /a');
    expect(robots.isAllowed('https://h.example/a', 'MyBot')).toBe(false);
    expect(robots.isAllowed('https://h.example/a', 'MyBot/1.0')).toBe(false);
  });

  test('an agent that no user-agent line can name is an error', () => {
    const robots = robotsParser(url, 'User-agent: *\nDisallow: /');
    expect(() => robots.isAllowed('https://h.example/a', 'bot!')).toThrow(RangeError);
    for (const agent of ['My Bot', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0'])
      expect(() => robots.isAllowed('https://h.example/a', agent)).toThrow(TypeError);
  });

  test('a User-Agent header is the crawler that it names, not its first word', () => {
    const robots = robotsParser(url, 'User-agent: PetalBot\nDisallow: /\n\nUser-agent: *\nAllow: /');
    for (const agent of [
      'Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)',
      'Mozilla/5.0 (Linux; Android 7.0) AppleWebKit/537.36 (compatible; PetalBot/1.0) Mobile Safari/537.36',
      'PetalBot/2.0',
    ])
      expect(robots.isAllowed('https://h.example/a', agent)).toBe(false);
    expect(robots.isAllowed('https://h.example/a', '(compatible; MyBot/1.0)')).toBe(true);
  });

  test('an agent has the verdict that the library has for its name, with fallbacks and exemptions', () => {
    const groups = 'User-agent: Googlebot\nDisallow: /g\n\nUser-agent: Yandex\nDisallow: /y\n\n';
    const content = `${groups}User-agent: *\nDisallow: /x\n`;
    const robots = robotsParser(url, content);
    const headers = CRAWLERS.map(({ name, tokens }) => `Mozilla/5.0 (compatible; ${tokens[0] ?? name}/1.0)`);
    const names = CRAWLERS.flatMap(({ name, tokens }) => [name, ...tokens]);
    const agents = [
      ...names,
      ...headers,
      '*',
      'MyBot',
      'MJ12bot/1.0',
      'token:Googlebot-Image',
      'Applebot/0.1',
    ];
    for (const agent of agents)
      for (const path of ['/g', '/y', '/x', '/'])
        expect([agent, path, robots.isAllowed(`https://h.example${path}`, agent)]).toEqual([
          agent,
          path,
          decide(content, agent, path).kind === 'allowed',
        ]);
    for (const agent of ['Googlebot-Image', 'Googlebot-Image/1.0', 'Applebot/0.1'])
      expect(robots.isAllowed('https://h.example/g', agent)).toBe(false);
    for (const agent of ['FeedFetcher-Google', 'Google-Safety', 'Mediapartners-Google'])
      expect(robots.isAllowed('https://h.example/x', agent)).toBe(true);
  });

  test('URLs can be instances of URL', () => {
    const robots = robotsParser(new URL(url), 'User-agent: *\nDisallow: /a');
    expect(robots.isAllowed(new URL('https://h.example/a'), 'MyBot')).toBe(false);
    expect(robots.isDisallowed(new URL('https://h.example/a'))).toBe(true);
    expect(robots.getMatchingLineNumber(new URL('https://h.example/a'))).toBe(2);
  });

  test('misspelled fields count as in Google’s matcher', () => {
    const robots = robotsParser(url, 'User agent: *\nDissallow: /a');
    expect(robots.isAllowed('https://h.example/a')).toBe(false);
  });

  test('the longest crawl delay of several groups applies', () => {
    const robots = robotsParser(url, 'User-agent: a\nCrawl-delay: 9\n\nUser-agent: a\nCrawl-delay: 2');
    expect(robots.getCrawlDelay('a')).toBe(9);
  });
});

test('without a name, with "*", and with an unknown name, the rules for * apply', () => {
  const robots = robotsParser('/robots.txt', 'User-agent: *\nDisallow: /a\n\nUser-agent: b\nAllow: /');
  for (const agent of [undefined, '', '*', 'c', 'Mozilla/5.0 (compatible; c)'])
    expect(robots.isAllowed('/a', agent)).toBe(false);
  expect(robots.isAllowed('/a', 'Mozilla/5.0 (compatible; b)')).toBe(true);
  expect(robots.isAllowed('/a', 'B/1.0')).toBe(true);
});

test('many agents and URLs leave at most 100 rulesets in memory, and the verdicts stay right', () => {
  const content = Array.from(
    { length: 250 },
    (_, n) => `User-agent: b${'x'.repeat(n)}\nDisallow: /${n}$`,
  ).join('\n');
  const robots = robotsParser('/robots.txt', content);
  for (const n of [...Array(250).keys(), 0, 99, 100, 101]) {
    expect(robots.isAllowed(`/${n}`, `b${'x'.repeat(n)}`)).toBe(false);
    expect(robots.isAllowed(`/${n + 1}`, `b${'x'.repeat(n)}`)).toBe(true);
  }
});
