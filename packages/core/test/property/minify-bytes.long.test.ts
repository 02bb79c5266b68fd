import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CRAWLERS } from '../../src/crawler/catalogue.ts';
import type { CrawlerInput } from '../../src/crawler/crawler.ts';
import { GLOBAL_CRAWLER } from '../../src/crawler/crawler.ts';
import { PROFILES } from '../../src/crawler/profile.ts';
import { getSource, parse, type RobotsTxt } from '../../src/model/robots-txt.ts';
import { minify } from '../../src/proofs/minify.ts';
import { OTHER, SITEMAP, USER_AGENT } from '../../src/syntax/fields.ts';
import { anyBytes, LONG_PARAMETERS, robotsFile, takeShare } from '../support/arbitraries.ts';

const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const toByteString = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/**
 * Text between concatenated files: byte order marks, NULs, lone line ends, invalid UTF-8, lines at the size
 * limit.
 */
const joint = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      ...['\xef\xbb\xbf', '\xef\xbb', '\xef', '\0', '\r', '\n\r', '\xe9', '\nUser-agent: 008\n'],
      ...['\nSitemap: https://h/\xe9.xml\n', '\nCrawl-delay: 7\n', '\nUser-agent: b\nCrawl-delay: 3\n'],
      ...['\nUser-agent: MJ12bot\nDisallow: /a\n'],
      ...['\nRequest-rate: 1/5\nUser-agent: MJ13bot/1.0\nAllow: /a*\n'],
      ...['\nUser-agent: Googlebot-Image\nAllow: /x\n', '\nUser-agent: *\nDisallow: /a*\nDisallow: /a\n'],
    ),
  },
  fc
    .tuple(fc.integer({ min: 16_650, max: 16_670 }), fc.constantFrom('Disalow:/', 'user-agent:', 'sitemap '))
    .map(([length, field]) => `\n${field.padEnd(length, 'ab')}\n`),
);
const file: fc.Arbitrary<Uint8Array> = fc
  .array(fc.tuple(robotsFile.map(toByteString), joint), { minLength: 1, maxLength: 3 })
  .map((parts) => toBytes(parts.flat().join('')));

const PATHS = ['/', '/a', '/ab', '/a/b', '/b?x=1', '/x', '/%C3%A9', '/fish.php', '/index.html', '/x/', '/a$'];

/** Reads the values of the records of a kind, as byte strings. */
function readValues(robots: RobotsTxt, kind: number): string[] {
  const values: string[] = [];
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const { bytes, valueStart, valueEnd } = scanner;
    if (scanner.kind === kind) values.push(toByteString(bytes.subarray(valueStart, valueEnd)));
  }
  return values;
}

/** Crawlers of the catalogue that differ in what they obey: one of each kind. */
const KINDS = [
  ...new Map(
    CRAWLERS.map((crawler) => [
      JSON.stringify([crawler.obeys, crawler.tokens.length, crawler.tokens.includes('Googlebot')]),
      crawler,
    ]),
  ).values(),
];

/**
 * Lists the agents that the file names by product token and extended token, the crawlers of the catalogue that it names, one of each kind,
 * and any other.
 */
function listAgents(robots: RobotsTxt): CrawlerInput[] {
  const tokens = robots
    .groups()
    .flatMap(({ userAgents }) =>
      userAgents.flatMap(({ productToken: token, extendedToken }) => [token, extendedToken]),
    );
  const named = [...new Set(tokens)].filter((token) => token !== '' && token !== '*');
  const known = CRAWLERS.filter((crawler) =>
    crawler.tokens.some((token) => named.includes(token.toLowerCase())),
  );
  return [...named.map((token) => ({ tokens: [token] })), ...new Set([...known, ...KINDS]), GLOBAL_CRAWLER];
}

/** Describes everything that a file defines for an agent. */
function describeRuleset(robots: RobotsTxt, agent: CrawlerInput): object {
  const ruleset = robots.ruleset(agent);
  return {
    kind: ruleset.groupKind,
    verdicts: PATHS.map((path) => ruleset.decide(path).kind),
    raw: PATHS.map((path) => ruleset.decide(`${path}\0`, { normalize: false }).kind),
    others: ruleset.others.map(({ field, value }) => `${field.toLowerCase()}:${value}`),
    delay: ruleset.crawlDelay,
  };
}

function readUngrouped(robots: RobotsTxt): string[] {
  const first = robots.records().find(({ kind }) => kind === 'user-agent')?.line ?? Number.POSITIVE_INFINITY;
  return robots
    .records()
    .filter(({ kind, line }) => kind === 'other' && line < first)
    .map(({ field, value }) => `${field}:${value}`);
}

function checkMinified(bytes: Uint8Array, profile: string, keepComments: boolean): number {
  const before = parse(bytes, { profile });
  const { bytes: smaller, isComplete } = minify(before, { keepComments });
  const after = parse(smaller, { profile });
  expect(smaller.length).toBeLessThanOrEqual(bytes.length);
  expect(new Set(readValues(after, USER_AGENT))).toEqual(new Set(readValues(before, USER_AGENT)));
  expect(readValues(after, SITEMAP)).toEqual(readValues(before, SITEMAP));
  expect(new Set(readValues(after, OTHER))).toEqual(new Set(readValues(before, OTHER)));
  expect(readUngrouped(after)).toEqual(readUngrouped(before));
  for (const agent of listAgents(before))
    expect(describeRuleset(after, agent)).toEqual(describeRuleset(before, agent));
  if (isComplete) expect(toByteString(minify(after, { keepComments }).bytes)).toBe(toByteString(smaller));
  return bytes.length - smaller.length;
}

const RUNS = takeShare(LONG_PARAMETERS, 60);

test.each(PROFILES.map(({ name }) => name))(
  'for hostile bytes the result is equivalent for every agent, never longer, and minify is idempotent (%s)',
  (profile) => {
    let saved = 0;
    fc.assert(
      fc.property(file, fc.boolean(), (bytes, comments) => {
        saved += checkMinified(bytes, profile, comments);
      }),
      RUNS,
    );
    expect(saved).toBeGreaterThan(RUNS.numRuns);
  },
);

test('for any bytes the result is equivalent, never longer, and minify is idempotent', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      checkMinified(bytes, 'google', false);
    }),
    RUNS,
  );
});
