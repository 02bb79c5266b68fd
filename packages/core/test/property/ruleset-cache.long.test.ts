import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CRAWLERS, GLOBAL_CRAWLER, parse, type Ruleset, RulesetCache } from '../../src/index.ts';
import { agent, FUZZ_PARAMETERS, robotsFile, url } from '../support/arbitraries.ts';

const crawler = fc.oneof(
  agent,
  fc.array(agent, { minLength: 1, maxLength: 3 }),
  fc.constantFrom(...CRAWLERS, GLOBAL_CRAWLER),
  fc
    .tuple(fc.array(agent, { maxLength: 3 }), fc.constantFrom('rules', 'own-rules', 'nothing'))
    .map(([tokens, obeys]) => ({ name: 'x', tokens, obeys }) as const),
);

test('shared rulesets give the same verdicts and reasons as separate rulesets', () => {
  let sharings = 0;
  fc.assert(
    fc.property(
      robotsFile,
      fc.array(crawler, { minLength: 2, maxLength: 8 }),
      url,
      (bytes, crawlers, target) => {
        const robots = parse(bytes);
        const shared = new RulesetCache(robots);
        for (const each of crawlers) {
          if (shared.has(each)) sharings++;
          const [own, common] = [robots.ruleset(each), shared.get(each)] as [Ruleset, Ruleset];
          expect(shared.has(each)).toBe(true);
          expect(JSON.stringify(common.decide(target))).toBe(JSON.stringify(own.decide(target)));
          expect(common.group).toEqual(own.group);
          expect(common.rules).toEqual(own.rules);
          expect(common.crawlDelay).toBe(own.crawlDelay);
        }
      },
    ),
    FUZZ_PARAMETERS,
  );
  expect(sharings).toBeGreaterThan(FUZZ_PARAMETERS.numRuns);
});
