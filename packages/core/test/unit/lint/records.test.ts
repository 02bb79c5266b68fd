import { expect, test } from 'vitest';
import { lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/robots-txt.ts';

/** Lints a sitemap record. */
const lintSitemap = (url: string) => lint(parse(`Sitemap: ${url}\nUser-agent: *\nDisallow: /x\n`));

test.each([
  ...['http://localhost/s.xml', 'http://LOCALHOST.:3000/s.xml', 'http://shop.localhost/s.xml'],
  ...['https://intranet/s.xml', 'https://printer.local/s.xml', 'https://web.internal/s.xml'],
  ...['https://nas.home.arpa/s.xml', 'https://shop.test/s.xml', 'https://shop.invalid/s.xml'],
  ...['http://127.0.0.1:8080/s.xml', 'http://2130706433/s.xml', 'http://0x7f.1/s.xml'],
  ...['http://0.0.0.0/s.xml', 'http://10.1.2.3/s.xml', 'http://100.64.0.1/s.xml'],
  ...['http://100.127.255.1/s.xml', 'http://169.254.169.254/s.xml', 'http://172.16.0.1/s.xml'],
  ...['http://172.31.0.1/s.xml', 'http://192.168.1.1/s.xml', 'http://224.0.0.1/s.xml'],
  ...['http://255.255.255.255/s.xml', 'http://[::1]/s.xml', 'http://[fe80::1]/s.xml'],
  ...['http://[fd00::1]:80/s.xml', 'http://[::ffff:10.0.0.1]/s.xml'],
])('a sitemap that cannot be reached from the public Internet: %s', (url) => {
  const { hostname } = new URL(url);
  expect(lintSitemap(url)).toEqual([
    {
      ...{ code: 'sitemap-not-public', severity: 'warning', line: 1, column: 10, length: url.length },
      message: `"${hostname}" cannot be reached from the public Internet.`,
    },
  ]);
});

test.each([
  'https://user:secret@h.example/s.xml',
  'https://user@h.example/s.xml',
  'http://:secret@h.example/',
])('a sitemap URL with credentials: %s', (url) => {
  expect(lintSitemap(url)).toMatchObject([
    { code: 'sitemap-not-public', message: expect.stringMatching(/user name or password/) },
  ]);
});

test.each([
  'https://example.com/s.xml',
  'https://shop.example/s.xml',
  'https://10.example.com/s.xml',
  'https://127.0.0.1.example.com/s.xml',
  'https://localhost.example.com/s.xml',
  'https://mylocal.com/s.xml',
  'https://internal.example.com/local/localhost',
  'https://h.example/user:secret@localhost/s.xml',
  'https://h.example/?next=http://localhost/',
  'https://latest.dev/s.xml',
  'http://8.8.8.8/s.xml',
  'http://100.63.0.1/s.xml',
  'http://100.128.0.1/s.xml',
  'http://172.15.0.1/s.xml',
  'http://172.32.0.1/s.xml',
  'http://192.167.0.1/s.xml',
  'http://223.255.255.1/s.xml',
  'http://[2606:4700::1111]/s.xml',
  // The text after # is a comment of the robots.txt.
  'https://h.example/s.xml#top',
])('a sitemap without findings: %s', (url) => {
  expect(lintSitemap(url)).toEqual([]);
});

test.each([
  ...['/s.xml', '//h.example/s.xml', 'ftp://h.example/s.xml', 'file:///s.xml'],
  ...['h.example/s.xml', 'http://', ''],
])('a sitemap that is not an absolute http or https URL: "%s"', (url) => {
  expect(lintSitemap(url).map(({ code }) => code)).toEqual(['sitemap-not-absolute']);
});
