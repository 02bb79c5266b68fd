/** Findings about sitemaps that are missing, damaged or none, with the true cause, in all outputs. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../../client/test/support/server.ts';
import type { FindingCode } from '../../../src/audit/findings/finding-kinds.ts';
import { findFailures } from '../../../src/audit/report/fail-on.ts';
import { UrlReporter } from '../../../src/audit/report/url-report.ts';
import { createTestFolder } from '../../support/folder.ts';
import { run as runCommand } from '../../support/run.ts';
import { type Crawled, crawlAll, serveSite } from '../crawling.ts';

let site: TestServer;
let crawled: Crawled;

const urlset = (...urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

const gzip = gzipSync(
  urlset(...Array.from({ length: 2_000 }, (_, place) => `http://h.example/${place * 7919}`)),
);
const damaged = Buffer.from(gzip);
damaged.fill(0x5a, 200, 260);

/** The files by name, and what is found about them. */
const FILES: Readonly<
  Record<string, readonly [body: string | Uint8Array | null, code: FindingCode, detail: RegExp | null]>
> = {
  'missing.xml': [null, 'sitemap-not-fetched', /^status 404$/],
  'private.xml': ['', 'sitemap-not-fetched', /^disallowed by robots\.txt$/],
  'page.xml': ['<!doctype html><html><body>Not found<br></body>', 'sitemap-invalid', /^it is an HTML page$/],
  'page-upper.xml': ['<HTML><title>x', 'sitemap-invalid', /^it is an HTML page$/],
  'other.xml': [
    '<?xml version="1.0"?><error>no</error>',
    'sitemap-invalid',
    /^its root element is <error>, not/,
  ],
  'text.txt': ['Not found\n{"a": 1}', 'sitemap-invalid', /^it is a text without URLs$/],
  'cut.xml': [urlset('http://h.example/a').slice(0, -20), 'sitemap-damaged', /^it is cut off: /],
  'cut.xml.gz': [gzip.subarray(0, 300), 'sitemap-damaged', /^its compressed data is cut off$/],
  'damaged.xml.gz': [damaged, 'sitemap-damaged', /^its compressed data is damaged: /],
  'large.txt': ['http://h.example/\n'.repeat(50_001), 'sitemap-too-large', /^more than 50000 entries$/],
  'nothing.xml': ['', 'sitemap-empty', /^the file is empty$/],
  'empty.xml': [urlset(), 'sitemap-empty', /^it has no entries$/],
  'relative.xml': [
    urlset('/relative', 'http://127.0.0.1/'),
    'sitemap-invalid-entries',
    /^1 entry: no absolute/,
  ],
};

beforeAll(async () => {
  site = await serveSite(({ url = '' }, response) => {
    const { origin } = site;
    if (url === '/robots.txt') {
      const lines = [...Object.keys(FILES), 'hosts.xml', 'good.xml'].map(
        (name) => `Sitemap: ${origin}/${name}`,
      );
      return response.end(['User-agent: *', 'Disallow: /private.xml', ...lines].join('\n'));
    }
    if (url === '/') return response.setHeader('content-type', 'text/html').end('<title>Home</title>');
    if (url === '/good.xml') return response.end(urlset(`${origin}/`));
    if (url === '/hosts.xml')
      return response.end(
        urlset(`${origin}/`, 'http://www.example/a', 'http://www.example/b', 'https://c.example/'),
      );
    const body = FILES[url.slice(1)]?.[0] ?? null;
    if (body === null) response.statusCode = 404;
    return response.end(body);
  });
  crawled = await crawlAll([`${site.origin}/`], { settings: { agents: ['Googlebot', 'bingbot'] } });
});

const list = (code: FindingCode, agent = 0): (readonly [string, string | null])[] =>
  Array.from(crawled.run.findings.list(code, agent), ({ url, detail }) => [
    new URL(url).pathname.slice(1),
    detail,
  ]);

test.each(Object.keys(FILES))('%s', (name) => {
  const [, code, detail] = FILES[name] as (typeof FILES)[string];
  for (const agent of [0, 1]) {
    const found = list(code, agent).find(([path]) => path === name);
    expect(found?.[1]).toMatch(detail as RegExp);
  }
});

test('a sitemap in order has no finding', () => {
  const codes = new Set(Object.values(FILES).map(([, code]) => code));
  const found = [...codes].flatMap((code) => list(code).map(([name]) => name));
  expect(found.sort()).toEqual(Object.keys(FILES).sort());
});

test('entries on hosts that are not audited are named', () => {
  const found = [...crawled.run.findings.list('sitemap-other-host', 0)];
  expect(found.find(({ url }) => url.endsWith('/hosts.xml'))).toMatchObject({
    detail: '3 entries',
    targets: ['http://www.example/a', 'https://c.example/'],
  });
  expect(found.map(({ url }) => url)).not.toContain(`${site.origin}/good.xml`);
});

test('records have the finding, and --fail-on counts it', () => {
  const report = [...new UrlReporter(crawled.run, 'with-links').all(false)].find(
    ({ url }) => url === `${site.origin}/page.xml`,
  );
  expect(report).toMatchObject({
    ...{ state: 'outside', stateReason: 'a sitemap', indexable: null },
    findings: [{ code: 'sitemap-invalid', detail: 'it is an HTML page' }],
  });
  expect(findFailures(crawled.run, ['sitemap-invalid'])[0]).toMatchObject({ count: 4 });
});

test('the run counts as judged, and judging it again changes nothing', async () => {
  const again = await crawlAll([`${site.origin}/`]);
  expect(again.end.reason).toBe('complete');
  expect(again.run.findings.count().length).toBeGreaterThan(5);
});

test('the command fails, and says why', async () => {
  const out = join(createTestFolder('sitemaps'), 'out');
  const args = ['audit', `${site.origin}/`, '--out', out, '--fail-on', 'sitemap-invalid'];
  const { code, stdout } = await runCommand(args);
  expect(code).toBe(1);
  expect(stdout).toContain('error: 4 files that are named as sitemaps are no sitemaps (sitemap-invalid)');
  const findings = await runCommand(['audit', 'findings', out, '--code', 'sitemap-damaged']);
  expect(findings.stdout).toContain(
    `${site.origin}/cut.xml (it is cut off: it ends inside an XML element)\n`,
  );
});
