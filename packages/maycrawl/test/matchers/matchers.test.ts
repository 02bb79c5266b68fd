import { expect as jestExpect } from 'expect';
import { assertAllows, assertDisallows, assertEquivalent, matchers, type RobotsInput } from 'maycrawl/test';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { getFailure } from '../support/failure.ts';

expect.extend(matchers);
jestExpect.extend(matchers);

const ROBOTS = `# Rules of the shop
User-agent: *
Disallow: /checkout
Disallow: /blog/drafts/

User-agent: GPTBot
Disallow: /
`;
/** The message of a failure, without the number of crawlers of the catalogue. */
async function getMessage(work: () => unknown): Promise<string> {
  return (await getFailure(work)).message.replace(/\d+ others/, 'N others');
}

/** The statements, in each test runner. */
const RUNNERS = {
  vitest: {
    allows: (robots: RobotsInput, pattern: string, agent = 'Googlebot') =>
      expect(robots).toAllow(pattern, { agent }),
    disallows: (robots: RobotsInput, pattern: string, agent = 'Googlebot') =>
      expect(robots).toDisallow(pattern, { agent }),
    equals: (robots: RobotsInput, other: RobotsInput) => expect(robots).toBeEquivalentTo(other),
  },
  jest: {
    allows: (robots: RobotsInput, pattern: string, agent = 'Googlebot') =>
      jestExpect(robots).toAllow(pattern, { agent }),
    disallows: (robots: RobotsInput, pattern: string, agent = 'Googlebot') =>
      jestExpect(robots).toDisallow(pattern, { agent }),
    equals: (robots: RobotsInput, other: RobotsInput) => jestExpect(robots).toBeEquivalentTo(other),
  },
  'node:test': {
    allows: (robots: RobotsInput, pattern: string, agent = 'Googlebot') =>
      assertAllows(robots, pattern, { agent }),
    disallows: (robots: RobotsInput, pattern: string, agent = 'Googlebot') =>
      assertDisallows(robots, pattern, { agent }),
    equals: (robots: RobotsInput, other: RobotsInput) => assertEquivalent(robots, other),
  },
};

describe.each(Object.entries(RUNNERS))('%s', (runner, { allows, disallows, equals }) => {
  const isNode = runner === 'node:test';

  test('true statements pass', () => {
    allows(ROBOTS, '/blog/2*');
    allows(ROBOTS, '/blog/');
    disallows(ROBOTS, '/checkout**');
    disallows(ROBOTS, '/**', 'GPTBot');
    equals(ROBOTS, ROBOTS.replace('Disallow: /\n', 'Disallow: *\n'));
  });

  test('a URL of a pattern that is disallowed fails the test', async () => {
    const title = isNode ? 'assertAllows' : 'toAllow';
    expect(await getMessage(() => allows(ROBOTS, '/blog/**'))).toBe(
      `${title}("/blog/**", { agent: "Googlebot" })

Expected:   all URLs that match /blog/** are allowed for Googlebot
Example:    /blog/drafts/
Verdict:    Disallowed. No group names this crawler, so the group for * applies. Line 4, "Disallow: /blog/drafts/", is the longest matching rule.
Robots.txt: the text`,
    );
  });

  test('a URL of a pattern that is allowed fails the test', async () => {
    const title = isNode ? 'assertDisallows' : 'toDisallow';
    expect(await getMessage(() => disallows(ROBOTS, '/*/drafts/*'))).toBe(
      `${title}("/*/drafts/*", { agent: "Googlebot" })

Expected:   all URLs that match /*/drafts/* are disallowed for Googlebot
Example:    //drafts/
Verdict:    Allowed. No group names this crawler, so the group for * applies. None of its rules matches the URL.
Robots.txt: the text`,
    );
  });

  test('a verdict that differs fails the test', async () => {
    const title = isNode ? 'assertEquivalent' : 'toBeEquivalentTo';
    expect(await getMessage(() => equals(ROBOTS.replace('Disallow: /checkout\n', ''), ROBOTS))).toBe(
      `${title}(other)

Expected:   every URL has the same verdict for every crawler
Example:    /checkout for Googlebot and N others
  received: Allowed. No group names this crawler, so the group for * applies. None of its rules matches the URL.
  other:    Disallowed. No group names this crawler, so the group for * applies. Line 3, "Disallow: /checkout", is the longest matching rule.
Received:   the text
Other:      the text`,
    );
  });
});

describe('the opposite', () => {
  test('passes if one URL has the other verdict', () => {
    expect(ROBOTS).not.toAllow('/blog/**', { agent: 'Googlebot' });
    expect(ROBOTS).not.toDisallow('/blog/**', { agent: 'Googlebot' });
    expect(ROBOTS).not.toAllow('/checkout', { agent: 'Googlebot' });
    expect(ROBOTS).not.toBeEquivalentTo('');
  });

  test('fails with an example of the statement', async () => {
    expect(await getMessage(() => expect(ROBOTS).not.toDisallow('/checkout/**', { agent: '*' }))).toBe(
      `not toDisallow("/checkout/**", { agent: "*" })

Expected:   it is not so that all URLs that match /checkout/** are disallowed for any crawler without a group of its own
Example:    /checkout/
Verdict:    Disallowed. No group names this crawler, so the group for * applies. Line 3, "Disallow: /checkout", is the longest matching rule.
Robots.txt: the text`,
    );
    expect(await getMessage(() => expect(ROBOTS).not.toAllow('/', { agent: 'Googlebot' }))).toContain(
      'Expected:   / is not allowed for Googlebot\nExample:    /\nVerdict:    Allowed.',
    );
    expect(await getMessage(() => jestExpect(ROBOTS).not.toBeEquivalentTo(ROBOTS))).toBe(
      `not toBeEquivalentTo(other)

Expected: at least one URL has another verdict
Proved:   every URL has the same verdict for every crawler
Received: the text
Other:    the text`,
    );
  });
});

describe('a message', () => {
  test('has at most five differences, and counts the others', async () => {
    const rules = Array.from({ length: 8 }, (_, index) => `Disallow: /${index}\n`);
    const message = await getMessage(() => expect('').toBeEquivalentTo(`User-agent: *\n${rules.join('')}`));
    expect(message.match(/^Example:/gm)).toHaveLength(5);
    expect(message).toContain('\nMore:       3 differences\n');
  });

  test('has no control characters of the file, and is short', async () => {
    const path = `/\u202e${'x'.repeat(5000)}`;
    const robots = `User-agent: *\nDisallow: ${path}\n`;
    const message = await getMessage(() => expect(robots).toAllow(`/**`, { agent: 'a' }));
    expect(message).toContain('"Disallow: /\\u{202e}xxx');
    expect(message.length).toBeLessThan(4000);
  });
});

describe('what can be neither proved nor refuted fails, also with not', () => {
  const agent = 'Googlebot';
  // Callers in JavaScript can pass anything.
  const NOTHING = undefined as never;

  test.each<[message: string, pattern: string, options: { readonly agent: string }]>([
    ['no user-agent line can name "Göögle"', '/', { agent: 'Göögle' }],
    ['the agent name is empty', '/', { agent: '' }],
    ['toAllow: the option "agent" is missing', '/', {} as never],
    ['toAllow: the options must be an object, not undefined', '/', NOTHING],
    ['toAllow: unknown option "agnet". Did you mean "agent"?', '/', { agnet: 'Googlebot' } as never],
    ['toAllow: "blog/**" is no pattern: it begins with "/" or "*"', 'blog/**', { agent }],
    ['toAllow: "blog/": No verdict. The URL is neither an absolute URL nor a path', 'blog/', { agent }],
    ['toAllow: the pattern must be a string, not undefined', NOTHING, { agent }],
    ['no URL that can be requested matches the pattern', '/../x*', { agent }],
  ])('%s', async (message, pattern, options) => {
    for (const subject of [expect(ROBOTS), expect(ROBOTS).not, jestExpect(ROBOTS), jestExpect(ROBOTS).not])
      expect((await getFailure(() => subject.toAllow(pattern, options))).message).toContain(message);
    const name = message.replaceAll('toAllow', 'assertAllows');
    expect((await getFailure(() => assertAllows(ROBOTS, pattern, options))).message).toContain(name);
  });

  test('rules that are too entangled', async () => {
    const rules = Array.from({ length: 400 }, (_, rule) => `Allow: /*a*${rule % 7}b*c${rule}*d\n`);
    const robots = `User-agent: *\n${rules.join('')}Disallow: /y`;
    const failure = await getFailure(() => expect(robots).not.toAllow('/x*', { agent }));
    expect(failure).toMatchObject({ name: 'RobotsTestError', code: 'undecided' });
  });
});

// `npm run typecheck` checks this; nothing runs here but the creation of functions.
test('the types say which statements a test must await, and which arguments are valid', () => {
  const agent = 'Googlebot';
  const response = new Response('');
  const types = {
    vitest: () => expect(ROBOTS).toAllow('/', { agent }),
    vitestResponse: () => expect(response).not.toDisallow('/', { agent }),
    vitestOther: () => expect(ROBOTS).toBeEquivalentTo(response),
    jest: () => jestExpect({ file: 'robots.txt' }).toAllow('/', { agent }),
    jestResponse: () => jestExpect(response).not.toAllow('/', { agent }),
    assertion: () => assertAllows({ rules: [{ userAgent: ['a'], allow: '/' }] }, '/', { agent }),
    assertionResponse: () => assertEquivalent('', response),
    // @ts-expect-error: the compiler must report the missing agent.
    agent: () => expect(ROBOTS).toAllow('/', {}),
    // @ts-expect-error: the compiler must refuse a number in place of a robots.txt.
    other: () => jestExpect(ROBOTS).toBeEquivalentTo(5),
    // @ts-expect-error: the compiler must report the misspelled key.
    next: () => assertAllows({ rules: { dissallow: '/' } }, '/', { agent }),
  };
  expectTypeOf(types.vitest).returns.toEqualTypeOf<void>();
  expectTypeOf(types.vitestResponse).returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf(types.vitestOther).returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf(types.jest).returns.toEqualTypeOf<void>();
  expectTypeOf(types.jestResponse).returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf(types.assertion).returns.toEqualTypeOf<void>();
  expectTypeOf(types.assertionResponse).returns.toEqualTypeOf<Promise<void>>();
});
