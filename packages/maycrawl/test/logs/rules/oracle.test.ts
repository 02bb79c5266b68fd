import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { Timeline, type Version } from '../../../src/logs/rules/timeline.ts';
import { createRequest, judge } from './log-of.ts';
import { classifyNaively } from './naive-classes.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-01T00:00:00Z');

/** Times in hours, of which many are equal, or a cache period apart. */
const hours = fc.oneof(fc.integer({ min: 0, max: 120 }), fc.constantFrom(0, 24, 48, 72, 96));
const BODIES = [
  'User-agent: *\nDisallow:\n',
  'User-agent: *\nDisallow: /a\n',
  'User-agent: *\nDisallow: /\n',
  'User-agent: GPTBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /\n',
  'User-agent: *\nDisallow: /\nAllow: /a$\n',
];
const versions = fc
  .array(
    fc.record({
      at: fc.oneof(hours, fc.constant(Number.NEGATIVE_INFINITY)),
      body: fc.nat(BODIES.length - 1),
    }),
    {
      maxLength: 6,
    },
  )
  .map((list) => {
    const byTime = new Map(
      list.map(({ at, body }): [number, Version] => [
        at,
        { name: String(at), from: START + at * HOUR, body: Buffer.from(BODIES[body] as string) },
      ]),
    );
    return [...byTime.values()];
  });
const requests = fc
  .array(
    fc.record({
      at: hours,
      second: fc.nat(2),
      target: fc.constantFrom('/robots.txt', '/robots.txt', '/a', '/a/../b', '/b?x', '/%61', '/'),
      status: fc.constantFrom(200, 200, 200, 304, 301, 404, 403, 429, 500, 503, null),
      method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
      crawler: fc.constantFrom('GPTBot', 'bingbot', 'Foo9Bot'),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((list) =>
    list
      .map(({ at, second, ...rest }) => createRequest({ time: START + at * HOUR + second * 1_000, ...rest }))
      .sort((a, b) => a.time - b.time),
  );

describe('Classes of random logs', () => {
  test('equal those of an implementation that looks everything up again', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(versions, requests, fc.nat(60), async (timeline, log, covered) => {
        const logStart = (log[0]?.time ?? 0) - covered * HOUR;
        const summary = await judge(log, new Timeline(timeline), { start: logStart });
        const found = new Map<string, number>();
        for (const { crawler, classes, violations } of summary.crawlers) {
          for (const [name, count] of Object.entries(classes))
            if (name !== 'violation' && count > 0) found.set(`${crawler} ${name}`, count);
          for (const { read } of violations)
            found.set(`${crawler} violation ${read}`, (found.get(`${crawler} violation ${read}`) ?? 0) + 1);
        }
        const expected = new Map<string, number>();
        for (const [index, { crawler }] of log.entries()) {
          const name = classifyNaively(log, index, timeline, logStart);
          seen.add(name);
          expected.set(`${crawler} ${name}`, (expected.get(`${crawler} ${name}`) ?? 0) + 1);
        }
        expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()));
      }),
      { numRuns: getFuzzRuns(500) },
    );
    expect([...seen].sort()).toEqual([
      ...['allowed', 'grace', 'outage', 'robots-txt', 'unknown-version'],
      ...['violation never', 'violation unknown', 'violation yes'],
    ]);
  });
});
