// Runs in a network of its own, where loopback has a public address as well: a site there leads to a private one in every way that a
// crawl follows. Tells who was asked for what, and what was kept.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawl } from '../../../dist/audit/crawl/crawl.js';
import { openRun } from '../../../dist/audit/run/open-run.js';

const [publicAddress] = process.argv.slice(2);
const asked = [];
const listen = async (address, listener) => {
  const server = createServer((request, response) => {
    asked.push(`${address}${request.url}`);
    listener(request.url, response);
  });
  await new Promise((resolve) => server.listen(0, address, resolve));
  return { server, origin: `http://${address}:${server.address().port}` };
};
const inner = await listen('127.0.0.1', (_url, response) => response.end('<a href="/further">secret</a>'));
const outer = await listen(publicAddress, (url, response) => {
  if (url === '/robots.txt')
    response.end(
      `Sitemap: ${inner.origin}/sitemap\nSitemap: ${outer.origin}/sitemap\nUser-agent: *\nDisallow:`,
    );
  else if (url === '/sitemap') response.writeHead(302, { location: `${inner.origin}/led` }).end();
  else if (url === '/redirect') response.writeHead(302, { location: `${inner.origin}/redirected` }).end();
  else {
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="/redirect">r</a><a href="${inner.origin}/linked">l</a>`);
  }
});
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-inside-'));
const run = await openRun(join(folder, 'run.sqlite'), 'new');
const end = await crawl({
  ...{ run, userAgent: 'test', concurrency: 2, spacing: 0, obeysCrawlDelay: false, timeout: 5000 },
  ...{ allowPrivate: false, signal: new AbortController().signal, now: Date.now },
  // Both are of what is audited, so that nothing but the addresses keeps them apart.
  settings: {
    ...{ starts: [`${outer.origin}/`, `${inner.origin}/`], agents: ['Googlebot'], scope: 'host' },
    ...{ maxPages: null, maxDepth: null, include: [], exclude: [], maxAlike: null, sitemaps: true },
    ...{ isRobotsGiven: false, profile: 'google', startedAt: 0 },
  },
});
const urls = (await run.urls(-1, 100)).map(({ url, state }) => [
  new URL(url).hostname,
  new URL(url).pathname,
  state,
]);
const problems = (await run.sitemaps()).map(({ problem }) => problem);
process.stdout.write(JSON.stringify({ end, asked, urls, problems }));
await run.close();
for (const { server } of [inner, outer]) server.close();
rmSync(folder, { recursive: true });
