import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/http/address-policy.ts';
import { ConnectionPool } from '../../src/http/pool/connection-pool.ts';
import { openSitemap } from '../../src/sitemap/open-sitemap.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve, type TestServer } from '../support/server.ts';

async function start(): Promise<{
  readonly site: TestServer;
  readonly get: (path: string) => Promise<string>;
}> {
  const site = await serve(({ url = '' }, response) => {
    const status = Number(url.slice(1, 4));
    if (url === '/coded') response.setHeader('content-encoding', 'gzip').end(gzipSync('/a'));
    else if (url === '/utf8')
      response.writeHead(302, { location: Buffer.from('/ä').toString('latin1') }).end();
    else if (url.startsWith('/hop'))
      response.writeHead(302, { location: `/hop${Number(url.slice(4)) + 1}` }).end();
    else if (url === '/to-no') response.writeHead(301, { location: '/no' }).end();
    else if (url === '/nowhere') response.writeHead(301, { location: 'file:///etc/passwd' }).end();
    else response.writeHead(status || 200, { location: '/a' }).end(url);
  });
  const addressPolicy = createAddressPolicy({ allowPrivateAddresses: true });
  const pool = new ConnectionPool({ connections: 1, timeout: 20_000, addressPolicy });
  await closeAtEnd(site);
  await closeAtEnd(pool);
  const { signal } = new AbortController();
  const get = async (path: string): Promise<string> => {
    const body = await openSitemap(path.startsWith('/') ? `${site.origin}${path}` : path, {
      request: (url) => pool.stream(url, { headers: {}, maxBytes: 1_000 }, signal),
      findRefusal: async (url) => (url.endsWith('/no') ? 'refused' : null),
    });
    return Buffer.concat(await body.toArray()).toString();
  };
  return { site, get };
}

test.each([
  ['/x', '/x'],
  ['/coded', '/a'],
  ['/301', '/a'],
  // Each byte of raw UTF-8 arrives as one character.
  ['/utf8', '/%C3%A4'],
])('%s is read', async (path, content) => {
  const { get } = await start();
  expect(await get(path)).toBe(content);
});

test.each([
  ['/404', 'status 404'],
  ['/204', 'status 204'],
  ['/206', 'status 206'],
  ['/300', 'status 300'],
  ['/no', 'refused'],
  ['/to-no', 'refused'],
  ['/nowhere', 'a redirect to no http or https URL'],
  ['/hop0', 'more than 5 redirects'],
  ['ftp://a.example/', 'not an http or https URL'],
])('%s is an error', async (path, message) => {
  const { site, get } = await start();
  await expect(get(path)).rejects.toMatchObject({ name: 'SitemapError', message });
  expect(site.requests).not.toContain('/no');
});
