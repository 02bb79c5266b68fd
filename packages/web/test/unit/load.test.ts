import { expect, test } from 'vitest';
import { parseSite, parseSiteUrl } from '../../src/shared/service.ts';
import { visible } from '../../src/shared/visible.ts';
import { describeFailure } from '../../src/tester/load/failure-text.ts';
import { readOriginReport } from '../../src/tester/load/origin-report.ts';
import { describeSample } from '../../src/tester/load/sample.ts';

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
  expect(visible('x'.repeat(1000), 10)).toBe('xxxxxxxxx… (1,000 characters)');
});

test.each([
  ['www.shop.example/cart', 'https://www.shop.example/cart'],
  [' http://shop.example:8080/a b?q#part ', 'http://shop.example:8080/a%20b?q'],
  ['shop.example', 'https://shop.example/'],
])('the URL of %j is %s', (written, url) => {
  expect(parseSiteUrl(written)).toEqual({ url, origin: parseSite(url) });
});

test.each(['', 'mailto:a@b.example', 'https://'])('%j has no URL', (written) => {
  expect(parseSiteUrl(written)).toBeNull();
});

test.each([
  ['CERT_HAS_EXPIRED: certificate has expired', 'The certificate of the site has expired. Renew it.'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate',
    'The certificate of the site is self-signed, so crawlers do not trust it.',
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID: Hostname/IP does not match certificate's altnames",
    'The certificate of the site is for another host name.',
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER: 80EB:error:0A00010B', /does not speak TLS on this port/],
  ['EPROTO 80EB:error:0A000410:SSL routines', 'The TLS handshake failed.'],
  ['no end of the TLS handshake within 10 s', 'The TLS handshake failed.'],
  ['getaddrinfo ENOTFOUND shop.invalid', 'There is no such host name.'],
  ['connect ECONNREFUSED 127.0.0.1:443', 'The server refuses connections on this port.'],
])('a failure in words: %s', (message, text) => {
  expect(describeFailure(message)).toMatch(text);
});

test.each([null, 'status 503', 'the address is private'])('no other words for %j', (message) => {
  expect(describeFailure(message)).toBeNull();
});

const SITEMAP = { url: 'https://a.example/sitemap.xml', entries: 2, problem: null };
const SAMPLE = { origin: 'https://a.example', sitemaps: [SITEMAP], others: 0, urls: ['https://a.example/1'] };

test.each([
  [SAMPLE, '1 URL of its sitemap is in the list.'],
  [
    { ...SAMPLE, sitemaps: [SITEMAP, SITEMAP], urls: ['https://a.example/1', 'https://a.example/2'] },
    '2 URLs of its sitemaps are in the list.',
  ],
  [{ ...SAMPLE, sitemaps: [], urls: [] }, 'The robots.txt names no sitemap.'],
  [
    { ...SAMPLE, others: 3, urls: [] },
    'Its sitemaps list URLs of other hosts or schemes, to which this file does not apply.',
  ],
  [
    { ...SAMPLE, sitemaps: [{ ...SITEMAP, entries: 0, problem: 'status 404' }], urls: [] },
    'No sitemap was read: https://a.example/sitemap.xml: status 404.',
  ],
  [{ ...SAMPLE, urls: [] }, 'Its sitemaps list no URL.'],
])('the sentence about a sample (%#)', (value, sentence) => {
  expect(describeSample({ kind: 'success', value })).toBe(sentence);
});

test('the sentence about a sample that failed', () => {
  const result = { kind: 'problem', message: 'The service is overloaded.', status: 503 } as const;
  expect(describeSample(result)).toBe('The sitemaps were not read. The service is overloaded.');
});
