import { expect, test } from 'vitest';
import { formatDuration, formatSpan } from '../../src/text/durations.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

test.each([
  [0, 'no time'],
  [250, '250 ms'],
  [SECOND, '1 second'],
  [59_600, '1 minute'],
  [MINUTE, '1 minute'],
  [2 * MINUTE + 5 * SECOND, '2 minutes 5 seconds'],
  [90 * MINUTE, '1 hour 30 minutes'],
  [12 * HOUR, '12 hours'],
  [24 * HOUR - SECOND, '1 day'],
  [DAY, '1 day'],
  [DAY + 3 * HOUR + MINUTE, '1 day 3 hours'],
  [7 * DAY - MINUTE, '7 days'],
  [30 * DAY + MINUTE, '30 days'],
  [780 * HOUR, '33 days'],
  [4_000 * DAY, '4,000 days'],
])('formatDuration(%d) is %s', (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words));

test.each([
  [0, '0 minutes'],
  [59 * SECOND, '0 minutes'],
  [119 * SECOND, '1 minute'],
  [2 * HOUR - 1, '1 hour'],
  [780 * HOUR, '32 days'],
])('formatSpan(%d) is %s: no more than the time that has passed', (milliseconds, words) =>
  expect(formatSpan(milliseconds)).toBe(words),
);
