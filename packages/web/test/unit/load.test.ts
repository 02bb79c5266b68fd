import { expect, test } from 'vitest';
import { parseSite } from '../../src/shared/service.ts';
import { visible } from '../../src/shared/visible.ts';
import { readOriginReport } from '../../src/tester/load/origin-report.ts';

test('a response is read as documented', () => {
  const answer = readOriginReport({
    ...{ origin: 'https://example.com', url: 'https://example.com/robots.txt' },
    ...{ policy: { kind: 'rules' }, result: 'successful', status: 200, code: null, message: null },
    hops: [{ url: 'https://example.com/robots.txt', status: 200 }],
    headers: { cacheControl: 'max-age=3600', expires: null, etag: null },
    timings: { total: 12.5 },
    ...{ fetchedAt: '2026-11-21T10:00:00.000Z', expiresAt: '2026-11-21T11:00:00.000Z', outage: null },
    ...{ bytes: 23, content: 'VXNlci1hZ2VudDogKgo=' },
    events: [
      { at: '2026-11-21T10:00:00.000Z', kind: 'successful', status: 200, code: null, hash: '', bytes: 23 },
    ],
  });
  expect(answer).toMatchObject({
    policy: { kind: 'rules' },
    headers: [['cache-control', 'max-age=3600']],
    hops: [{ url: 'https://example.com/robots.txt', status: 200, location: null }],
    outage: null,
    took: 12.5,
    events: [{ at: '2026-11-21T10:00:00.000Z', result: 'successful, status 200' }],
  });
  expect(new TextDecoder().decode(answer?.content ?? undefined)).toBe('User-agent: *\n');
});

test.each([[null], [7], [[]], [{}], [{ origin: 7, policy: {} }], [{ origin: 'o', use: 'rules' }]])(
  '%j is no answer',
  (json) => {
    expect(readOriginReport(json)).toBeNull();
  },
);

test('invalid parts of a response count as missing', () => {
  const odd = {
    origin: 'o',
    policy: { kind: 'allow-all', reason: 'x' },
    hops: [7, null, { url: {} }],
    headers: 'x',
    content: '%',
    events: {},
    outage: {},
  };
  expect(readOriginReport(odd)).toMatchObject({
    hops: [{ url: '', status: null, location: null }],
    ...{ headers: [], content: null, events: [], outage: { since: null, nextPhaseAt: null } },
    // What is not a policy is unknown, never one that allows.
    policy: { kind: 'unknown' },
  });
});

test.each([
  ['example.com', 'https://example.com'],
  [' http://example.com:8080/a/b?c ', 'http://example.com:8080'],
  ['ftp://example.com', 'ftp://example.com'],
  ['javascript:alert(1)', null],
  ['javascript://example.com', null],
  ['', null],
  ['a b', null],
])('by %j the site %j is meant', (written, site) => {
  expect(parseSite(written)).toBe(site);
});

test('characters that hide or reorder text are escaped', () => {
  expect(visible('a\u202eb\u0000\x1b[31m\ufeff\u2028')).toBe('a\\u{202e}b\\x00\\x1b[31m\\u{feff}\\u{2028}');
  expect(visible('x'.repeat(1000), 10)).toBe('xxxxxxxxxx… (1,000 characters)');
});
