import { describe, expect, test } from 'vitest';
import { parse, type Ruleset, RulesetCache } from '../../../src/index.ts';

/** 200 rules with a star are compiled to an object, whose identity shows that it is shared. */
const RULES = Array.from({ length: 200 }, (_, i) => `disallow: /*${i}\n`).join('');

const getCompiled = (ruleset: Ruleset): unknown => ruleset.compiled;

describe('shared rulesets', () => {
  test('all crawlers that no group names share one rule table', () => {
    const shared = new RulesetCache(parse(`user-agent: *\n${RULES}user-agent: b\n${RULES}`));
    const table = getCompiled(shared.get('first'));
    expect(table).toBeTypeOf('object');
    for (let i = 0; i < 1000; i++) expect(getCompiled(shared.get(`agent${i}`))).toBe(table);
    expect(getCompiled(shared.get('b'))).not.toBe(table);
  });

  test('crawlers of the same group share its rule table, also with different tokens', () => {
    const shared = new RulesetCache(parse(`user-agent: googlebot\nuser-agent: MJ12bot\n${RULES}`));
    const table = getCompiled(shared.get('Googlebot-Image'));
    expect(table).toBeTypeOf('object');
    expect(getCompiled(shared.get('MJ12bot'))).toBe(table);
    expect(shared.get('Googlebot-Image').group).toEqual({ kind: 'fallback', tokens: ['Googlebot'] });
    expect(shared.get('MJ12bot').group).toEqual({ kind: 'own', tokens: ['MJ12bot'] });
  });

  test('memory stays within its limit, and discarded rulesets are compiled again', () => {
    const groups = Array.from(
      { length: 200 },
      (_, i) => `user-agent: a${i}\ndisallow: /${i}/${'x'.repeat(500)}\n`,
    );
    const shared = new RulesetCache(parse(groups.join('')), { maxBytes: 10_000 });
    const empty = shared.sizeInBytes;
    for (let i = 0; i < 200; i++) {
      expect(shared.get(`a${i}`).rules).toHaveLength(1);
      expect(shared.sizeInBytes - empty).toBeLessThanOrEqual(10_000);
    }
    expect(shared.has('a0')).toBe(false);
    expect(shared.get('a0').decide(`/0/${'x'.repeat(500)}`).kind).toBe('disallowed');
  });

  test('maxBytes must be a number', () => {
    expect(() => new RulesetCache(parse(''), { maxBytes: Number.NaN })).toThrow(RangeError);
  });
});
