// The crawler of docs/crawler.md: it is stopped in the middle of requests, resumes, and the access log of its site is judged.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createTestFolder } from '../../../maycrawl/test/support/folder.ts';
import { ROOT } from '../../../maycrawl/test/support/run.ts';
import { runHere } from '../../../maycrawl/test/support/run-here.ts';
import { AccessLog } from '../support/access-log.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve } from '../support/server.ts';

/** Milliseconds between two requests. */
const SPACING = 20;
const guide = readFileSync(join(ROOT, 'docs/crawler.md'), 'utf8');
const ROBOTS = 'User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml\n';
const range = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `/${name}/${index}`);
const [LINKED, LISTED, PRIVATE] = [range('linked', 8), range('listed', 8), range('private', 4)];

interface StartedCrawler {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
}

function startCrawler(...args: string[]): StartedCrawler {
  const child = spawn(process.execPath, [join(ROOT, 'examples/crawler.mjs'), ...args]);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return { child, ended: once(child, 'close').then(([code, signal]) => ({ code, signal, ...output })) };
}

/** Responds as a small site does, with everything that a crawler meets. */
function createSite(other: string): { listener: RequestListener; setOrigin(own: string): void } {
  let [origin, failures] = ['', 0];
  const toHtml = (paths: readonly string[]): string =>
    paths.map((path) => `<p>Ünicode <A class=x href='${path}#part'>a link</A>`).join('\n');
  const toSitemap = (urls: readonly string[]): string =>
    `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
  const pages: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/robots.txt': (response) => response.end(ROBOTS.replace('/sitemap', `${origin}/sitemap`)),
    '/': (response) =>
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(
          toHtml([
            ...LINKED,
            '/old',
            '/busy?a=1&amp;b=2',
            '/file.pdf',
            ...PRIVATE,
            other,
            'mailto:a@b.example',
          ]),
        ),
    '/old': (response) => response.writeHead(301, { location: '/new' }).end(),
    '/file.pdf': (response) => response.setHeader('content-type', 'application/pdf').end('%PDF'),
    '/busy?a=1&b=2': (response) => response.writeHead(failures++ === 0 ? 503 : 200).end(),
    '/sitemap.xml': (response) =>
      response.end(`<sitemapindex><sitemap><loc>${origin}/pages.xml.gz</loc></sitemap></sitemapindex>`),
    '/pages.xml.gz': (response) =>
      response.end(gzipSync(toSitemap([...LISTED, ...PRIVATE].map((path) => `${origin}${path}`)))),
  };
  return {
    setOrigin: (own) => {
      origin = own;
    },
    listener: ({ url = '' }, response) => {
      const respond = pages[url];
      if (respond !== undefined) respond(response);
      else response.setHeader('content-type', 'text/html').end(toHtml(['/', ...LINKED.slice(0, 2)]));
    },
  };
}

const OPEN = ['/', '/old', '/new', '/busy?a=1&b=2', '/file.pdf', ...LINKED, ...LISTED];

test('the crawler loses no URL and repeats none but those in flight when it is stopped twice, and the log of the site has no violation', async () => {
  const folder = createTestFolder('crawler');
  const log = new AccessLog();
  const other = await closeAtEnd(serve((_request, response) => response.end()));
  const { listener, setOrigin } = createSite(`${other.origin}/`);
  /** Is called with the next page that is requested, which then gets no response. */
  let onPage: ((path: string) => void) | undefined;
  let requested = 0;
  const arrivals: number[] = [];
  const site = await closeAtEnd(
    serve((request, response) => {
      log.record(request, response);
      if (request.url !== '/robots.txt') arrivals.push(performance.now());
      if (request.url !== '/robots.txt' && ++requested % 8 === 0 && onPage !== undefined)
        onPage(request.url as string);
      else listener(request, response);
    }),
  );
  setOrigin(site.origin);
  const crawlerArgs = [
    '--allow-private',
    '--spacing',
    String(SPACING),
    join(folder, 'crawl'),
    `${site.origin}/`,
  ];

  const interrupted: string[] = [];
  let printed = '';
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const { child, ended } = startCrawler(...crawlerArgs);
    const page = new Promise<string>((resolve) => {
      onPage = resolve;
    });
    interrupted.push(await page);
    child.kill(signal);
    const stopped = await ended;
    expect(stopped).toMatchObject({ signal, stderr: '' });
    printed += stopped.stdout;
    // What a process leaves that is killed while it writes a line.
    appendFileSync(join(folder, 'crawl/journal.ndjson'), '{"url":"http');
  }
  onPage = undefined;
  const startedAt = performance.now();
  const before = arrivals.length;
  const { code, stdout, stderr } = await startCrawler(...crawlerArgs).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual((arrivals.length - before - 1) * SPACING);

  const expected = ['/sitemap.xml', '/pages.xml.gz', ...OPEN];
  const pages = site.requests.filter((path) => path !== '/robots.txt');
  expect([...new Set(pages)].sort()).toEqual([...expected].sort());
  const repeated = pages.filter((path, index) => pages.indexOf(path) < index);
  expect(repeated.sort()).toEqual([...interrupted, '/busy?a=1&b=2'].sort());
  expect(other.requests).toEqual([]);
  expect(printed + stdout).toContain(`${site.origin}/private/0 is forbidden: Disallowed.`);

  const journal = readFileSync(join(folder, 'crawl/journal.ndjson'), 'utf8').trimEnd().split('\n');
  const results = journal.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ url }) => url);
  expect(results.map(({ url }) => url).sort()).toEqual(
    [...expected, ...PRIVATE].map((path) => `${site.origin}${path}`).sort(),
  );
  const files = results.flatMap(({ file }) => (file === undefined ? [] : [String(file)]));
  expect(
    readdirSync(join(folder, 'crawl/pages'))
      .map((name) => `pages/${name}`)
      .sort(),
  ).toEqual(files.sort());
  expect(files.length).toBe(OPEN.length - 3);

  await site.close();
  writeFileSync(join(folder, 'access.log'), log.text);
  writeFileSync(join(folder, 'robots.txt'), ROBOTS);
  const [, command = ''] = /^npx maycrawl (logs .*)$/m.exec(guide) ?? [];
  const args = command.replace('https://example.com', site.origin).split(' ');
  const paths = args.map((arg) => (/^(?:access\.log|robots\.txt)$/.test(arg) ? join(folder, arg) : arg));
  const judged = await runHere([...paths, '--json']);
  expect(judged).toMatchObject({ code: 0, stderr: '' });
  const { crawlers } = JSON.parse(judged.stdout);
  expect(crawlers).toMatchObject([
    { crawler: 'MyBot', classes: { 'robots-txt': 3, allowed: pages.length, violation: 0, outage: 0 } },
  ]);

  // A further run has nothing to do.
  const count = expected.length + PRIVATE.length;
  expect(await startCrawler(...crawlerArgs).ended).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: `${join(folder, 'crawl/journal.ndjson')}: ${count} of ${count} URLs are done\n`,
  });
  expect(site.requests.length).toBe(pages.length + 3);
});

test('a site whose robots.txt is unreachable delays no other one, and the crawler says until when it waits', async () => {
  const down = await closeAtEnd(serve((_request, response) => response.writeHead(503).end()));
  const site = await closeAtEnd(serve((_request, response) => response.end()));
  const urls = [`${down.origin}/`, `${site.origin}/`];
  const { child, ended } = startCrawler('--allow-private', createTestFolder('crawler'), ...urls);
  let lines = 0;
  for await (const text of child.stdout as Readable) {
    lines += String(text).split('\n').length - 1;
    if (lines === 2) break;
  }
  child.kill();
  const { stdout } = await ended;
  expect(stdout).toContain(`200 ${site.origin}/`);
  expect(stdout).toContain(`${down.origin}/ is forbidden for now: robots.txt is unreachable`);
  expect(down.requests).toEqual(['/robots.txt']);
});

test('the crawler requests nothing in its own network without --allow-private, and says so', async () => {
  const site = await closeAtEnd(serve((_request, response) => response.end('')));
  const { code, stdout } = await startCrawler(createTestFolder('crawler'), `${site.origin}/`).ended;
  expect(code).toBe(0);
  expect(stdout).toContain('/ is forbidden: the client does not send the request for its robots.txt');
  expect(site.requests).toEqual([]);
});

test('the crawler says how it is used', async () => {
  const usage = 'usage: node examples/crawler.mjs [--spacing MILLISECONDS] [--allow-private] FOLDER URL...\n';
  const runs = [['crawl'], ['crawl', 'shop.example']].map((args) => startCrawler(...args).ended);
  for (const result of await Promise.all(runs))
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: usage });
});

test('the code in docs/crawler.md is that of the example', () => {
  const removeSpace = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const example = removeSpace(readFileSync(join(ROOT, 'examples/crawler.mjs'), 'utf8'));
  const blocks = [...guide.matchAll(/^```javascript\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(3);
  for (const [, code = ''] of blocks) expect(example).toContain(removeSpace(code));
});
