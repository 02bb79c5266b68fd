import { describe, expect, test } from 'vitest';
import type { LogRequest } from '../../src/logs/request.ts';
import type { LogSummary } from '../../src/logs/summary/log-summary.ts';
import { createRequest, createTimeline, judge, ORIGIN, parseTime } from './rules/log-of.ts';

const CLOSED = 'User-agent: *\nDisallow: /s\nDisallow: /unused\n';

/** Requests at minutes of 2026-11-20, each with another one of its properties. */
function createRequests(...list: (Partial<LogRequest> & { readonly at: string })[]): LogRequest[] {
  return list.map(({ at, ...request }) => createRequest({ time: parseTime(at), ...request }));
}

const FETCH = { target: '/robots.txt' };
const SPOOFED = { address: '198.51.100.66' };
const VERIFIED = { address: '192.0.2.66' };

function getTexts({ findings }: LogSummary): string[] {
  return findings.map(({ severity, text }) => `${severity}: ${text}`);
}

describe('The summary of a log', () => {
  test('counts requests, bytes, statuses and days of each crawler, those with the most requests first', async () => {
    const { crawlers, from, to, sites } = await judge(
      createRequests(
        { at: '09:00', crawler: 'bingbot', status: null, bytes: 7 },
        { at: '10:00' },
        { at: '2026-11-21T10:00:00Z', status: 404, bytes: 50 },
      ),
      createTimeline(CLOSED),
    );
    expect({ sites, from, to }).toEqual({
      sites: [ORIGIN],
      from: '2026-11-20T09:00:00Z',
      to: '2026-11-21T10:00:00Z',
    });
    expect(
      crawlers.map(({ crawler, operator, requests, bytes }) => [crawler, operator, requests, bytes]),
    ).toEqual([
      ['GPTBot', 'OpenAI', 2, 150],
      ['bingbot', 'Microsoft', 1, 7],
    ]);
    expect(crawlers[0]).toMatchObject({
      purposes: ['ai-train'],
      robotsTxt: { obeys: 'yes', fetches: 0, statuses: {}, last: null, medianInterval: null },
      statuses: { 200: 1, 404: 1 },
      days: [
        { day: '2026-11-20', requests: 1, violations: 0 },
        { day: '2026-11-21', requests: 1, violations: 0 },
      ],
    });
    expect(crawlers[1]?.statuses).toEqual({ none: 1 });
  });

  test('counts spoofed requests in a block of their own, by network', async () => {
    const { crawlers, findings } = await judge(
      createRequests(
        { at: '09:00', ...FETCH, ...SPOOFED },
        { at: '09:01', target: '/shop', ...SPOOFED },
        { at: '09:02', target: '/a' },
      ),
      createTimeline(CLOSED),
    );
    expect(crawlers[0]).toMatchObject({
      requests: 3,
      identity: { verified: 0, spoofed: 2, unverifiable: 0, unchecked: 1 },
      classes: { 'robots-txt': 0, allowed: 1, violation: 0 },
      robotsTxt: { fetches: 0 },
      spoofed: { requests: 2, bytes: 200, networks: [{ network: '198.51.100.0/24', requests: 2 }] },
    });
    expect(findings).toEqual([
      {
        code: 'spoofed',
        severity: 'warning',
        crawler: 'GPTBot',
        requests: 2,
        text: '2 requests as GPTBot from 1 network are not of OpenAI',
      },
    ]);
  });

  test('has addresses in place of networks on request', async () => {
    const requests = createRequests({ at: '09:00', ...SPOOFED });
    const { crawlers } = await judge(requests, createTimeline(CLOSED), { showsAddresses: true });
    expect(crawlers[0]?.spoofed.networks).toEqual([{ network: '198.51.100.66', requests: 1 }]);
  });

  test('names the rule, the version, and the time since its fetch', async () => {
    const summary = await judge(
      createRequests(
        { at: '09:00', ...FETCH },
        { at: '09:40', target: '/shop' },
        { at: '09:50', target: '/s' },
      ),
      createTimeline({ '2026-11-19': CLOSED }),
      { identify: () => 'verified' },
    );
    expect(summary.crawlers[0]).toMatchObject({
      worstRule: { line: 2, rule: '/s', version: '2026-11-19T00:00:00Z', requests: 2 },
      violations: [
        {
          ...{ time: '2026-11-20T09:40:00Z', url: 'https://shop.example/shop', line: 2, rule: '/s' },
          ...{ version: '2026-11-19T00:00:00Z', read: 'yes' },
        },
        { url: 'https://shop.example/s' },
      ],
    });
    expect(getTexts(summary)).toEqual([
      'error: 2 requests as GPTBot for URLs that line 2 disallows, 40 minutes after it fetched version 2026-11-19T00:00:00Z',
    ]);
  });

  test('a violation of a crawler that is not verified is a warning', async () => {
    const requests = createRequests({ at: '09:00', ...FETCH }, { at: '09:40', target: '/shop' });
    const summary = await judge(requests, createTimeline(CLOSED));
    expect(summary.findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['violation', 'warning'],
    ]);
  });

  test('has the first fifty violations and the last fifty, and the exact count', async () => {
    const requests = Array.from({ length: 250 }, (_, index) =>
      createRequest({ time: parseTime('10:00') + index * 1_000, target: `/s${index}` }),
    );
    const { crawlers } = await judge(requests, createTimeline(CLOSED));
    expect(crawlers[0]?.classes.violation).toBe(250);
    const urls = crawlers[0]?.violations.map(({ url }) => Number(url.slice(`${ORIGIN}/s`.length)));
    expect(urls).toEqual([
      ...Array.from({ length: 50 }, (_, index) => index),
      ...Array.from({ length: 50 }, (_, index) => 200 + index),
    ]);
  });

  test('lists which rules decided about requests, by crawler, and which decided about none', async () => {
    const { rules, unusedRules } = await judge(
      createRequests(
        { at: '09:00', target: '/s1' },
        { at: '09:01', target: '/s2', crawler: 'bingbot' },
        { at: '09:02', target: '/s3', crawler: 'bingbot' },
      ),
      createTimeline(CLOSED),
    );
    expect(rules).toEqual([
      {
        ...{ site: ORIGIN, version: 'robots.txt', line: 2, kind: 'disallow', rule: '/s', requests: 3 },
        crawlers: [
          { crawler: 'bingbot', requests: 2 },
          { crawler: 'GPTBot', requests: 1 },
        ],
      },
    ]);
    expect(unusedRules).toEqual([
      { site: ORIGIN, version: 'robots.txt', line: 3, kind: 'disallow', rule: '/unused' },
    ]);
  });

  test('counts what another file would have stopped and opened', async () => {
    const { crawlers } = await judge(
      createRequests(
        { at: '09:00', target: '/a', bytes: 10 },
        { at: '09:01', target: '/b', bytes: 20 },
        { at: '09:02', target: '/s', bytes: 40 },
        { at: '09:03', target: '/a', bytes: 80, ...SPOOFED },
      ),
      createTimeline(CLOSED),
      { whatIf: Buffer.from('User-agent: *\nDisallow: /a\n') },
    );
    expect(crawlers[0]?.whatIf).toEqual({
      ...{ isVerified: false, requests: 3, bytes: 70 },
      ...{ stopped: 1, stoppedBytes: 10, opened: 1, openedBytes: 40 },
    });
  });

  test('counts the effect of another file on verified requests only, if there are any', async () => {
    const { crawlers } = await judge(
      createRequests(
        { at: '09:00', target: '/a', bytes: 10 },
        { at: '09:01', target: '/a', bytes: 20, ...VERIFIED },
        { at: '09:02', target: '/b', bytes: 40, ...VERIFIED },
      ),
      createTimeline(CLOSED),
      { whatIf: Buffer.from('User-agent: *\nDisallow: /a\n') },
    );
    expect(crawlers[0]?.whatIf).toEqual({
      ...{ isVerified: true, requests: 2, bytes: 60 },
      ...{ stopped: 1, stoppedBytes: 20, opened: 0, openedBytes: 0 },
    });
  });

  test('compares the intervals of crawlers that obey crawl-delay with it', async () => {
    const requests = Array.from({ length: 40 }, (_, index) =>
      createRequest({ time: parseTime('09:00') + index * 2_000, crawler: 'AhrefsBot', target: `/${index}` }),
    );
    const robots = 'User-agent: *\nCrawl-delay: 10\nDisallow:\n';
    const summary = await judge(requests, createTimeline(robots));
    expect(summary.crawlers[0]?.pace).toMatchObject({ crawlDelay: 10, least: 2 });
    expect(summary.crawlers[0]?.pace?.percentile5).toBeCloseTo(2, 0);
    expect(summary.findings.map(({ code }) => code)).toEqual(['too-fast']);
  });

  test('says nothing about the pace of crawlers that do not promise to obey crawl-delay', async () => {
    const requests = createRequests(
      { at: '09:00', crawler: 'Googlebot' },
      { at: '09:00', crawler: 'Googlebot' },
    );
    const robots = 'User-agent: *\nCrawl-delay: 10\nDisallow:\n';
    const { crawlers } = await judge(requests, createTimeline(robots));
    expect(crawlers[0]?.pace).toBeNull();
  });

  test('finds failed fetches of robots.txt by day and status', async () => {
    const summary = await judge(
      createRequests(
        { at: '2026-11-12T09:00:00Z', ...FETCH, crawler: 'bingbot', status: 503 },
        { at: '2026-11-12T10:00:00Z', ...FETCH, crawler: 'bingbot', status: 503 },
        { at: '2026-11-13T09:00:00Z', ...FETCH, crawler: 'bingbot' },
      ),
      createTimeline(CLOSED),
    );
    expect(getTexts(summary)).toEqual(['warning: bingbot got 503 for robots.txt 2 times on November 12']);
    expect(summary.crawlers[0]?.robotsTxt).toMatchObject({
      fetches: 3,
      statuses: { 200: 1, 503: 2 },
      last: '2026-11-13T09:00:00Z',
    });
  });

  test('finds crawlers that have not fetched robots.txt since it changed', async () => {
    const summary = await judge(
      createRequests({ at: '2026-11-19T09:00:00Z', ...FETCH }, { at: '2026-11-22T09:00:00Z', target: '/a' }),
      createTimeline({ '2026-11-01': CLOSED, '2026-11-20T12:00:00Z': `${CLOSED}# comment\n` }),
    );
    expect(getTexts(summary)).toEqual([
      'info: GPTBot has not fetched robots.txt since the edit of November 20',
    ]);
  });

  test('does not say what a crawler did before the log begins', async () => {
    const summary = await judge(
      createRequests({ at: '2026-11-22T09:00:00Z', target: '/a' }),
      createTimeline({ '2026-11-01': CLOSED, '2026-11-20T12:00:00Z': `${CLOSED}# comment\n` }),
    );
    expect(getTexts(summary)).toEqual([]);
  });

  test('says first that a log has no addresses', async () => {
    const requests = createRequests(
      { at: '09:00', ...FETCH, address: null },
      { at: '09:40', target: '/s', address: null },
    );
    const summary = await judge(requests, createTimeline(CLOSED));
    expect(summary.hasAddresses).toBe(false);
    expect(summary.findings.map(({ code }) => code)).toEqual(['no-addresses', 'violation']);
  });

  test('requests before `since` count only as fetches, and those from `until` on not at all', async () => {
    const { crawlers } = await judge(
      createRequests(
        { at: '09:00', ...FETCH },
        { at: '09:10', target: '/s' },
        { at: '10:00', target: '/s' },
        { at: '11:00', target: '/s' },
      ),
      createTimeline(CLOSED),
      { since: parseTime('09:30'), until: parseTime('11:00') },
    );
    expect(crawlers[0]).toMatchObject({ requests: 1, classes: { violation: 1 }, robotsTxt: { fetches: 0 } });
    expect(crawlers[0]?.violations[0]?.read).toBe('yes');
  });

  test('has only the named crawlers, and only the sites by their hosts', async () => {
    const { crawlers, otherSites } = await judge(
      createRequests(
        { at: '09:00', host: 'shop.example' },
        { at: '09:01', host: 'other.example' },
        { at: '09:02', host: 'shop.example', crawler: 'bingbot' },
      ),
      createTimeline(CLOSED),
      { only: new Set(['gptbot']) },
    );
    expect(crawlers.map(({ crawler, requests }) => [crawler, requests])).toEqual([['GPTBot', 1]]);
    expect(otherSites).toBe(1);
  });

  test('a thousand names that the catalogue does not know have counts of their own, and further ones none', async () => {
    const requests = Array.from({ length: 1_500 }, (_, index) =>
      createRequest({ time: parseTime('09:00') + index, crawler: `Bot${index}` }),
    );
    const { crawlers, furtherCrawlers } = await judge(
      [...requests, createRequest({ time: parseTime('10:00') })],
      createTimeline(CLOSED),
    );
    expect(crawlers).toHaveLength(1_001);
    expect(crawlers.some(({ crawler }) => crawler === 'GPTBot')).toBe(true);
    expect(furtherCrawlers).toBe(500);
  });
});
