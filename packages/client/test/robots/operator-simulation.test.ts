import { describe, expect, test } from 'vitest';
import { type OperatorOutages, type OutageScenario, simulateOperatorOutage } from '../../src/policy.ts';

const DAY = 86_400_000;
const SCENARIO: Omit<OutageScenario, 'profile'> = {
  before: { kind: 'successful', freshFor: DAY },
  result: { code: 'http-status', status: 503, retryAfter: null, saysNotFound: false },
  lasts: 40 * DAY,
  isSiteReachable: true,
  until: 41 * DAY,
};
/** A copy for 30 days, then all URLs are allowed. */
const COPY: OperatorOutages = {
  whenUnavailable: [{ from: 0, effect: 'allow' }],
  whenUnreachable: [
    { from: 0, effect: 'last-response' },
    { from: 30 * DAY, effect: 'allow' },
  ],
};

/** Simulates, and returns the start of each interval in days with its policy. */
function simulate(operator: OperatorOutages, changes: Partial<typeof SCENARIO> = {}): unknown {
  return simulateOperatorOutage(operator, { ...SCENARIO, ...changes })?.map(({ from, policy, isFresh }) => [
    from / DAY,
    'reason' in policy ? policy.reason : policy.kind,
    isFresh,
  ]);
}

describe('simulateOperatorOutage', () => {
  test('uses the last response for its period, and then allows all URLs, until the outage ends', () => {
    expect(simulate(COPY)).toEqual([
      [0, 'rules', true],
      [1, 'rules', false],
      [31, 'outage-expired', false],
      [40, 'rules', true],
    ]);
  });

  test('a missing file is no outage', () => {
    expect(simulate(COPY, { result: 'unavailable' })).toEqual([
      [0, 'rules', true],
      [1, 'unavailable', true],
      [40, 'rules', true],
    ]);
  });

  test('without an earlier response, the last response allows all URLs', () => {
    expect(simulate(COPY, { before: null })).toEqual([
      [0, 'outage-expired', false],
      [40, 'rules', true],
    ]);
    expect(simulate(COPY, { before: { kind: 'unavailable', freshFor: 0 } })).toEqual([
      [0, 'unavailable', false],
      [30, 'outage-expired', false],
      [40, 'unavailable', true],
    ]);
  });

  test.each([
    [true, 'outage-expired'],
    [false, 'unreachable'],
  ])('allows all URLs if the site is otherwise reachable: %s', (isSiteReachable, policy) => {
    const whenUnreachable = [
      { from: 0, effect: 'disallow' },
      { from: 2 * DAY, effect: 'allow-if-reachable' },
    ] as const;
    const intervals = simulate({ whenUnavailable: null, whenUnreachable }, { isSiteReachable, before: null });
    expect(intervals).toEqual([
      [0, 'unreachable', false],
      ...(isSiteReachable ? [[2, policy, false]] : []),
      [40, 'rules', true],
    ]);
  });

  test('an outage that ends before the response is no longer fresh has no effect', () => {
    expect(simulate(COPY, { lasts: DAY / 2 })).toEqual([[0, 'rules', true]]);
  });

  test('returns null if the operator documents nothing about the result', () => {
    expect(simulateOperatorOutage({ ...COPY, whenUnreachable: null }, SCENARIO)).toBeNull();
  });

  test('refuses durations that are not finite', () => {
    expect(() => simulateOperatorOutage(COPY, { ...SCENARIO, until: Infinity })).toThrow(RangeError);
  });
});
