import { describe, expect, test } from 'vitest';
import {
  DAY,
  getNextAudit,
  isTimeOfDay,
  isTimeZone,
  type Schedule,
} from '../../../src/watch/audits/schedule.ts';

const HOUR = 3_600_000;
const daily = (at: string, timeZone?: string): Schedule => ({
  every: DAY,
  at,
  ...(timeZone && { timeZone }),
});
const weekly: Schedule = { every: 7 * DAY, at: '03:00', timeZone: 'Europe/Berlin' };

/** When an audit is due next, in ISO 8601. */
const CASES: readonly (readonly [
  name: string,
  schedule: Schedule,
  last: string | null,
  now: string,
  next: string,
])[] = [
  ['the first one is due now', { every: HOUR }, null, '2026-11-01T10:00Z', '2026-11-01T10:00:00.000Z'],
  [
    'after the interval',
    { every: HOUR },
    '2026-11-01T10:00Z',
    '2026-11-01T10:20Z',
    '2026-11-01T11:00:00.000Z',
  ],
  [
    'one that took too long',
    { every: HOUR },
    '2026-11-01T10:00Z',
    '2026-11-01T12:20Z',
    '2026-11-01T12:20:00.001Z',
  ],
  ['later today', daily('03:00'), null, '2026-11-01T02:00Z', '2026-11-01T03:00:00.000Z'],
  ['tomorrow', daily('03:00'), null, '2026-11-01T03:00Z', '2026-11-02T03:00:00.000Z'],
  [
    'after one that began late',
    daily('03:00'),
    '2026-11-01T03:07Z',
    '2026-11-01T04:00Z',
    '2026-11-02T03:00:00.000Z',
  ],
  ['in a time zone', daily('03:00', 'Europe/Berlin'), null, '2026-07-01T00:00Z', '2026-07-01T01:00:00.000Z'],
  [
    'in another day there',
    daily('03:00', 'Asia/Tokyo'),
    null,
    '2026-07-01T19:00Z',
    '2026-07-02T18:00:00.000Z',
  ],
  [
    'when summer begins',
    daily('03:00', 'Europe/Berlin'),
    '2026-03-28T02:00Z',
    '2026-03-28T03:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'in the hour that summer skips',
    daily('02:30', 'Europe/Berlin'),
    '2026-03-28T01:30Z',
    '2026-03-28T02:00Z',
    '2026-03-29T01:30:00.000Z',
  ],
  [
    'in the hour that summer skips west of Greenwich',
    daily('02:30', 'America/New_York'),
    '2026-03-07T07:30Z',
    '2026-03-07T08:00Z',
    '2026-03-08T07:30:00.000Z',
  ],
  [
    'at a midnight that summer skips',
    daily('00:00', 'America/Santiago'),
    '2026-09-05T04:00Z',
    '2026-09-05T05:00Z',
    '2026-09-06T04:00:00.000Z',
  ],
  [
    'in the hour that winter repeats',
    daily('01:30', 'America/New_York'),
    '2026-10-31T05:30Z',
    '2026-10-31T06:00Z',
    '2026-11-01T05:30:00.000Z',
  ],
  [
    'after one that began late, on the next day',
    daily('23:55'),
    '2026-11-02T00:05Z',
    '2026-11-02T00:20Z',
    '2026-11-02T23:55:00.000Z',
  ],
  [
    'a week after the day on which one was due that began on the next day',
    { every: 7 * DAY, at: '23:55' },
    '2026-11-03T00:05Z',
    '2026-11-03T00:20Z',
    '2026-11-09T23:55:00.000Z',
  ],
  [
    'when winter begins',
    daily('03:00', 'Europe/Berlin'),
    '2026-10-24T01:00Z',
    '2026-10-24T02:00Z',
    '2026-10-25T02:00:00.000Z',
  ],
  ['every week', weekly, '2026-10-20T01:00Z', '2026-10-20T02:00Z', '2026-10-27T02:00:00.000Z'],
  [
    'after weeks without a monitor',
    weekly,
    '2026-10-20T01:00Z',
    '2026-11-12T12:00Z',
    '2026-11-17T02:00:00.000Z',
  ],
  [
    'after a wrong clock',
    daily('03:00'),
    '1990-01-01T03:00Z',
    '2026-11-12T12:00Z',
    '2026-11-13T03:00:00.000Z',
  ],
];

describe('an audit is due', () => {
  test.each(CASES)('%s', (_name, schedule, last, now, next) => {
    const time = getNextAudit(schedule, last === null ? null : Date.parse(last), Date.parse(now));
    expect(new Date(time).toISOString()).toBe(next);
  });

  test.each([daily('03:00', 'Europe/Berlin'), weekly])('at its time of day for two years', (schedule) => {
    const local = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      hour: '2-digit',
      minute: '2-digit',
    });
    let last = Date.UTC(2026, 0, 1, 2);
    for (let count = 0; count < (2 * 365 * DAY) / schedule.every; count++) {
      const next = getNextAudit(schedule, last, last + HOUR);
      expect(local.format(next)).toBe('03:00');
      expect(Math.abs(next - last - schedule.every)).toBeLessThanOrEqual(HOUR);
      last = next;
    }
  });
});

test('times of day and time zones', () => {
  expect(['00:00', '23:59', '03:00'].filter(isTimeOfDay)).toHaveLength(3);
  expect(['24:00', '3:00', '03:60', '0300', '03:00\n', ''].filter(isTimeOfDay)).toEqual([]);
  expect(['UTC', 'Europe/Berlin', 'America/New_York'].filter(isTimeZone)).toHaveLength(3);
  expect(['Europe/Nowhere', '', 'Berlin/'].filter(isTimeZone)).toEqual([]);
});
