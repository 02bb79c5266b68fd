import { expect, test } from 'vitest';
import { getBackoff, getJitter } from '../../src/http/backoff.ts';

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

test('the jitter of an origin is the same in every run, and that of origins and rounds is spread from 0 to 1', () => {
  expect(getJitter('https://a.example', 3)).toBe(getJitter('https://a.example', 3));
  const origins = Array.from({ length: 1_000 }, (_, index) => `https://${index}.example`);
  for (const all of [
    origins.map((each) => getJitter(each)),
    origins.map((_, round) => getJitter('a', round)),
  ])
    for (const tenth of Array(10).keys())
      expect(all.filter((each) => Math.floor(each * 10) === tenth).length).toBeGreaterThan(50);
});
