import { expect, test } from 'vitest';
import { parseSite, parseSiteUrl, readPolicy } from '../../src/shared/requests/service.ts';
import { visible } from '../../src/shared/visible.ts';
import { describeFailure, describeSample } from '../../src/tester/load/text.ts';

test('a policy that this version does not know is unknown, never one that allows', () => {
  expect(readPolicy({ kind: 'allow-all', reason: 'x' })).toEqual({ kind: 'unknown' });
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
  ['CERT_HAS_EXPIRED: certificate has expired', 'The certificate has expired. Renew it.'],
  ['ERR_SSL_WRONG_VERSION_NUMBER: 80EB:error:0A00010B', /does not speak TLS on this port/],
  ['no end of the TLS handshake within 10 s', 'The TLS handshake failed.'],
  ['getaddrinfo ENOTFOUND shop.invalid', 'The host name does not exist in DNS.'],
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
