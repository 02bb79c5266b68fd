import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, type Ruleset, RulesetCache } from '../../src/index.ts';
import { crawler, FUZZ_PARAMETERS, robotsFile, url } from '../support/arbitraries.ts';

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
