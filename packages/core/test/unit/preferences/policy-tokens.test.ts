import { expect, test } from 'vitest';
import { CRAWLER_RECORDS, type CrawlerRecord, selectCrawlers, toPolicyToken } from '../../../src/crawlers.ts';
import { parse } from '../../../src/index.ts';
import { createPolicyToken, POLICY_TOKENS, readPreferences } from '../../../src/preferences.ts';

test('the policy tokens are those of the catalogue, those that govern most crawlers first', () => {
  const documented = selectCrawlers(CRAWLER_RECORDS, { kinds: ['policy-token'] });
  expect(new Set(POLICY_TOKENS)).toEqual(new Set(documented.map(toPolicyToken)));
  const counts = POLICY_TOKENS.map(({ governs }) => governs?.length ?? 0);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
});

test('a record without the crawlers that it governs is about all crawlers', () => {
  const record: CrawlerRecord = {
    ...{ token: 'Train-Token', operator: 'Example', kind: 'policy-token', purposes: ['ai-train'] },
    ...{ robotsTxt: 'obeys', description: 'Decides about training.', sources: [] },
  };
  expect(toPolicyToken(record)).toEqual({
    ...createPolicyToken('Train-Token'),
    operator: 'Example',
  });
  expect(toPolicyToken({ ...record, governs: ['a'] }).governs).toEqual(['a']);
});

/** What a file says about training to a crawler, as value and line. */
function readTraining(robots: string, agent: string, policyTokens = POLICY_TOKENS): unknown {
  const sources = { policy: { kind: 'rules', robots: parse(robots) } as const };
  const training = readPreferences(sources, agent, 'https://example.com/x', { policyTokens }).purposes[
    'ai-train'
  ];
  return [training?.value, training?.line];
}

const REFUSED = 'User-agent: *\nAllow: /\n\nUser-agent: Google-Extended\nDisallow: /\n';

test.each([
  ['Googlebot', ['disallowed', 5]],
  ['Googlebot-Image', ['disallowed', 5]],
  // By its own crawl verdict.
  ['Google-Extended', ['not-applicable', null]],
  ['bingbot', ['unknown', null]],
  ['Applebot', ['unknown', null]],
])('a group for Google-Extended, read for %s', (agent, expected) => {
  expect(readTraining(REFUSED, agent)).toEqual(expected);
});

test('a group that names the token can allow, and a rule for * can refuse', () => {
  expect(readTraining('User-agent: Google-Extended\nAllow: /\n', 'Googlebot')).toEqual(['allowed', 2]);
  expect(readTraining('User-agent: *\nDisallow: /x\nUser-agent: Googlebot\nAllow: /\n', 'Googlebot')).toEqual(
    ['disallowed', 2],
  );
  expect(readTraining('User-agent: *\nAllow: /\n', 'Googlebot')).toEqual(['unknown', null]);
});

test('a further token governs all crawlers, and must be a product token', () => {
  const robots = 'User-agent: *\nAllow: /\n\nUser-agent: Train-Token\nDisallow: /x\n';
  expect(readTraining(robots, 'bingbot', [createPolicyToken('Train-Token')])).toEqual(['disallowed', 5]);
  expect(() => readTraining(robots, 'bingbot', [createPolicyToken('a b')])).toThrow(RangeError);
});
