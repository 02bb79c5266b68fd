import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect as jestExpect } from 'expect';
import {
  assertAllows,
  assertDisallows,
  assertEquivalent,
  matchers,
  type RobotsInput,
  type RobotsTestError,
} from 'maycrawl/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

expect.extend(matchers);
jestExpect.extend(matchers);

const ROBOTS = `# Rules of the shop
User-agent: *
Disallow: /checkout
Disallow: /blog/drafts/

User-agent: GPTBot
Disallow: /
`;
const GOOGLEBOT = { agent: 'Googlebot' };

/** Returns what a function throws, or its promise rejects with. */
async function getFailure(work: () => unknown): Promise<{ name: string; message: string; code?: string }> {
  try {
    await work();
  } catch (error) {
    return error as RobotsTestError;
  }
  throw new Error('it does not fail');
}

async function getMessage(work: () => unknown): Promise<string> {
  return (await getFailure(work)).message;
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
Example:    /checkout for Googlebot and 61 others
  received: Allowed. No group names this crawler, so the group for * applies. None of its rules matches the URL.
  other:    Disallowed. No group names this crawler, so the group for * applies. Line 3, "Disallow: /checkout", is the longest matching rule.
Received:   the text
Other:      the text`,
    );
  });
});
