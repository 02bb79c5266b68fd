import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  GLOBAL_CRAWLER,
  GOOGLE,
  getRobotsTxtUrl,
  MAX_FILE_BYTES,
  parse,
  RFC9309,
  serialize,
} from '../../../src/index.ts';

const FILE = `Sitemap: https://a.example/1.xml
Disallow: /before
User-agent: a
Crawl-delay: 2.5
User-Agent: B/1.0
  Disallow: /é # comment
Allow: /%c3%a9/
Host: a.example
user-agent: *
sitemap: https://b.example/2.xml
`;

describe('a document', () => {
  const robots = parse(FILE);

  test('has groups with their rules and other records', () => {
    const groups = robots.groups();
    expect(groups.map(({ userAgents }) => userAgents.map(({ productToken: token }) => token))).toEqual([
      ['a', 'b'],
      ['*'],
    ]);
    expect(groups[0]?.rules).toEqual([
      {
        kind: 'disallow',
        field: 'Disallow',
        value: '/%C3%A9',
        text: '/é',
        line: 6,
        column: 3,
        valueColumn: 13,
      },
      {
        kind: 'allow',
        field: 'Allow',
        value: '/%C3%A9/',
        text: '/%c3%a9/',
        line: 7,
        column: 1,
        valueColumn: 8,
      },
    ]);
    expect(groups[0]?.others.map(({ field, value }) => [field, value])).toEqual([
      ['Crawl-delay', '2.5'],
      ['Host', 'a.example'],
    ]);
    expect(groups[1]).toMatchObject({ rules: [], others: [] });
  });

  test('has sitemaps inside and outside of groups', () => {
    expect(robots.sitemaps().map(({ line, value }) => [line, value])).toEqual([
      [1, 'https://a.example/1.xml'],
      [10, 'https://b.example/2.xml'],
    ]);
  });

  test('has all records in file order', () => {
    expect(robots.records().map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('has the crawl delay of the groups that apply; a crawl-delay line ends the list of user-agent lines', () => {
    const delay = (name: string, value: string): number | null =>
      parse(`user-agent: a\ncrawl-delay: ${value}\nuser-agent: b\ndisallow: /`).ruleset(name).crawlDelay;
    expect(robots.ruleset('a').crawlDelay).toBe(2.5);
    expect(robots.ruleset('b').crawlDelay).toBeNull();
    expect(robots.ruleset('c').crawlDelay).toBeNull();
    expect(['10', '.5', 'soon', '-1', '1e9'].map((value) => delay('a', value))).toEqual([
      10,
      0.5,
      null,
      null,
      null,
    ]);
    // However many digits it has, a delay is no permission to send requests without one.
    expect(['9999999999', '0.50000000000', '9'.repeat(400)].map((value) => delay('a', value))).toEqual([
      9_999_999_999,
      0.5,
      Number.MAX_SAFE_INTEGER,
    ]);
    expect(delay('b', '10')).toBeNull();
    const shared = parse(
      'user-agent: a\nuser-agent: b\ncrawl-delay: 3\ncrawl-delay: 7\ncrawl-delay: 5\ndisallow: /',
    );
    expect(shared.ruleset('b').crawlDelay).toBe(7);
    // From Bing's documentation: other crawlers must not inherit the delay.
    const bing = parse('user-agent: bingbot\ncrawl-delay: 10\nuser-agent: *\ndisallow: /x');
    expect(bing.ruleset('bingbot').crawlDelay).toBe(10);
    expect(bing.ruleset('other').crawlDelay).toBeNull();
  });

  test('has the crawl delay of the preferred groups', () => {
    const file = parse(
      'user-agent: a\nuser-agent: b\ncrawl-delay: 3\nuser-agent: *\ncrawl-delay: 7\nuser-agent: googlebot\ncrawl-delay: 2',
    );
    const crawlers = ['a', 'b', 'c', 'AdsBot-Google', 'Googlebot-News', ['a', 'googlebot'], GLOBAL_CRAWLER];
    expect(crawlers.map((crawler) => file.ruleset(crawler).crawlDelay)).toEqual([3, 3, 7, null, 2, 3, 7]);
  });

  test('is serialized with standard field names on the same lines', () => {
    expect(new TextDecoder().decode(serialize(robots))).toBe(`Sitemap: https://a.example/1.xml
Disallow: /before
User-agent: a
Crawl-delay: 2.5
User-agent: B/1.0
Disallow: /é # comment
Allow: /%c3%a9/
Host: a.example
User-agent: *
Sitemap: https://b.example/2.xml
`);
    const odd = '\ufeffuseragent foo\rDissallow:/x\r\n\r\nhello\n: x\n# c\nAllow:\nDisallow: /y\0z';
    expect(new TextDecoder().decode(serialize(parse(odd)))).toBe(
      'User-agent: foo\nDisallow: /x\n\n\n\n# c\nAllow:\nDisallow: /y',
    );
  });
});

describe('the size limit', () => {
  test('is 512,000 bytes', () => {
    const start = 'User-agent: a\n';
    const rule = 'Disallow: /x';
    const fill = (length: number): string => `${'#'.repeat(length)}\n`;
    const fits = start + fill(MAX_FILE_BYTES - start.length - rule.length - 1) + rule;
    expect(fits.length).toBe(MAX_FILE_BYTES);
    expect(parse(`${fits}abc`).ruleset('a').decide('/x').kind).toBe('disallowed');
    expect(parse(`${fits}abc`).truncated).toBe(true);
    expect(parse(fits).truncated).toBe(false);
    expect(parse(` ${fits}`).ruleset('a').decide('/xyz').kind).toBe('disallowed');
    expect(parse(` ${fits}`).ruleset('a').decide('/').kind).toBe('disallowed');
    expect(parse(`            ${fits}`).ruleset('a').decide('/x').kind).toBe('allowed');
  });

  test('can be disabled, because Google’s matcher has none', () => {
    const long = `User-agent: a\n${'#\n'.repeat(MAX_FILE_BYTES)}Disallow: /x`;
    expect(parse(long).ruleset('a').decide('/x').kind).toBe('allowed');
    expect(parse(long, { maxBytes: Number.POSITIVE_INFINITY }).ruleset('a').decide('/x').kind).toBe(
      'disallowed',
    );
    expect(parse('Disallow', { maxBytes: 0 }).records()).toEqual([]);
  });

  test('applies to 10 MB of zeros, which are one line without a record', () => {
    const robots = parse(new Uint8Array(10_000_000));
    expect(robots.records()).toEqual([]);
    expect(robots.ruleset('a').decide('/').kind).toBe('allowed');
  });
});

describe('invalid arguments throw an error with the value', () => {
  test.each([
    ['a number for content', () => parse(7 as unknown as string), TypeError, /Uint8Array or a string/],
    ['no content', () => parse(undefined as unknown as string), TypeError, /Uint8Array or a string/],
    ['an unknown profile', () => parse('', { profile: 'bing' }), RangeError, /bing/],
    ['a negative limit', () => parse('', { maxBytes: -1 }), RangeError, /-1/],
    ['no crawler', () => parse('').ruleset(undefined as unknown as string), TypeError, /undefined/],
    ['an empty name', () => parse('').ruleset(''), RangeError, /empty/],
    ['an empty list', () => parse('').ruleset([]), RangeError, /empty/],
    ['a number in the list', () => parse('').ruleset([7 as unknown as string]), TypeError, /7/],
    [
      'a crawler without obeys',
      () => parse('').ruleset({ name: 'x', tokens: ['x'] } as never),
      TypeError,
      /own-rules/,
    ],
    [
      'too many tokens',
      () => parse('').ruleset({ name: 'x', tokens: Array(30).fill('x'), obeys: 'rules' }),
      RangeError,
      /30/,
    ],
    ['a number for a profile', () => parse('', { profile: 7 as never }), TypeError, /7/],
    [
      'an object without a URL',
      () =>
        parse('')
          .ruleset('a')
          .decide({ href: 5 } as never),
      TypeError,
      /an object/,
    ],
    [
      'no URL',
      () =>
        parse('')
          .ruleset('a')
          .decide(undefined as never),
      TypeError,
      /undefined/,
    ],
    ['a URL without an origin', () => getRobotsTxtUrl('/x'), RangeError, /\/x/],
    ['a mailto URL', () => getRobotsTxtUrl('mailto:a@b'), RangeError, /mailto/],
  ] as const)('%s', (_name, run, type, message) => {
    expect(run).toThrow(type);
    expect(run).toThrow(message);
  });
});

test('the profile can be a built-in or a custom object', () => {
  expect(parse('', { profile: RFC9309 }).profile).toBe(RFC9309);
  const custom = { ...GOOGLE, name: 'custom', matchesIndexPages: false };
  const file = 'user-agent: *\nallow: /x/index.html\ndisallow: /x/';
  expect(parse(file, { profile: custom }).ruleset('a').decide('/x/').kind).toBe('disallowed');
});

test('a Uint8Array from another realm is accepted', () => {
  const foreign = runInNewContext('new Uint8Array([85, 58])') as Uint8Array;
  expect(parse(foreign).bytes).toEqual(Uint8Array.of(85, 58));
});

test.each([
  ['https://user:secret@Example.com:443/a?b#c', 'https://example.com/robots.txt'],
  ['http://exämple.com:8080', 'http://xn--exmple-cua.com:8080/robots.txt'],
  ['ftp://example.com:21/x', 'ftp://example.com/robots.txt'],
])('getRobotsTxtUrl of %s is %s', (url, expected) => {
  expect(getRobotsTxtUrl(url)).toBe(expected);
});

test('serialize cuts a comment at the line limit, and the result is stable', () => {
  const line = `Sitemap:/#c${' '.repeat(16_651)}x`;
  const content = `User-agent: a\n${line}\nDisallow: /\n`;
  const written = serialize(parse(content));
  expect(serialize(parse(written))).toEqual(written);
  expect(
    Math.max(
      ...new TextDecoder()
        .decode(written)
        .split('\n')
        .map(({ length }) => length),
    ),
  ).toBe(16_663);
});

describe('a document does not depend on the bytes of its caller', () => {
  const text = (comment: string): string => `User-agent: *\nDisallow: /a\n# ${comment}\n`;
  test.each([
    ['a short ASCII file', text('e')],
    ['a long ASCII file', text('e'.repeat(10_000))],
    ['a short file that is not ASCII', text('é')],
    ['a long file that is not ASCII', text('é'.repeat(10_000))],
  ])('%s', (_name, content) => {
    for (const bytes of [Buffer.from(content), new TextEncoder().encode(content)]) {
      const robots = parse(bytes);
      bytes.fill(0x20);
      expect(robots.ruleset('a').decide('/a')).toMatchObject({ kind: 'disallowed', line: 2 });
      robots.bytes.fill(0x20);
      expect(new TextDecoder().decode(robots.bytes)).toBe(content);
    }
  });
});
