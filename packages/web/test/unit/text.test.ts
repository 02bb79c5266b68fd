import type { ReportHead, RobotsReport } from 'maycrawl/api';
import { describe, expect, test } from 'vitest';
import {
  describeDecision,
  describeDepth,
  describeLinkCount,
  describeResponse,
  describeScope,
  formatLinkTypes,
} from '../../src/report/text.ts';
import {
  formatCount,
  formatMilliseconds,
  formatOmitted,
  formatShare,
  listHeaders,
} from '../../src/shared/text.ts';
import { describePolicy, formatMomentText, formatSummary } from '../../src/tester/load/text.ts';
import {
  describeAllowed,
  describeResult,
  describeSettings,
  formatTitle,
  summariseSites,
} from '../../src/watch/text.ts';

test('counts have a singular, a plural and thousands separators', () => {
  expect(formatCount(1, 'URL')).toBe('1 URL');
  expect(formatCount(1234, 'URL')).toBe('1,234 URLs');
  expect(formatCount(2, 'try', 'tries')).toBe('2 tries');
  expect(formatOmitted(1, 'change')).toBe('1 more change is not listed.');
  expect(formatOmitted(2000, 'matching rule')).toBe('2,000 more matching rules are not listed.');
  expect(formatMilliseconds(1234.5)).toBe('1,235 ms');
  expect(listHeaders({ lastModified: 'x', etag: null })).toEqual([['last-modified', 'x']]);
  expect(listHeaders(null)).toEqual([]);
});

describe('a robots.txt that was loaded', () => {
  const report = {
    ...{ origin: 'https://a.example', result: 'successful', status: 200, message: null },
    ...{ policy: { kind: 'rules' }, expiresAt: null, outage: null },
  } as unknown as RobotsReport;
  const time = '2026-11-21T10:00:00.000Z';

  test('has a summary with the message, else the status', () => {
    expect(formatSummary(report)).toBe('https://a.example: successful, status 200');
    expect(formatSummary({ ...report, message: 'too many redirects' })).toBe(
      'https://a.example: successful, too many redirects',
    );
    expect(formatSummary({ ...report, status: null })).toBe('https://a.example: successful');
  });

  test('has a sentence for its policy, with the next fetch and the beginning of an outage', () => {
    const moment = formatMomentText(time);
    expect(describePolicy(report)).toBe('The rules of the robots.txt apply.');
    expect(describePolicy({ ...report, expiresAt: time })).toBe(
      `The rules of the robots.txt apply. The next fetch is due at ${moment}.`,
    );
    const outage = { since: time, nextPhaseAt: null } as NonNullable<RobotsReport['outage']>;
    expect(
      describePolicy({
        ...report,
        outage,
        policy: { kind: 'disallow-all', reason: 'unreachable' },
        message: 'timeout',
      }),
    ).toBe(`robots.txt is unreachable since ${moment} (timeout). All URLs are disallowed.`);
    expect(formatMomentText('not a time')).toBe('not a time');
  });
});

describe('the monitor', () => {
  test.each([
    ['successful', 1, 200, null, 'a file of 1 byte'],
    ['successful', null, 200, null, 'a file'],
    ['unavailable', null, 404, null, 'no file (status 404)'],
    ['unreachable', null, null, 'timeout', 'unreachable (timeout)'],
    ['unreachable', null, null, null, 'unreachable'],
  ] as const)('%s, %s bytes, status %s, message %s is described', (kind, bytes, status, message, text) => {
    expect(describeResult({ kind, bytes, status, message })).toBe(text);
  });

  test('summarises sites, and mentions notifications only if there are any', () => {
    const counts = { total: 1, due: 0, waiting: 0, dropped: 0, sites: [], next: null };
    expect(summariseSites(counts)).toBe('1 site watched, 0 checks due');
    expect(summariseSites({ ...counts, total: 2000, due: 1, waiting: 1, dropped: 2 })).toBe(
      '2,000 sites watched, 1 check due, 1 notification waiting, 2 notifications given up',
    );
  });

  test('describes settings, with aspects in words', () => {
    const settings = {
      ...{ every: 900_000, confirm: 120_000, agents: [], urls: null, tests: null },
      notify: (['info', 'error'] as const).map((from) => ({ shown: 'log', from })),
      severity: { 'root-blocked': 'error' } as const,
    };
    const described = describeSettings(settings);
    expect(described).toContainEqual(['Check interval', '15 minutes']);
    expect(described).toContainEqual(['Crawlers', 'all']);
    expect(described).toContainEqual(['Notifications', 'log, log (errors only)']);
    expect(described.at(-1)).toEqual(['Severity: the start page is newly blocked', 'error']);
  });

  test('omits the origin at the beginning of a title, and shows hostile characters', () => {
    const origin = 'https://a.example';
    expect(formatTitle({ origin, title: `${origin}: newly blocked: /\u202e` })).toBe(
      'newly blocked: /\\u{202e}',
    );
    expect(formatTitle({ origin, title: 'other' })).toBe('other');
    expect(describeAllowed(1200, 2000)).toBe('may fetch 1,200 of 2,000 URLs now');
  });
});

describe('the report', () => {
  const settings = {
    ...{ scope: 'host', maxPages: null, maxDepth: null, include: [], exclude: [] },
  } as unknown as ReportHead['settings'];

  test('describes the scope of a run', () => {
    expect(describeScope(settings)).toBe('host');
    const limited = { ...settings, maxPages: 1000, maxDepth: 1, include: ['/a', '/b'], exclude: ['/c'] };
    expect(describeScope(limited)).toBe(
      'host, at most 1,000 pages, at most 1 link deep, include /a /b, exclude /c',
    );
  });

  test('describes links, depth and responses', () => {
    expect(formatLinkTypes(1 + 16 + 64)).toBe('link, canonical, next/prev');
    expect(describeLinkCount(1, 1)).toBe('linked from one page');
    expect(describeLinkCount(12, 3)).toBe('linked from 12 pages, such as');
    expect([describeDepth(-1), describeDepth(0), describeDepth(1)]).toEqual([
      'not linked from a start',
      '0 links',
      '1 link',
    ]);
    expect(describeResponse(null, null, 5)).toBe('no media type, 5 ms');
    expect(describeResponse('text/html', 1, 1234)).toBe('text/html, 1 byte, 1,234 ms');
    expect([formatShare(1, 0), formatShare(1, 200), formatShare(1, 2)]).toEqual(['', '0.5 %', '50 %']);
    expect([formatShare(0, 9), formatShare(1, 99_999), formatShare(1, 8, 1)]).toEqual([
      '0.0 %',
      'under 0.1 %',
      '12.5 %',
    ]);
    expect(describeDecision('rule')).toBe('the longest matching rule');
    expect(describeDecision('of-another-release')).toBe('of-another-release');
  });
});
