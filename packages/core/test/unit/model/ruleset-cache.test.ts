import { describe, expect, test } from 'vitest';
import { parse, RulesetCache } from '../../../src/index.ts';
import { getRuleTable } from '../../../src/model/ruleset.ts';

const RULES = Array.from({ length: 200 }, (_, i) => `disallow: /*${i}\n`).join('');

describe('shared rulesets', () => {
  test('all crawlers that no group names share one rule table', () => {
    const shared = new RulesetCache(parse(`user-agent: *\n${RULES}user-agent: b\n${RULES}`));
    const table = getRuleTable(shared.get('first'));
    for (let i = 0; i < 1000; i++) expect(getRuleTable(shared.get(`agent${i}`))).toBe(table);
    expect(getRuleTable(shared.get('b'))).not.toBe(table);
  });

  test('crawlers of the same group share its rule table, also with different tokens', () => {
    const shared = new RulesetCache(parse(`user-agent: googlebot\nuser-agent: MJ12bot\n${RULES}`));
    const table = getRuleTable(shared.get('Googlebot-Image'));
    expect(getRuleTable(shared.get('MJ12bot'))).toBe(table);
    expect(shared.get('Googlebot-Image').group).toEqual({ kind: 'fallback', tokens: ['Googlebot'] });
    expect(shared.get('MJ12bot').group).toEqual({ kind: 'own', tokens: ['MJ12bot'] });
  });

  test('memory stays within its limit, and discarded rulesets are compiled again', () => {
    const groups = Array.from(
      { length: 60 },
      (_, i) => `user-agent: a${i}\ndisallow: /${i}/${'x'.repeat(500)}\n`,
    );
    const shared = new RulesetCache(parse(groups.join('')), { maxBytes: 10_000 });
    const empty = shared.sizeInBytes;
    for (let i = 0; i < 60; i++) {
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
