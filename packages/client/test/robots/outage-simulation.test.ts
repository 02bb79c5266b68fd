import { GOOGLE, GOOGLE_2013, GOOGLE_2022, PROFILES, RFC9309 } from '@maycrawl/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type GoodAnswer,
  NO_HISTORY,
  type OriginHistory,
  withAnswer,
  withFailure,
} from '../../src/robots/history.ts';
import { ruleOn, weatherOf } from '../../src/robots/outage-policy.ts';
import { foresee, type Spell, type Supposition, type Trouble } from '../../src/robots/outage-simulation.ts';
import { TOLD } from '../support/told.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNAVAILABLE: Trouble = { code: 'http-status', status: 503, retryAfter: null, saysNotFound: false };
const TOO_MANY: Trouble = { ...UNAVAILABLE, status: 429 };
const TIMEOUT: Trouble = { ...UNAVAILABLE, code: 'timeout', status: null };

const outage: Supposition = {
  profile: GOOGLE,
  before: { kind: 'found', freshFor: 0 },
  answers: UNAVAILABLE,
  lasts: 40 * DAY,
  isSiteReachable: true,
  until: 45 * DAY,
};

/** Spells in short: since when, and what. */
const told = (supposed: Supposition): (readonly [number, Spell['use'], boolean])[] =>
  foresee(supposed).map(({ from, use, isFresh }) => [from, use, isFresh] as const);

describe('an outage of 40 days', () => {
  test('google: closed, the last file from 12 hours on, open from 30 days on', () => {
    expect(told(outage)).toEqual([
      [0, 'unreachable', false],
      [12 * HOUR, 'rules', false],
      [30 * DAY, 'outage-expired', false],
      [expect.closeTo(40 * DAY, -6.5), 'rules', true],
    ]);
  });

  test('google: without other pages that can be fetched, closed again from 30 days on', () => {
    expect(told({ ...outage, isSiteReachable: false }).slice(0, 3)).toEqual([
      [0, 'unreachable', false],
      [12 * HOUR, 'rules', false],
      [30 * DAY, 'unreachable', false],
    ]);
  });

  test('google: without a last file, open from 12 hours on', () => {
    expect(told({ ...outage, before: null }).slice(0, 2)).toEqual([
      [0, 'unreachable', false],
      [12 * HOUR, 'outage-expired', false],
    ]);
  });

  test.each([GOOGLE_2022, RFC9309])('$name: closed, the last file from 30 days on', (profile) => {
    expect(told({ ...outage, profile }).slice(0, 2)).toEqual([
      [0, 'unreachable', false],
      [30 * DAY, 'rules', false],
    ]);
  });

  test('google-2013: closed to its end', () => {
    expect(told({ ...outage, profile: GOOGLE_2013 }).map(([, use]) => use)).toEqual(['unreachable', 'rules']);
  });

  test('a copy that is still fresh holds before it begins', () => {
    const [first, second, third] = foresee({ ...outage, before: { kind: 'found', freshFor: 6 * HOUR } });
    expect(first).toEqual({ from: 0, to: 6 * HOUR, use: 'rules', isFresh: true });
    expect(second).toEqual({ from: 6 * HOUR, to: 18 * HOUR, use: 'unreachable', isFresh: false });
    expect(third).toMatchObject({ from: 18 * HOUR, use: 'rules', isFresh: false });
  });
});

test('the end of an outage is seen when it is asked again: soon after 503, later after a time-out', () => {
  const lasts = 190 * MINUTE;
  const unseen = (answers: Trouble): number => (foresee({ ...outage, answers, lasts })[1]?.from ?? 0) - lasts;
  expect(unseen(UNAVAILABLE)).toBeLessThanOrEqual(5 * MINUTE);
  // Asked after 1, 3, 7, 15 and 31 minutes, and then every 30.
  expect(unseen(TIMEOUT)).toBe(21 * MINUTE);
});

test('status 429 is no file where the profile says so, and it is asked again a day later', () => {
  const answers = TOO_MANY;
  expect(told({ ...outage, answers, lasts: 3 * HOUR, profile: RFC9309 })).toEqual([
    [0, 'absent', true],
    [DAY, 'rules', true],
  ]);
  expect(told({ ...outage, answers, lasts: 3 * HOUR })[0]).toEqual([0, 'unreachable', false]);
});

test('a 404 that is seen counts for a day, however soon the file is back', () => {
  expect(told({ ...outage, answers: 'absent', lasts: HOUR })).toEqual([
    [0, 'absent', true],
    [DAY, 'rules', true],
  ]);
});

test('a trouble that is over before the copy runs out is not noticed', () => {
  const before = { kind: 'found', freshFor: 12 * HOUR } as const;
  expect(told({ ...outage, before, lasts: 3 * HOUR })).toEqual([[0, 'rules', true]]);
});

test('times that are none are refused', () => {
  expect(() => foresee({ ...outage, until: -1 })).toThrow(RangeError);
  expect(() => foresee({ ...outage, lasts: Number.NaN })).toThrow(RangeError);
});

/** All pauses without Retry-After are multiples of this, so a walk with this step meets every moment that counts. */
const STEP = 30 * SECOND;

/** What holds at each step, by asking at each whether it is time to ask, and what holds then. */
function walk({ profile, before, answers, lasts, isSiteReachable, until }: Supposition): Spell['use'][] {
  const good = (kind: GoodAnswer['kind'], at: number, freshFor = DAY): OriginHistory =>
    withAnswer({
      ...{ kind, fetchedAt: at, freshUntil: at + freshFor, bytes: new Uint8Array() },
      ...{ status: 200, code: null, reason: null, ...TOLD },
    });
  let history = before === null ? NO_HISTORY : good(before.kind, 0, before.freshFor);
  const seen: Spell['use'][] = [];
  for (let now = 0; now < until; now += STEP) {
    const look = (): ReturnType<typeof ruleOn> =>
      ruleOn(weatherOf(profile), history, { now, isSiteReachable });
    const { askAt, isFresh } = look();
    if (!isFresh && askAt <= now) {
      if (now >= lasts) history = good(before?.kind ?? 'found', now);
      else if (answers === 'absent') history = good('absent', now);
      else
        history = withFailure(history, {
          ...{ at: now, reason: 'so it is', hops: [], timings: { total: 1 }, code: answers.code },
          ...{ status: answers.status, saysNotFound: answers.saysNotFound },
          retryAt: answers.retryAfter === null ? null : now + answers.retryAfter,
        });
    }
    const { use } = look();
    if (use === 'allow-all') seen.push('outage-expired');
    else if (use === 'disallow-all') seen.push('unreachable');
    else seen.push(use === 'answer' && history.answer?.kind === 'found' ? 'rules' : 'absent');
  }
  return seen;
}

// Without a time limit: it walks through millions of minutes, and how long that takes depends on the machine.
test('it says what asking at every step says', { timeout: 0 }, () => {
  const steps = (longest: number): fc.Arbitrary<number> =>
    fc.integer({ min: 0, max: longest / STEP }).map((count) => count * STEP);
  const supposition: fc.Arbitrary<Supposition> = fc.record({
    profile: fc.constantFrom(...PROFILES),
    before: fc.option(fc.record({ kind: fc.constantFrom('found', 'absent'), freshFor: steps(2 * DAY) })),
    answers: fc.constantFrom<Supposition['answers']>(
      ...(['absent', UNAVAILABLE, TOO_MANY, TIMEOUT] as const),
      ...[{ ...UNAVAILABLE, status: 500, saysNotFound: true }],
      ...[{ ...UNAVAILABLE, retryAfter: 2 * MINUTE }],
    ),
    lasts: fc.oneof(steps(DAY), steps(40 * DAY)),
    isSiteReachable: fc.boolean(),
    until: fc.constantFrom(2 * DAY, 3 * DAY, 34 * DAY),
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(supposition, (supposed) => {
      const spells = foresee(supposed);
      expect(spells.at(0)?.from).toBe(0);
      expect(spells.at(-1)?.to).toBe(supposed.until);
      // One assertion for thousands of intervals.
      expect(
        spells.findIndex(({ from, to }, index) => to <= from || from !== (spells[index - 1]?.to ?? 0)),
      ).toBe(-1);
      const uses = walk(supposed);
      // Told with what is wrong, not as thousands of values.
      let current = 0;
      const wrong = uses.findIndex((use, step) => {
        // The intervals are in order, without gaps.
        while ((spells[current]?.to ?? Number.POSITIVE_INFINITY) <= step * STEP) current++;
        return spells[current]?.use !== use;
      });
      expect(wrong).toBe(-1);
      for (const { use, isFresh } of spells) seen.add(`${use} ${isFresh}`);
    }),
    { numRuns: 200, seed: 20_261_121 },
  );
  // What was tried was not trivial: everything that can hold has held.
  expect([...seen].sort()).toEqual([
    'absent false',
    'absent true',
    'outage-expired false',
    'rules false',
    'rules true',
    'unreachable false',
  ]);
});
