import { expect, test } from 'vitest';
import { RequestPace } from '../../src/pace/request-pace.ts';

const FAILED = { milliseconds: 10, isFailure: true, retryAfter: null };

test.each([0, 200])(
  'failures in a row have growing pauses, also of requests that are %i ms apart',
  (spacing) => {
    const pace = new RequestPace({ concurrency: 1, spacing });
    let now = 1_000;
    for (const pause of [500, 1_000, 2_000]) {
      pace.start(now);
      now += 10;
      pace.end(now, FAILED);
      expect(pace.wait(now)).toBe(pause);
      now += pause;
    }
  },
);

test('requests that ran together and fail have one pause', () => {
  const pace = new RequestPace({ concurrency: 3, spacing: 0 });
  for (let request = 0; request < 3; request++) pace.start(0);
  for (const now of [10, 20, 30]) pace.end(now, FAILED);
  expect(pace.wait(30)).toBe(480);
});
