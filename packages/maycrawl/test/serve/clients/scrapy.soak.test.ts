// The middleware for Scrapy, in crawls of a site on loopback. Debian has Scrapy as python3-scrapy, for its own Python.
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import { ROOT } from '../../support/run.ts';
import { startService } from '../../support/service.ts';

const python = ['/usr/bin/python3', 'python3'].find(
  (path) => spawnSync(path, ['-c', 'import scrapy']).status === 0,
);

test.skipIf(python === undefined)('a crawl obeys the service (needs Scrapy)', async () => {
  const down = await serve((_request, response) => response.writeHead(503).end());
  const links = ['/a', '/again', '/b', '/moved', `${down.origin}/a`].map((url) => `<a href="${url}"></a>`);
  const site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /b\n');
    else if (url === '/moved') response.writeHead(302, { location: '/b?moved' }).end();
    else response.setHeader('content-type', 'text/html').end(url === '/' ? links.join('') : 'text');
  });
  const service = await startService();
  const env = {
    ...process.env,
    MAYCRAWL_SERVICE: service.address,
    MAYCRAWL_SITE: site.origin,
    MAYCRAWL_DOWN: down.origin,
  };
  const args = ['-B', '-m', 'unittest', 'test_maycrawl_scrapy'];
  const { stderr } = await promisify(execFile)(python as string, args, {
    cwd: join(ROOT, 'clients/python'),
    env,
  });
  expect(stderr).toMatch(/^OK$/m);
  // The tests crawl four times: one reaches pages.
  expect(site.requests.filter((url) => url !== '/robots.txt').sort()).toEqual([
    ...['/', '/a', '/again', '/again', '/moved'],
  ]);
  expect(new Set(down.requests)).toEqual(new Set(['/robots.txt']));
  await service.app.close();
  await Promise.all([site.close(), down.close()]);
});
