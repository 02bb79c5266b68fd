import { foresee } from '@maycrawl/client/outage-simulation';
import { PROFILES } from '@maycrawl/core';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, inWords, placeOf, ticksUntil } from '../../src/weather/duration.ts';
import { ANSWERS, BEFORES, FIRST, suppositionOf } from '../../src/weather/supposing.ts';

test.each([
  [0, 'no time'],
  [60_000, '1 minute'],
  [90 * 60_000, '1 hour 30 minutes'],
  [12 * HOUR, '12 hours'],
  [DAY, '1 day'],
  [DAY + 3 * HOUR + 60_000, '1 day 3 hours'],
  [30 * DAY + 60_000, '30 days'],
])('%d ms are %s', (milliseconds, words) => {
  expect(inWords(milliseconds)).toBe(words);
});

describe('the scale', () => {
  test('has its marks in order, with room between them', () => {
    for (const until of [HOUR, 33 * HOUR, 46 * DAY, 460 * DAY]) {
      const places = ticksUntil(until).map(({ at }) => at);
      for (const [index, at] of places.entries())
        if (index > 0) expect(at - (places[index - 1] ?? 0)).toBeGreaterThan(0.07);
      expect(placeOf(until, until)).toBe(1);
    }
  });
});

test('everything that can be chosen can be foreseen, to the end', () => {
  for (const answer of ANSWERS.keys())
    for (const before of BEFORES.keys())
      for (const profile of PROFILES) {
        const supposition = { ...suppositionOf({ ...FIRST, answer, before }), profile };
        const spells = foresee(supposition);
        expect(spells[0]?.from).toBe(0);
        expect(spells.at(-1)?.to).toBe(supposition.until);
        // By then the site is well again, and that has been seen.
        expect(spells.at(-1)).toMatchObject({
          use: before.startsWith('no robots') ? 'absent' : 'rules',
          isFresh: true,
        });
      }
});

test('what is written into the field is bounded', () => {
  expect(suppositionOf({ ...FIRST, count: Number.NaN }).lasts).toBe(0);
  expect(suppositionOf({ ...FIRST, count: -3 }).lasts).toBe(0);
  expect(suppositionOf({ ...FIRST, count: 1e300 }).lasts).toBe(400 * DAY);
});
