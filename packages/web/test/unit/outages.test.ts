import { simulateOperatorOutage, simulateOutage } from '@maycrawl/client/policy';
import { GOOGLE, PROFILES } from '@maycrawl/core';
import { findOperator, OPERATOR_RECORDS } from '@maycrawl/core/crawlers';
import { describe, expect, test } from 'vitest';
import { createTicks, DAY, getPosition, HOUR } from '../../src/outages/duration.ts';
import { BEFORES, FIRST, RESULTS, toScenario } from '../../src/outages/scenario.ts';

describe('the time axis', () => {
  test('has its ticks in order, with space between them', () => {
    for (const until of [HOUR, 33 * HOUR, 46 * DAY, 460 * DAY]) {
      const places = createTicks(until).map(({ at }) => at);
      for (const [index, at] of places.entries())
        if (index > 0) expect(at - (places[index - 1] ?? 0)).toBeGreaterThan(0.07);
      expect(getPosition(until, until)).toBe(1);
    }
  });
});

test('each scenario of the form can be simulated to the end', () => {
  const scenarios = [...RESULTS.keys()].flatMap((result) =>
    [...BEFORES.keys()].map((before) => ({ result, before })),
  );
  // Every profile has its turn, but not with every scenario.
  for (const [index, { result, before }] of scenarios.entries()) {
    const profile = PROFILES[index % PROFILES.length] ?? GOOGLE;
    const scenario = { ...toScenario({ ...FIRST, result, before }), profile };
    const intervals = simulateOutage(scenario);
    expect(intervals[0]?.from).toBe(0);
    expect(intervals.at(-1)?.to).toBe(scenario.until);
    // A fetch after the outage has succeeded.
    expect(intervals.at(-1)).toMatchObject({
      policy: before.startsWith('no robots')
        ? { kind: 'allow-all', reason: 'unavailable' }
        : { kind: 'rules' },
      isFresh: true,
    });
  }
});

test('each scenario can be simulated for the operators that document outages', () => {
  const operators = ['Amazonbot', 'Googlebot'].map((name) => findOperator(name));
  for (const result of RESULTS.keys())
    for (const before of BEFORES.keys())
      for (const operator of operators) {
        if (operator === undefined) throw new Error('no record');
        const scenario = toScenario({ ...FIRST, result, before });
        const intervals = simulateOperatorOutage(operator, scenario) ?? [];
        expect(intervals[0]?.from).toBe(0);
        expect(intervals.at(-1)).toMatchObject({ to: scenario.until, isFresh: true });
        for (const [index, { from }] of intervals.entries())
          if (index > 0) expect(from).toBe(intervals[index - 1]?.to);
      }
  expect(
    OPERATOR_RECORDS.filter(({ whenUnreachable }) => whenUnreachable).map(({ operator }) => operator),
  ).toEqual(['Amazon', 'Google']);
});

test('the number in the form is limited', () => {
  expect(toScenario({ ...FIRST, count: Number.NaN }).lasts).toBe(0);
  expect(toScenario({ ...FIRST, count: -3 }).lasts).toBe(0);
  expect(toScenario({ ...FIRST, count: 1e300 }).lasts).toBe(400 * DAY);
});
