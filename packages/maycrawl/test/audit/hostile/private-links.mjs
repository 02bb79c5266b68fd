// Runs in its own network namespace, where loopback also has a public address: a site there refers to a private one by every link type
// that a crawl follows. Prints the requests of each server, and the URLs of the run.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawl } from '../../../dist/audit/crawl/crawl.js';
import { openRun } from '../../../dist/audit/run/open-run.js';

const [publicAddress] = process.argv.slice(2);
const fetched = [];
const listen = async (name, address, listener) => {
  const server = createServer((request, response) => {
    fetched.push(`${name}${request.url}`);
    listener(request.url, response);
  });
  await new Promise((resolve) => server.listen(0, address, resolve));
  return { server, origin: `http://${address}:${server.address().port}` };
};
const secret = (_url, response) => response.end('<a href="/further">secret</a>');
const inner = await listen('inner', '127.0.0.1', secret);
// The same host: it differs only by another port of an address of this machine.
const own = await listen('own', publicAddress, secret);
const outer = await listen('outer', publicAddress, (url, response) => {
  if (url === '/robots.txt')
    response.end(
      `Sitemap: ${inner.origin}/sitemap\nSitemap: ${own.origin}/sitemap\nSitemap: ${outer.origin}/sitemap\nUser-agent: *\nDisallow:`,
    );
  else if (url === '/sitemap') response.writeHead(302, { location: `${inner.origin}/led` }).end();
  else if (url === '/redirect') response.writeHead(302, { location: `${own.origin}/redirected` }).end();
  else {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<a href="/redirect">r</a><a href="${own.origin}/linked">l</a><meta http-equiv="refresh" content="0;url=${own.origin}/refreshed">`,
    );
  }
});
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-inside-'));
const run = await openRun(join(folder, 'run.sqlite'), 'new');
const end = await crawl({
  ...{ run, userAgent: 'test', concurrency: 2, spacing: 0, obeysCrawlDelay: false, timeout: 5000 },
  ...{ signal: new AbortController().signal, now: Date.now },
  settings: {
    ...{ starts: [`${outer.origin}/`], agents: ['Googlebot'], scope: 'domain' },
    ...{ maxPages: null, maxDepth: null, include: [], exclude: [], maxAlike: null, sitemaps: true },
    ...{ isRobotsGiven: false, profile: 'google', startedAt: 0 },
  },
});
const urls = (await run.urls(-1, 100)).map(({ url, state }) => [
  url.startsWith(own.origin) ? 'own' : 'outer',
  new URL(url).pathname,
  state,
]);
const problems = run.sitemaps.list().map(({ problem }) => problem);
process.stdout.write(JSON.stringify({ end, fetched, urls, problems }));
await run.close();
for (const { server } of [inner, own, outer]) server.close();
rmSync(folder, { recursive: true });
