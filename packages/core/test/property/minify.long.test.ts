import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/model/robots-txt.ts';
import { compareFiles } from '../../src/proofs/compare.ts';
import { minify } from '../../src/proofs/minify.ts';
import { LONG_PARAMETERS, takeShare } from '../support/arbitraries.ts';
import { enumeratePaths, findDifferingPaths } from '../support/enumeration.ts';

const RUNS = takeShare(LONG_PARAMETERS, 15);

const value = fc
  .array(fc.constantFrom('a', 'a', 'b', '*', '/', '.', '$', '?', 'é'), { maxLength: 4 })
  .map((chars) => `/${chars.join('')}`);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('Allow', 'disallow'), value)
      .map(([kind, path]) => `${kind}: ${path}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'user-agent: *',
      'User-Agent: a # one',
      'user-agent: googlebot',
      'user-agent: AdsBot-Google',
      'user-agent: 1',
    ),
  },
  fc.constantFrom(
    ...['', '# text', 'Sitemap: http://h/s.xml', 'crawl-delay: 5'],
    ...['disallow:', 'disallow: x', 'noise', '\ufeff'],
  ),
);
const file = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'));
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const PATHS = enumeratePaths(['/', 'a', 'b', '.', '?', '$'], 5);

test.each([
  { keepComments: false, profile: 'google' },
  { keepComments: true, profile: 'google' },
  { keepComments: false, profile: 'rfc9309' },
])('the result is equivalent, never longer, and minify is idempotent (%j)', ({ keepComments, profile }) => {
  let saved = 0;
  fc.assert(
    fc.property(file, (text) => {
      const { bytes, isComplete } = minify(parse(text, { profile }), { keepComments });
      expect(isComplete).toBe(true);
      const [before, after] = [parse(text, { profile }), parse(bytes, { profile })];
      expect(bytes.length).toBeLessThanOrEqual(encode(text).length);
      expect(compareFiles(before, after).equivalent).toBe(true);
      expect(findDifferingPaths(before, after, ['a', 'b', 'googlebot', 'other'], PATHS)).toEqual([]);
      expect(after.sitemaps().map((each) => each.text)).toEqual(before.sitemaps().map((each) => each.text));
      expect(Buffer.from(minify(after, { keepComments }).bytes).toString()).toBe(
        Buffer.from(bytes).toString(),
      );
      saved += encode(text).length - bytes.length;
    }),
    RUNS,
  );
  expect(saved).toBeGreaterThan(10 * RUNS.numRuns);
});

test('other records of a crawler stay with it', () => {
  const text = 'user-agent: a\ncrawl-delay: 5\ndisallow: /x\n\nuser-agent: b\ndisallow: /x\n';
  const after = parse(minify(parse(text)).bytes);
  expect(after.ruleset('a').crawlDelay).toBe(5);
  expect(after.ruleset('b').crawlDelay).toBeNull();
});

test('groups with different other records are not merged, and the records keep their order', () => {
  const getOthers = (text: string): string[][] => {
    const after = parse(minify(parse(text)).bytes);
    return ['a', 'b'].map((agent) => after.ruleset(agent).others.map(({ value }) => value));
  };
  expect(getOthers('user-agent: a\ncrawl-delay: 10\ndisallow: /x\n\nuser-agent: *\ndisallow: /x\n')).toEqual([
    ['10'],
    [],
  ]);
  const orders = ['5\ncrawl-delay: 10', '10\ncrawl-delay: 5'].map(
    (order, index) => `user-agent: ${'ab'[index]}\ncrawl-delay: ${order}\ndisallow: /x\n`,
  );
  expect(getOthers(orders.join('\n'))).toEqual([
    ['5', '10'],
    ['10', '5'],
  ]);
});

const minifyText = (text: string | Uint8Array): string =>
  Buffer.from(minify(parse(text)).bytes).toString('latin1');

test('equivalent groups are merged, and all names stay', () => {
  const text = [
    'User-agent: a\nDisallow: /x*\nDisallow: /x/y',
    '# comment\nUser-agent: b\nDisallow: /x',
    'User-agent: c\nDisallow: /z',
    'User-agent: *\nDisallow: /z\nAllow: /',
    'Sitemap: https://h.example/sitemap.xml',
  ].join('\n\n');
  expect(minifyText(text)).toBe(
    'user-agent:a\nuser-agent:b\ndisallow:/x\nuser-agent:c\nuser-agent:*\ndisallow:/z\nsitemap:https://h.example/sitemap.xml\n',
  );
});

test('equal groups with redundant rules are merged, and the redundant rules removed', () => {
  const rules = 'Disallow: /x\nDisallow: /x/y\n';
  const text = `User-agent: a\nUser-agent: *\n${rules}\nUser-agent: a\nDisallow: /z\n\nUser-agent: *\n${rules}`;
  const expected = 'user-agent:a\nuser-agent:*\ndisallow:/x\nuser-agent:a\ndisallow:/z\n';
  expect(minifyText(text)).toBe(expected);
  expect(minifyText(expected)).toBe(expected);
});

test.each([
  [
    'names with digits and dots',
    'User-agent: MJ12bot\nDisallow: /a\nDisallow: /a/b\n\nUser-agent: 008\nCrawl-delay: 10\n',
    'user-agent:MJ12bot\ndisallow:/a\nuser-agent:008\nCrawl-delay:10\n',
  ],
  [
    'names with trailing text',
    'User-agent: Googlebot/2.1\nUser-agent: Foo bar\nDisallow: /a # x\n',
    'user-agent:Googlebot/2.1\nuser-agent:Foo bar\ndisallow:/a\n',
  ],
  [
    'the empty group of a crawler that does not obey the groups for *',
    'User-agent: *\nDisallow: /a\n\nUser-agent: AdsBot-Google\nDisallow:\n',
    'user-agent:*\ndisallow:/a\nuser-agent:AdsBot-Google\ndisallow:\n',
  ],
  [
    'the name of a group that repeats the rules for *',
    'User-agent: *\nDisallow: /a\n\nUser-agent: b\nDisallow: /a\n',
    'user-agent:*\nuser-agent:b\ndisallow:/a\n',
  ],
  [
    'a crawl-delay between user-agent lines',
    'User-agent: a\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /x\n',
    'user-agent:a\nCrawl-delay:5\nuser-agent:*\ndisallow:/x\n',
  ],
  [
    'a Content-Usage between user-agent lines',
    'User-agent: a\nContent-Usage: train-ai=n\n\nUser-agent: b\nDisallow: /x\nDisallow: /x/y\n',
    'user-agent:a\nContent-Usage:train-ai=n\nuser-agent:b\ndisallow:/x\n',
  ],
  [
    'the space of a record without a colon',
    'User-agent: a\nContent-Usage  train-ai=n\nDisallow: /x\n',
    'user-agent:a\nContent-Usage train-ai=n\ndisallow:/x\n',
  ],
])('minify keeps %s', (_name, text, expected) => {
  expect(minifyText(text)).toBe(expected);
});

test('groups that name one agent in upper and lower case do not prevent that others are merged', () => {
  const text = [
    'User-agent: b\nHost: x\nDisallow: /x',
    'User-agent: A\nHost: y\nDisallow: /z',
    'User-agent: a\nHost: x\nDisallow: /x',
    'User-agent: c\nDisallow: /q',
    'User-agent: d\nDisallow: /q',
  ].join('\n');
  expect(minifyText(text)).toContain('user-agent:c\nuser-agent:d\n');
});

test('the URL of a sitemap keeps its bytes', () => {
  const file = Buffer.from('Sitemap: https://h.example/caf\xe9.xml # c\n\n', 'latin1');
  expect(minifyText(file)).toBe('sitemap:https://h.example/caf\xe9.xml\n');
});

test('a field that begins with a byte order mark keeps it, even in the first record', () => {
  const marked = '\xef\xbb\xbf';
  const text = `# c\n${marked}User-agent: a\nUser-agent: b\n\nDisallow: /x\n`;
  const after = minifyText(Buffer.from(text, 'latin1'));
  expect(after).toBe(`\n${marked}User-agent:a\nuser-agent:b\ndisallow:/x\n`);
  expect(parse(Buffer.from(after, 'latin1')).records()[0]?.kind).toBe('other');
  const joined = `User-agent: a\nDisallow: /x\n${marked}User-agent: b\nDisallow: /y\nSitemap: /s\n`;
  const { bytes } = minify(parse(Buffer.from(joined, 'latin1')));
  expect(
    parse(bytes)
      .records()
      .map(({ kind }) => kind),
  ).toEqual(
    parse(Buffer.from(joined, 'latin1'))
      .records()
      .map(({ kind }) => kind),
  );
});

test('no line grows beyond the size limit of a line', () => {
  const pattern = `/${'x'.repeat(16_650)}`;
  const text = `user-agent: *\n\n# c\nDisalow:${pattern}abcdefghijkl\n`;
  const [before, after] = [parse(text), parse(minify(parse(text)).bytes)];
  const getPatterns = (robots: typeof before): string[] =>
    robots.ruleset('a').rules.map(({ value }) => value);
  expect(getPatterns(after)).toEqual(getPatterns(before));
});

test('a rule that only the bare token of a catalogue crawler obeys stays', () => {
  // The catalogue crawler FeedFetcher-Google ignores robots.txt.
  expect(minifyText('User-agent: FeedFetcher-Google\nDisallow: /\n')).toBe(
    'user-agent:FeedFetcher-Google\ndisallow:/\n',
  );
});

test('if the budget is too small, minify removes only comments, blank lines and spaces', () => {
  const text = 'User-agent: *\nDisallow: /a # one\n\nDisallow: /a/b\n';
  const { bytes, isComplete } = minify(parse(text), { maxStates: 1 });
  expect(Buffer.from(bytes).toString()).toBe('user-agent:*\ndisallow:/a\ndisallow:/a/b\n');
  expect(isComplete).toBe(false);
});
