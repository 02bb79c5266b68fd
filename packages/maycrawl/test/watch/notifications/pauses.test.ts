import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GIVE_UP_AFTER, getNextAttempt } from '../../../src/watch/notifications/delivery/pauses.ts';
import { NOW, RUNS } from './alerts.ts';

const FAILURE = { attempts: 1, firstAttemptAt: NOW, retryAt: null, isFinal: false };

describe('pauses between attempts', () => {
  test('double up to six hours', () => {
    const pauses = Array.from({ length: 12 }, (_, index) => {
      const at = getNextAttempt({ ...FAILURE, attempts: index + 1 }, NOW, 0) ?? 0;
      return (at - NOW) / 1000;
    });
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600]);
  });

  test('are randomly shortened by a fifth at most', () => {
    expect(getNextAttempt(FAILURE, NOW, 0.5)).toBe(NOW + 27_000);
    expect(getNextAttempt(FAILURE, NOW, 0.999_999)).toBeGreaterThanOrEqual(NOW + 24_000);
  });

  test('are as long as the Retry-After of the receiver, if that is longer', () => {
    expect(getNextAttempt({ ...FAILURE, retryAt: NOW + 3_600_000 }, NOW, 0)).toBe(NOW + 3_600_000);
    expect(getNextAttempt({ ...FAILURE, retryAt: NOW + 1000 }, NOW, 0)).toBe(NOW + 30_000);
  });

  test('end after three days, and immediately if a failure is final', () => {
    expect(getNextAttempt({ ...FAILURE, isFinal: true }, NOW, 0)).toBeNull();
    expect(getNextAttempt({ ...FAILURE, attempts: 20 }, NOW + GIVE_UP_AFTER - 3_600_000, 0)).toBeNull();
  });

  test('every sequence of attempts ends, and has no short pause', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        let now = NOW;
        let attempts = 1;
        for (let next = getNextAttempt(FAILURE, now, random); next !== null; attempts += 1) {
          expect(next - now).toBeGreaterThanOrEqual(24_000);
          now = next;
          next = getNextAttempt({ ...FAILURE, attempts: attempts + 1 }, now, random);
        }
        expect(now - NOW).toBeLessThanOrEqual(GIVE_UP_AFTER);
        expect(attempts).toBeGreaterThan(15);
        expect(attempts).toBeLessThan(40);
      }),
      RUNS,
    );
  });
});
