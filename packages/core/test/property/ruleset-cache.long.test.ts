import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, type Ruleset, RulesetCache } from '../../src/index.ts';
import { crawler, LONG_PARAMETERS, robotsFile, takeShare, url } from '../support/arbitraries.ts';

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
    takeShare(LONG_PARAMETERS, 3),
  );
  expect(sharings).toBeGreaterThan(LONG_PARAMETERS.numRuns / 3);
});

test('the limit of memory includes what decisions add to rulesets', () => {
  const CROWD = 120;
  // By each group of 150 rules with stars, the first decision creates an index.
  const groups = Array.from({ length: CROWD }, (_, group) => {
    const rules = Array.from({ length: 150 }, (_, rule) => `Disallow: /*${group}-${rule}*/end`);
    return `User-agent: bot${'abcdefghij'[group % 10]}${'abcdefghijklmnopqrstuvwxyz'[Math.floor(group / 10)]}\n${rules.join('\n')}\n`;
  });
  const robots = parse(groups.join(''));
  const tokens = groups.map((group) => /bot\w+/.exec(group)?.[0] ?? '');
  const maxBytes = 300_000;
  const cache = new RulesetCache(robots, { maxBytes });
  let built = 0;
  for (const token of tokens) {
    const ruleset = cache.get([token]);
    const before = ruleset.sizeInBytes;
    ruleset.decide('/x/1-1/2-2/end');
    ruleset.decide('/x/1-1/2-2/end');
    if (ruleset.sizeInBytes > before) built++;
  }
  expect(built).toBe(CROWD);
  // At most an eighth of the rulesets have grown since they were counted.
  expect(cache.sizeInBytes).toBeLessThan((maxBytes * 9) / 8);
  expect(cache.has([tokens[0] as string])).toBe(false);
});
