import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/parse.ts';
import { compareFiles } from '../../src/proofs/compare.ts';
import { minify } from '../../src/proofs/minify.ts';

import { enumeratePaths, pathsThatDiffer } from '../support/enumeration.ts';

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
    '',
    '# text',
    'Sitemap: http://h/s.xml',
    'crawl-delay: 5',
    'disallow:',
    'disallow: x',
    'noise',
    '\ufeff',
  ),
);
const file = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const PATHS = enumeratePaths(['/', 'a', 'b', '.', '?', '$'], 5);

test.each([
  { comments: false, profile: 'google' },
  { comments: true, profile: 'google' },
  { comments: false, profile: 'rfc9309' },
])(
  'the same for every crawler and URL, never longer, and a second time nothing changes (%j)',
  ({ comments, profile }) => {
    let saved = 0;
    fc.assert(
      fc.property(file, (text) => {
        const { bytes, isProved } = minify(parse(text, { profile }), { comments });
        expect(isProved).toBe(true);
        const [before, after] = [parse(text, { profile }), parse(bytes, { profile })];
        expect(bytes.length).toBeLessThanOrEqual(bytesOf(text).length);
        expect(compareFiles(before, after).equivalent).toBe(true);
        expect(pathsThatDiffer(before, after, ['a', 'b', 'googlebot', 'other'], PATHS)).toEqual([]);
        expect(after.sitemaps().map((each) => each.text)).toEqual(before.sitemaps().map((each) => each.text));
        expect(Buffer.from(minify(after, { comments }).bytes).toString()).toBe(Buffer.from(bytes).toString());
        saved += bytesOf(text).length - bytes.length;
      }),
      { numRuns: 150, seed: 3 },
    );
    expect(saved).toBeGreaterThan(2_000);
  },
  120_000,
);

test('what is said to single crawlers beside rules stays with them', () => {
  const text = 'user-agent: a\ncrawl-delay: 5\ndisallow: /x\n\nuser-agent: b\ndisallow: /x\n';
  const after = parse(minify(parse(text)).bytes);
  expect(after.ruleset('a').crawlDelay).toBe(5);
  expect(after.ruleset('b').crawlDelay).toBeNull();
});

test('a crawler to whom more is said than rules stays named; the order of what is said stays', () => {
  const delays = (text: string): (number | null)[] => {
    const after = parse(minify(parse(text)).bytes);
    return ['a', 'b'].map((agent) => after.ruleset(agent).crawlDelay);
  };
  expect(delays('user-agent: a\ncrawl-delay: 10\ndisallow: /x\n\nuser-agent: *\ndisallow: /x\n')).toEqual([
    10,
    null,
  ]);
  const orders = ['5\ncrawl-delay: 10', '10\ncrawl-delay: 5'].map(
    (order, index) => `user-agent: ${'ab'[index]}\ncrawl-delay: ${order}\ndisallow: /x\n`,
  );
  expect(delays(orders.join('\n'))).toEqual([5, 10]);
});

test('groups that say the same become one, and one that says nothing new goes', () => {
  const text = [
    'User-agent: a\nDisallow: /x*\nDisallow: /x/y',
    '# comment\nUser-agent: b\nDisallow: /x',
    'User-agent: c\nDisallow: /z',
    'User-agent: *\nDisallow: /z\nAllow: /',
    'Sitemap: https://h.example/sitemap.xml',
  ].join('\n\n');
  expect(Buffer.from(minify(parse(text)).bytes).toString()).toBe(
    'sitemap:https://h.example/sitemap.xml\nuser-agent:a\nuser-agent:b\ndisallow:/x\nuser-agent:*\ndisallow:/z\n',
  );
});
