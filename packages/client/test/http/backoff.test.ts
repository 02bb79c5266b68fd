import { expect, test } from 'vitest';
import { getBackoff } from '../../src/http/backoff.ts';

const PAUSES = { first: 100, longest: 1_000, jitter: 0.2 };

test.each([
  [1, 0, 100],
  [2, 0, 200],
  [4, 0, 800],
  [5, 0, 1_000],
  [10_000, 0, 1_000],
  [1, 1, 80],
  [5, 0.5, 900],
])('after %i failures, with %d of the jitter: %i ms', (failures, random, pause) => {
  expect(getBackoff(PAUSES, failures, random)).toBe(pause);
});
