import { gzipSync } from 'node:zlib';
import { refetchRobotsTxt } from '@maycrawl/client';
import { createAddressPolicy } from '@maycrawl/client/internal';
import { Ajv } from 'ajv';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { SITEMAP_SAMPLE, type SitemapSample } from '../../../src/api/sample-api.ts';
import { selectByFolder } from '../../../src/serve/page/sitemap-sample.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ limits: { hostSpacing: 0 } });
});
afterAll(() => service.app.close());

let site: TestServer;
afterEach(() => site.close());

/** Files by path. A text that begins with `->` is a redirect. */
type Files = Readonly<Record<string, string | Buffer>>;

/** Serves files, and takes a sample of the site. */
async function sample(getFiles: (origin: string) => Files, through = service): Promise<SitemapSample> {
  let files: Files = {};
  site = await serve(({ url = '' }, response) => {
    const file = files[url];
    if (file === undefined) response.writeHead(404).end();
    else if (file.toString().startsWith('->'))
      response.writeHead(302, { location: file.toString().slice(2) }).end();
    else if (file !== 'never') response.end(file);
  });
  files = getFiles(site.origin);
  const { status, body } = await through.post('/v1/sample', { origin: `${site.origin}/some/page` });
  expect(status, JSON.stringify(body)).toBe(200);
  const ajv = new Ajv();
  ajv.validate(SITEMAP_SAMPLE, body);
  expect(ajv.errors).toBe(null);
  return body as unknown as SitemapSample;
}

const urlset = (...urls: readonly string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

test('a sample has entries of the sitemaps that robots.txt names', async () => {
  const { urls, sitemaps, others } = await sample((origin) => ({
    '/robots.txt': `Sitemap: ${origin}/a.xml\nSitemap: ${origin}/b.xml.gz\n`,
    '/a.xml': urlset(`${origin}/blog/1`, `${origin}/blog/2`, 'https://other.example/x', 'mailto:x'),
    '/b.xml.gz': gzipSync(urlset(`${origin}/shop/lamp#red`)),
  }));
  expect(urls).toEqual([`${site.origin}/blog/1`, `${site.origin}/shop/lamp`, `${site.origin}/blog/2`]);
  expect(others).toBe(1);
  expect(sitemaps).toEqual([
    { url: `${site.origin}/a.xml`, entries: 3, problem: null },
    { url: `${site.origin}/b.xml.gz`, entries: 1, problem: null },
  ]);
  expect(site.requests).toEqual(['/robots.txt', '/a.xml', '/b.xml.gz']);
});

test('of an index, the first sitemaps are read, and none of a further index', async () => {
  const { urls, sitemaps } = await sample((origin) => ({
    '/robots.txt': `Sitemap: ${origin}/index.xml\n`,
    '/index.xml': `<sitemapindex>${[1, 2, 3].map((n) => `<sitemap><loc>${origin}/${n}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
    '/1.xml': urlset(`${origin}/1`),
    '/2.xml': `<sitemapindex><sitemap><loc>${origin}/3.xml</loc></sitemap></sitemapindex>`,
  }));
  expect(urls).toEqual([`${site.origin}/1`]);
  expect(sitemaps.map(({ entries }) => entries)).toEqual([3, 1, 1]);
  expect(site.requests).toEqual(['/robots.txt', '/index.xml', '/1.xml', '/2.xml']);
});

test('a sitemap that robots.txt disallows is not requested, nor one to which another redirects', async () => {
  const { urls, sitemaps } = await sample((origin) => ({
    '/robots.txt': `User-agent: *\nDisallow: /private\nSitemap: ${origin}/private.xml\nSitemap: ${origin}/moved.xml\nSitemap: ${origin}/lost.xml\n`,
    '/moved.xml': '->/private/sitemap.xml',
    '/private.xml': urlset(`${origin}/a`),
    '/private/sitemap.xml': urlset(`${origin}/a`),
  }));
  expect(urls).toEqual([]);
  expect(sitemaps.map(({ problem }) => problem)).toEqual([
    'disallowed by robots.txt',
    'disallowed by robots.txt',
    'status 404',
  ]);
  expect(site.requests).toEqual(['/robots.txt', '/moved.xml', '/lost.xml']);
});

test('a sitemap whose host does not respond is not called disallowed', async () => {
  const lost = await serve((_request, response) => response.end());
  await lost.close();
  const { sitemaps } = await sample(() => ({
    '/robots.txt': `Sitemap: ${lost.origin}/sitemap.xml\nSitemap: http://127.0.0.1:1/sitemap.xml\n`,
  }));
  expect(sitemaps[0]?.problem).toMatch(/^the robots\.txt of its host cannot be fetched \(.+\)$/);
  expect(sitemaps[1]?.problem).toMatch(
    /^the robots\.txt of its host was not requested \(blocked-port: .+\)$/,
  );
});

test('few sitemaps are read, and of each only the beginning', async () => {
  const { sitemaps } = await sample((origin) => ({
    '/robots.txt': Array.from({ length: 9 }, (_, n) => `Sitemap: ${origin}/${n}.xml\n`).join(''),
    '/0.xml': urlset(...Array.from({ length: 30_000 }, (_, n) => `${origin}/${n}`)),
    '/1.xml': `<urlset>${' '.repeat(2_000_000)}</urlset>`,
    '/2.xml': '<html></html>',
  }));
  expect(sitemaps.map(({ problem }) => problem)).toEqual([null, 'more than 1048576 bytes', null]);
  expect(sitemaps[0]?.entries).toBeLessThan(10_000);
  expect(site.requests).toHaveLength(4);
});

test('a sitemap that does not arrive in time is a problem of the sitemap', async () => {
  const hasty = await startService({ limits: { hostSpacing: 0, sampleTime: 300 } });
  const { urls, sitemaps } = await sample(
    (origin) => ({
      '/robots.txt': `Sitemap: ${origin}/a.xml\nSitemap: ${origin}/never.xml\n`,
      '/a.xml': urlset(`${origin}/a`),
      '/never.xml': 'never',
    }),
    hasty,
  );
  await hasty.app.close();
  expect(urls).toEqual([`${site.origin}/a`]);
  expect(sitemaps[1]?.problem).toBe('not read within 0.3 seconds');
});

test('a sitemap on a private address is not requested by a service without access to them', async () => {
  site = await serve(({ url }, response) =>
    response.end(
      url === '/robots.txt' ? `Sitemap: ${site.origin}/sitemap.xml` : urlset('https://h.example/'),
    ),
  );
  const guarded = await startService({
    allowPrivateAddresses: false,
    // The robots.txt of each origin is that of the site.
    fetcher: (_url, validators, options) =>
      refetchRobotsTxt(`${site.origin}/robots.txt`, validators, {
        ...options,
        addressPolicy: createAddressPolicy({ allowPrivateAddresses: true }),
      }),
  });
  const { body } = await guarded.post('/v1/sample', { origin: 'https://public.example' });
  await guarded.app.close();
  expect(body).toMatchObject({
    urls: [],
    sitemaps: [{ problem: expect.stringContaining('not a public address') }],
  });
  expect(site.requests).toEqual(['/robots.txt', '/robots.txt']);
});

test('a sample needs a JSON body, which pages of other sites cannot send', async () => {
  site = await serve((_request, response) => response.end());
  const path = `/v1/sample?${new URLSearchParams({ origin: site.origin })}`;
  expect((await service.get(path)).status).toBe(405);
  const body = JSON.stringify({ origin: site.origin });
  const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body };
  expect((await service.get('/v1/sample', plain)).status).toBe(415);
  expect(site.requests).toEqual([]);
});

test('the sample has URLs in different folders first', () => {
  const urls = ['/a/1', '/a/2', '/a/b/3', '/c/4', '/5', '/d/6', '/d/7'].map(
    (path) => `https://h.example${path}`,
  );
  expect(selectByFolder(urls).map((url) => new URL(url).pathname)).toEqual([
    ...['/a/1', '/c/4', '/5', '/d/6'],
    ...['/a/b/3', '/a/2'],
  ]);
});
