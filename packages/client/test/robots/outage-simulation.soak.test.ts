import { GOOGLE, getPolicyCode, type PolicyCode, PROFILES } from '@maycrawl/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import {
  type CachedResponse,
  NO_HISTORY,
  type OriginHistory,
  withFailure,
  withResponse,
} from '../../src/robots/history.ts';
import { getEffectivePolicy } from '../../src/robots/outage/outage-policy.ts';
import {
  type OutageScenario,
  type SimulatedFailure,
  simulateOutage,
} from '../../src/robots/outage/outage-simulation.ts';
import { RESPONSE_DETAILS } from '../support/histories.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNAVAILABLE: SimulatedFailure = {
  code: 'http-status',
  status: 503,
  retryAfter: null,
  saysNotFound: false,
};
const TOO_MANY: SimulatedFailure = { ...UNAVAILABLE, status: 429 };
const TIMEOUT: SimulatedFailure = { ...UNAVAILABLE, code: 'timeout', status: null };

const outage: OutageScenario = {
  profile: GOOGLE,
  before: { kind: 'successful', freshFor: 0 },
  result: UNAVAILABLE,
  lasts: 40 * DAY,
  isSiteReachable: true,
  until: 45 * DAY,
};

/** Formats intervals: the start and the policy. */
const simulate = (scenario: OutageScenario): (readonly [number, PolicyCode, boolean])[] =>
  simulateOutage(scenario).map(
    ({ from, policy, isFresh }) => [from, getPolicyCode(policy), isFresh] as const,
  );

describe('an outage of 40 days', () => {
  test('google: disallows, applies the last file from 12 hours on, allows from 30 days on', () => {
    expect(simulate(outage)).toEqual([
      [0, 'unreachable', false],
      [12 * HOUR, 'rules', false],
      [30 * DAY, 'outage-expired', false],
      [expect.closeTo(40 * DAY, -6.5), 'rules', true],
    ]);
  });

  test('a fresh response applies first', () => {
    const [first, second, third] = simulateOutage({
      ...outage,
      before: { kind: 'successful', freshFor: 6 * HOUR },
    });
    expect(first).toEqual({ from: 0, to: 6 * HOUR, policy: { kind: 'rules' }, isFresh: true });
    expect(second).toEqual({
      ...{ from: 6 * HOUR, to: 18 * HOUR, isFresh: false },
      policy: { kind: 'disallow-all', reason: 'unreachable' },
    });
    expect(third).toMatchObject({ from: 18 * HOUR, policy: { kind: 'rules' }, isFresh: false });
  });
});

/** All pauses without Retry-After are multiples of this step, so no change is between two steps. */
const STEP = 30 * SECOND;

/** The naive simulation: returns the policy at each step, and fetches at each step if that is due. */
function walk({ profile, before, result, lasts, isSiteReachable, until }: OutageScenario): PolicyCode[] {
  const good = (kind: CachedResponse['kind'], at: number, freshFor = DAY): OriginHistory =>
    withResponse({
      ...{ kind, fetchedAt: at, staleAt: at + freshFor, bytes: new Uint8Array() },
      ...{ status: 200, code: null, message: null, ...RESPONSE_DETAILS },
    });
  let history = before === null ? NO_HISTORY : good(before.kind, 0, before.freshFor);
  const seen: PolicyCode[] = [];
  for (let now = 0; now < until; now += STEP) {
    const getPolicy = (): ReturnType<typeof getEffectivePolicy> =>
      getEffectivePolicy(profile, history, { now, isSiteReachable });
    const { refreshAt, isFresh } = getPolicy();
    if (!isFresh && refreshAt <= now) {
      if (now >= lasts) history = good(before?.kind ?? 'successful', now);
      else if (result === 'unavailable') history = good('unavailable', now);
      else
        history = withFailure(history, {
          ...{ at: now, message: '', hops: [], timings: { total: 1 }, code: result.code },
          ...{ status: result.status, saysNotFound: result.saysNotFound },
          retryAt: result.retryAfter === null ? null : now + result.retryAfter,
        });
    }
    seen.push(getPolicyCode(getPolicy().policy));
  }
  return seen;
}

// Without a time limit: it simulates millions of minutes, and the time depends on the machine.
test('the simulation equals the naive one', { timeout: 0 }, () => {
  const steps = (longest: number): fc.Arbitrary<number> =>
    fc.integer({ min: 0, max: longest / STEP }).map((count) => count * STEP);
  const scenarios: fc.Arbitrary<OutageScenario> = fc.record({
    profile: fc.constantFrom(...PROFILES),
    before: fc.option(
      fc.record({ kind: fc.constantFrom('successful', 'unavailable'), freshFor: steps(2 * DAY) }),
    ),
    result: fc.constantFrom<OutageScenario['result']>(
      ...(['unavailable', UNAVAILABLE, TOO_MANY, TIMEOUT] as const),
      ...[{ ...UNAVAILABLE, status: 500, saysNotFound: true }],
      ...[{ ...UNAVAILABLE, retryAfter: 2 * MINUTE }],
    ),
    lasts: fc.oneof(steps(DAY), steps(40 * DAY)),
    isSiteReachable: fc.boolean(),
    until: fc.constantFrom(2 * DAY, 3 * DAY, 34 * DAY),
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const intervals = simulateOutage(scenario);
      expect(intervals.at(0)?.from).toBe(0);
      expect(intervals.at(-1)?.to).toBe(scenario.until);
      // The intervals are in order, without gaps: one assertion for thousands of them.
      expect(
        intervals.findIndex(({ from, to }, index) => to <= from || from !== (intervals[index - 1]?.to ?? 0)),
      ).toBe(-1);
      const codes = walk(scenario);
      // One assertion for thousands of steps.
      let current = 0;
      const wrong = codes.findIndex((code, step) => {
        while ((intervals[current]?.to ?? Number.POSITIVE_INFINITY) <= step * STEP) current++;
        const interval = intervals[current];
        return interval === undefined || getPolicyCode(interval.policy) !== code;
      });
      expect(wrong).toBe(-1);
      for (const { policy, isFresh } of intervals) seen.add(`${getPolicyCode(policy)} ${isFresh}`);
    }),
    // A scenario takes as long as sixty inputs of other properties.
    { numRuns: Math.ceil(getFuzzRuns(6_000) / 60) },
  );
  // The scenarios were not trivial: every policy has occurred.
  expect([...seen].sort()).toEqual([
    'outage-expired false',
    'rules false',
    'rules true',
    'unavailable false',
    'unavailable true',
    'unreachable false',
  ]);
});
