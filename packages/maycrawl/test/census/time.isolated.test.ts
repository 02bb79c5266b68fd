import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseTime } from '../../src/census/time.ts';

const zone = process.env['TZ'];
beforeAll(() => {
  // A local time would differ by nine hours.
  process.env['TZ'] = 'Asia/Tokyo';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('the zone of the machine is another one', () => {
  expect(new Date(2026, 0, 2).getTime()).not.toBe(Date.UTC(2026, 0, 2));
});

test.each([
  ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['2026-01-02t03:04:05z', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['2026-01-02T03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['2026-01-02 03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['2026-01-02 03:04:05.678901+00', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
  ['2026-01-02T03:04+0130', Date.UTC(2026, 0, 2, 1, 34)],
  ['2026-01-02T03:04:05.5-05:00', Date.UTC(2026, 0, 2, 8, 4, 5, 500)],
  ['2026-01-02', Date.UTC(2026, 0, 2)],
  ['2026-01', Date.UTC(2026, 0)],
  ['2026', Date.UTC(2026, 0)],
])('%s', (text, time) => {
  expect(parseTime(text)).toBe(time);
});

test.each([
  '',
  'Dec 1, 2023',
  '2026-13-01',
  '2026-01-02T25:00Z',
  '2026-01-02T03:04:05 JST',
  '20260102030405',
  '1767322800000',
])('not a time: %s', (text) => {
  expect(parseTime(text)).toBeUndefined();
});
