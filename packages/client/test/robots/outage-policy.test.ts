import {
  GOOGLE,
  GOOGLE_2013,
  GOOGLE_2022,
  getPolicyCode,
  type PolicyCode,
  type Profile,
  RFC9309,
} from '@maycrawl/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/http/retry-after.ts';
import { getFreshnessLifetime } from '../../src/robots/freshness.ts';
import {
  type Failure,
  NO_HISTORY,
  type OriginHistory,
  withFailure,
  withResponse,
} from '../../src/robots/history.ts';
import { type EffectivePolicy, getEffectivePolicy } from '../../src/robots/outage/outage-policy.ts';
import { getCountedOutageStart, getNextPhaseStart } from '../../src/robots/outage/outage-simulation.ts';
import { createFailure, createResponse } from '../support/histories.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 21, 12);

const found = createResponse(NOON - 3 * DAY, { staleAt: NOON - 2 * DAY });
const failure = (at: number, more: Partial<Failure> = {}): Failure =>
  createFailure(at, { status: 500, message: 'status 500', ...more });

/** The table of outages: an age, whether there is a last response, whether the site is otherwise reachable; the policy. */
const CLOSED = 'unreachable';
const OPEN = 'outage-expired';
const OUTAGES: readonly [Profile, readonly [number, 'response' | 'none', boolean, PolicyCode][]][] = [
  [
    GOOGLE,
    [
      [0, 'response', false, CLOSED],
      [0, 'none', true, CLOSED],
      [12 * HOUR - 1, 'response', true, CLOSED],
      [12 * HOUR, 'response', false, 'rules'],
      [12 * HOUR, 'none', false, OPEN],
      [30 * DAY - 1, 'response', true, 'rules'],
      [30 * DAY - 1, 'none', false, OPEN],
      [30 * DAY, 'response', true, OPEN],
      [30 * DAY, 'response', false, CLOSED],
      [30 * DAY, 'none', true, OPEN],
      [400 * DAY, 'none', false, CLOSED],
    ],
  ],
  ...[GOOGLE_2022, RFC9309].map((profile): (typeof OUTAGES)[number] => [
    profile,
    [
      [0, 'response', true, CLOSED],
      [12 * HOUR, 'response', true, CLOSED],
      [30 * DAY - 1, 'none', true, CLOSED],
      [30 * DAY, 'response', false, 'rules'],
      [30 * DAY, 'none', false, OPEN],
      [400 * DAY, 'response', true, 'rules'],
    ],
  ]),
  [
    GOOGLE_2013,
    [
      [0, 'response', true, CLOSED],
      [12 * HOUR, 'response', true, CLOSED],
      [30 * DAY, 'response', true, CLOSED],
      [400 * DAY, 'none', true, CLOSED],
    ],
  ],
];

describe.each(OUTAGES)('the outage policy of $name', (profile, rows) => {
  test.each(rows)('after %d ms, last response: %s, reachable: %s: %s', (age, last, isSiteReachable, code) => {
    const before: OriginHistory = last === 'response' ? withResponse(found) : NO_HISTORY;
    const history = withFailure(before, failure(NOON));
    const { policy, isFresh } = getEffectivePolicy(profile, history, { now: NOON + age, isSiteReachable });
    expect(getPolicyCode(policy)).toBe(code);
    expect(isFresh).toBe(false);
  });
});

test.each(['private-address', 'blocked-port'] as const)('no phase follows the refusal %s', (code) => {
  const history = withFailure(withResponse(found), failure(NOON, { code, status: null }));
  for (const now of [NOON, NOON + 13 * HOUR, NOON + 31 * DAY]) {
    const { policy } = getEffectivePolicy(GOOGLE, history, { now, isSiteReachable: true });
    expect(getPolicyCode(policy)).toBe('unreachable');
    expect(getNextPhaseStart(GOOGLE, history, now)).toBe(Infinity);
  }
});

describe('without an outage', () => {
  const policyAt = (history: OriginHistory, now: number): EffectivePolicy =>
    getEffectivePolicy(GOOGLE, history, { now });

  test('without a history the policy is unknown, and a fetch is due', () => {
    expect(policyAt(NO_HISTORY, NOON)).toMatchObject({
      policy: { kind: 'unknown' },
      refreshAt: NOON,
      isFresh: false,
    });
  });

  test('a response applies while it is fresh, and then until it is revalidated', () => {
    const history = withResponse({ ...found, staleAt: NOON });
    expect(policyAt(history, NOON - 1)).toMatchObject({
      policy: { kind: 'rules' },
      refreshAt: NOON,
      isFresh: true,
    });
    expect(policyAt(history, NOON)).toMatchObject({
      policy: { kind: 'rules' },
      refreshAt: NOON,
      isFresh: false,
    });
  });

  test('a fresh response applies also after a failed early fetch', () => {
    const history = withFailure(withResponse({ ...found, staleAt: NOON + HOUR }), failure(NOON - HOUR));
    expect(policyAt(history, NOON)).toMatchObject({ policy: { kind: 'rules' }, isFresh: true });
  });

  test('a response ends an outage; the next one has a new beginning', () => {
    const over = withResponse({ ...found, fetchedAt: NOON, staleAt: NOON + 1 });
    const again = withFailure(over, failure(NOON + DAY));
    expect(again.outage).toMatchObject({ since: NOON + DAY, failures: 1 });
    expect(policyAt(again, NOON + DAY)).toMatchObject({ policy: { kind: 'disallow-all' } });
  });
});

describe('the next fetch in an outage', () => {
  const pauses = (more: Partial<Failure>, count: number, jitter = 0): number[] => {
    let history = NO_HISTORY;
    let now = NOON;
    return Array.from({ length: count }, () => {
      history = withFailure(history, failure(now, more));
      const { refreshAt } = getEffectivePolicy(GOOGLE, history, { now, jitter });
      const pause = refreshAt - now;
      now = refreshAt;
      return pause;
    });
  };

  test('pauses grow, up to half an hour', () => {
    expect(pauses({}, 8).map((pause) => pause / MINUTE)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect(pauses({ status: null, code: 'network' }, 2)).toEqual([MINUTE, 2 * MINUTE]);
  });

  test('pauses are shorter after a 503', () => {
    expect(pauses({ status: 503 }, 6).map((pause) => pause / SECOND)).toEqual([30, 60, 120, 240, 300, 300]);
  });

  test.each([
    ['2 minutes', 2 * MINUTE, 2 * MINUTE],
    ['0 seconds', 0, 10 * SECOND],
    ['in the past', -DAY, 10 * SECOND],
    ['a week', 7 * DAY, HOUR],
  ])('Retry-After applies within limits: %s', (_name, after, pause) => {
    expect(pauses({ status: 503, retryAt: NOON + after }, 1)).toEqual([pause]);
    expect(pauses({ status: 429, retryAt: NOON + after }, 1)).toEqual([pause]);
  });

  test('jitter shortens pauses, and lengthens those of Retry-After', () => {
    expect(pauses({}, 2, 1)).toEqual([48 * SECOND, 96 * SECOND]);
    expect(pauses({ retryAt: NOON + MINUTE }, 1, 1)).toEqual([72 * SECOND]);
  });

  test('a clock that is behind shortens no pause, and no outage begins in its future', () => {
    const history = withFailure(withFailure(NO_HISTORY, failure(NOON)), failure(NOON - MINUTE));
    expect(history.outage).toMatchObject({ since: NOON - MINUTE, lastAt: NOON, failures: 2 });
  });

  test('every history has a policy, and pauses of at least eight seconds', () => {
    const event = fc.record({
      after: fc.integer({ min: 0, max: 40 * DAY }),
      good: fc.boolean(),
      status: fc.constantFrom(null, 429, 500, 503),
      retry: fc.option(fc.integer({ min: -DAY, max: 60 * DAY }), { nil: null }),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 30 }),
        fc.constantFrom(GOOGLE, GOOGLE_2022, GOOGLE_2013, RFC9309),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (events, profile, jitter) => {
          let history = NO_HISTORY;
          let now = NOON;
          for (const { after, good, status, retry } of events) {
            now += after;
            history = good
              ? withResponse({ ...found, fetchedAt: now, staleAt: now + DAY })
              : withFailure(history, failure(now, { status, retryAt: retry === null ? null : now + retry }));
            const { policy, refreshAt, isFresh, needsSiteCheck } = getEffectivePolicy(profile, history, {
              now,
              jitter,
            });
            const code = getPolicyCode(policy);
            expect(code === 'unknown').toBe(needsSiteCheck);
            if (!good && !isFresh) {
              expect(refreshAt - now).toBeGreaterThanOrEqual(8 * SECOND);
              expect(refreshAt - now).toBeLessThanOrEqual(code === 'unavailable' ? DAY : HOUR);
            }
          }
        },
      ),
      { numRuns: 125 },
    );
  });
});

describe('failures that profiles interpret differently', () => {
  const after429 = withFailure({ response: found, outage: null }, failure(NOON, { status: 429 }));
  const afterNotFound = withFailure({ response: found, outage: null }, failure(NOON, { saysNotFound: true }));

  test.each([
    [GOOGLE, 'unreachable', 'unreachable'],
    [GOOGLE_2022, 'unreachable', 'unavailable'],
    [GOOGLE_2013, 'unavailable', 'unavailable'],
    [RFC9309, 'unavailable', 'unreachable'],
  ])('$name', (profile, tooMany, notFound) => {
    const codeAfter = (history: typeof after429): PolicyCode =>
      getPolicyCode(getEffectivePolicy(profile, history, { now: NOON + 1 }).policy);
    expect(codeAfter(after429)).toBe(tooMany);
    expect(codeAfter(afterNotFound)).toBe(notFound);
  });

  test('an unavailable file is fetched again after a day', () => {
    const effective = getEffectivePolicy(RFC9309, after429, { now: NOON + HOUR });
    expect(effective).toMatchObject({
      policy: { kind: 'allow-all', reason: 'unavailable' },
      refreshAt: NOON + DAY,
      isFresh: true,
    });
    expect(getEffectivePolicy(RFC9309, after429, { now: NOON + DAY }).isFresh).toBe(false);
  });
});

describe('the outage of a profile begins after the last failure that the profile does not count', () => {
  const TOO_MANY = { status: 429 };
  const NOT_FOUND = { saysNotFound: true };
  const REFUSAL = { code: 'private-address', status: null } as const;
  /** A failure each day: those of the list, then `last`. */
  const failDaily = (days: number, each: Partial<Failure>, ...last: Partial<Failure>[]): OriginHistory => {
    const failures = [...Array.from({ length: days }, () => each), ...last];
    return failures.reduce<OriginHistory>(
      (history, more, day) => withFailure(history, failure(NOON + day * DAY, more)),
      NO_HISTORY,
    );
  };
  const codeAt = (profile: Profile, history: OriginHistory, now: number): PolicyCode =>
    getPolicyCode(getEffectivePolicy(profile, history, { now, isSiteReachable: true }).policy);

  test.each([
    ['429', RFC9309, TOO_MANY],
    ['429', { ...GOOGLE, status429: 'unavailable' } as Profile, TOO_MANY],
    ['a 5xx that says not found', GOOGLE_2022, NOT_FOUND],
    ['a refusal of the client', GOOGLE, REFUSAL],
    ['a refusal of the client', RFC9309, REFUSAL],
  ])('31 days of %s under $name, then a 503', (_what, profile, uncounted) => {
    const start = NOON + 31 * DAY;
    const history = failDaily(31, uncounted, { status: 503 });
    expect(codeAt(profile, history, start + SECOND)).toBe('unreachable');
    const [, next] = profile.outage.phases;
    expect(getNextPhaseStart(profile, history, start + SECOND)).toBe(start + (next?.from ?? 0));
    expect(codeAt(profile, history, start + 30 * DAY)).toBe('outage-expired');
    // Errors do not change the beginning.
    const later = withFailure(history, failure(start + HOUR));
    expect(getNextPhaseStart(profile, later, start + HOUR)).toBe(start + (next?.from ?? 0));
    // A further one does.
    const again = withFailure(
      withFailure(history, failure(start + 29 * DAY, uncounted)),
      failure(start + 30 * DAY),
    );
    expect(codeAt(profile, again, start + 30 * DAY)).toBe('unreachable');
  });

  test('the other profiles count these failures', () => {
    const start = NOON + 31 * DAY;
    expect(codeAt(GOOGLE_2022, failDaily(31, TOO_MANY, { status: 503 }), start)).toBe('outage-expired');
    expect(codeAt(RFC9309, failDaily(31, NOT_FOUND, { status: 503 }), start)).toBe('outage-expired');
    expect(failDaily(31, TOO_MANY, { status: 503 }).outage).toMatchObject({ since: NOON, failures: 32 });
  });

  test('the outage began after the last failure that the profile does not count', () => {
    const now = NOON + 31 * DAY;
    const history = failDaily(31, TOO_MANY, { status: 503 });
    expect(getCountedOutageStart(RFC9309, history, now)).toBeGreaterThan(NOON);
    expect(getCountedOutageStart(GOOGLE, history, now)).toBe(NOON);
    // The profile does not count the last failure either.
    expect(getCountedOutageStart(RFC9309, failDaily(31, TOO_MANY), now)).toBe(NOON);
    expect(getCountedOutageStart(GOOGLE, NO_HISTORY, now)).toBe(null);
  });

  test('a beginning in the future, of a wrong clock, is replaced by the next failure', () => {
    const history = [NOON + 365 * DAY, NOON + 366 * DAY].reduce(
      (before, at) => withFailure(before, failure(at, TOO_MANY)),
      NO_HISTORY,
    );
    expect(codeAt(RFC9309, history, NOON)).toBe('unreachable');
    const next = withFailure(history, failure(NOON));
    expect(codeAt(RFC9309, next, NOON + 30 * DAY)).toBe('outage-expired');
  });
});

describe('a clock that was wrong', () => {
  test('a response from the future is not fresh', () => {
    const response = { ...found, fetchedAt: NOON + 365 * DAY, staleAt: NOON + 366 * DAY };
    expect(getEffectivePolicy(GOOGLE, { response, outage: null }, { now: NOON })).toMatchObject({
      ...{ policy: { kind: 'rules' }, refreshAt: NOON, isFresh: false },
    });
  });

  test('an outage with times in the future does not prevent a fetch', () => {
    const history = withFailure(NO_HISTORY, failure(NOON + 365 * DAY));
    expect(getEffectivePolicy(GOOGLE, history, { now: NOON })).toMatchObject({
      policy: { kind: 'disallow-all' },
      refreshAt: NOON,
    });
    expect(withFailure(history, failure(NOON)).outage).toMatchObject({
      since: NOON,
      lastAt: NOON,
      failures: 2,
    });
  });
});

describe('an outage that began under a wrong clock is not long', () => {
  const at1970 = withFailure(NO_HISTORY, failure(5_000));
  const closed = { policy: { kind: 'disallow-all', reason: 'unreachable' } };
  const policyAt = (history: OriginHistory, now: number): EffectivePolicy =>
    getEffectivePolicy(GOOGLE, history, { now, isSiteReachable: true });

  test('the first failure was in 1970', () => {
    expect(policyAt(at1970, NOON)).toMatchObject(closed);
    const next = withFailure(at1970, failure(NOON));
    expect(next.outage).toMatchObject({ since: NOON, lastAt: NOON, failures: 2 });
    expect(policyAt(next, NOON + 12 * HOUR - 1)).toMatchObject(closed);
    expect(policyAt(next, NOON + 12 * HOUR)).toMatchObject({ policy: { reason: 'outage-expired' } });
  });

  test('a stored row has such a beginning', () => {
    const { outage } = withFailure(NO_HISTORY, failure(NOON));
    if (outage === null) throw new Error('no outage');
    const stored = { response: null, outage: { ...outage, since: 5_000 } };
    expect(policyAt(stored, NOON + HOUR)).toMatchObject(closed);
    expect(withFailure(stored, failure(NOON + HOUR)).outage).toMatchObject({ since: NOON + HOUR });
  });

  test('it began before the last response', () => {
    const response = { ...found, fetchedAt: NOON - DAY, staleAt: NOON - HOUR };
    const stored = withFailure({ response, outage: null }, failure(NOON - 40 * DAY));
    expect(stored.outage).toMatchObject({ since: NOON - 40 * DAY });
    expect(policyAt(stored, NOON)).toMatchObject(closed);
    expect(withFailure(stored, failure(NOON)).outage).toMatchObject({ since: NOON });
  });

  test('an outage of more than a year under a correct clock keeps its beginning', () => {
    const long = withFailure(withFailure(NO_HISTORY, failure(NOON - 400 * DAY)), failure(NOON));
    expect(long.outage).toMatchObject({ since: NOON - 400 * DAY });
    expect(policyAt(long, NOON)).toMatchObject({ policy: { reason: 'outage-expired' } });
  });
});

describe('freshness lifetime', () => {
  const none = { cacheControl: null, expires: null, date: null, age: null };
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
  test.each([
    ['no header', none, DAY],
    ['max-age', { ...none, cacheControl: 'public, max-age=7200' }, 2 * HOUR],
    ['max-age in quotes, in capitals', { ...none, cacheControl: 'Max-Age="7200"' }, 2 * HOUR],
    ['max-age minus Age', { ...none, cacheControl: 'max-age=7200', age: '3600' }, HOUR],
    ['at least a minute', { ...none, cacheControl: 'max-age=1' }, MINUTE],
    ['a negative max-age', { ...none, cacheControl: 'max-age=-1' }, MINUTE],
    ['at most a week', { ...none, cacheControl: 'max-age=31536000' }, 7 * DAY],
    ['no-store', { ...none, cacheControl: 'max-age=7200, no-store' }, MINUTE],
    ['no-cache', { ...none, cacheControl: 'no-cache="x"' }, MINUTE],
    ['max-age before Expires', { ...none, cacheControl: 'max-age=7200', expires: date, date }, 2 * HOUR],
    ['Expires', { ...none, expires: 'Sat, 21 Nov 2026 15:00:00 GMT', date }, 3 * HOUR],
    [
      'Expires minus Age, by the clock of the server',
      { ...none, expires: 'Sat, 21 Nov 2026 15:00:00 GMT', date, age: '3600' },
      2 * HOUR,
    ],
    [
      'Expires without the clock it goes by: Age is part of the time of receipt',
      { ...none, expires: 'Sat, 21 Nov 2026 15:00:00 GMT', age: '3600' },
      3 * HOUR,
    ],
    ['Expires in the past', { ...none, expires: 'Sat, 21 Nov 2020 15:00:00 GMT', date }, MINUTE],
    ['Expires: 0', { ...none, expires: '0', date }, MINUTE],
    ['Expires: -1', { ...none, expires: '-1', date }, MINUTE],
    [
      'Expires without the clock it goes by: the time of receipt',
      { ...none, expires: 'Sat, 21 Nov 2026 15:00:00 GMT' },
      3 * HOUR,
    ],
    ['Expires, a number that Date.parse accepts as a year', { ...none, expires: '86400', date }, MINUTE],
    [
      'Expires in the form of C',
      { ...none, expires: 'Sat Nov 21 15:00:00 2026', date: 'Sat Nov 21 12:00:00 2026' },
      3 * HOUR,
    ],
    [
      'Expires in the form of RFC 850',
      { ...none, expires: 'Saturday, 21-Nov-26 15:00:00 GMT', date },
      3 * HOUR,
    ],
    [
      'Expires in RFC 850, of a century ago',
      { ...none, expires: 'Saturday, 21-Nov-94 15:00:00 GMT', date },
      MINUTE,
    ],
    [
      'Expires in RFC 850, of a year in fifty years',
      { ...none, expires: 'Saturday, 21-Nov-76 12:00:00 GMT', date },
      7 * DAY,
    ],
    [
      'Expires in RFC 850, of a year that cannot be more than fifty years away',
      { ...none, expires: 'Saturday, 21-Nov-77 12:00:00 GMT', date },
      MINUTE,
    ],
    [
      'Expires by a clock that is an hour ahead',
      { ...none, expires: 'Sat, 21 Nov 2026 15:00:00 GMT', date: 'Sat, 21 Nov 2026 13:00:00 GMT' },
      2 * HOUR,
    ],
    [
      'Expires by a clock that is a day behind',
      { ...none, expires: 'Fri, 20 Nov 2026 15:00:00 GMT', date: 'Fri, 20 Nov 2026 12:00:00 GMT' },
      3 * HOUR,
    ],
    ['Expires with an invalid month', { ...none, expires: 'Sat, 21 Nxv 2026 15:00:00 GMT', date }, MINUTE],
    ['max-age beyond all numbers', { ...none, cacheControl: `max-age=${'9'.repeat(400)}` }, 7 * DAY],
    ['invalid directives', { ...none, cacheControl: 'max-age=soon, s-maxage=9' }, DAY],
  ])('%s', (_name, headers, expected) => {
    expect(getFreshnessLifetime(headers, NOON)).toBe(expected);
  });
});

test.each([
  [null, null],
  ['120', NOON + 2 * MINUTE],
  [' 0 ', NOON],
  ['Sat, 21 Nov 2026 13:00:00 GMT', NOON + HOUR],
  ['soon', null],
  ['120.5', null],
  ['2027', NOON + 2027 * SECOND],
  ['Sat Nov 21 13:00:00 2026', NOON + HOUR],
  ['', null],
  ['9'.repeat(400), 8.64e15],
])('Retry-After: %j', (header, expected) => {
  expect(parseRetryAfter(header, NOON)).toBe(expected);
});

test('an unknown effect of an outage disallows, also if the site is reachable', () => {
  const profile = {
    status429: 'unreachable',
    outage: { phases: [{ from: 0, effect: 'disalow' }] },
  } as unknown as Profile;
  const history = withFailure(NO_HISTORY, failure(NOON));
  const { policy } = getEffectivePolicy(profile, history, { now: NOON + DAY, isSiteReachable: true });
  expect(getPolicyCode(policy)).toBe('unreachable');
});
