// Crawls sites at a polite pace. Stop it at any time: the same command resumes the crawl (npm install htmlparser2@12):
//
//   node examples/crawler.mjs crawl https://example.com/
import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RobotsClient } from '@maycrawl/client';
import { createRobotsFetch, ForbiddenUrlError } from '@maycrawl/client/fetch';
import { readSitemap, SitemapError } from '@maycrawl/client/sitemap';
import { Parser } from 'htmlparser2';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    spacing: { type: 'string', default: '1000' },
    'allow-private': { type: 'boolean', default: false },
  },
});
const [folder, ...starts] = positionals;
if (starts.length === 0 || !starts.every((start) => URL.canParse(start))) {
  console.error('usage: node examples/crawler.mjs [--spacing MILLISECONDS] [--allow-private] FOLDER URL...');
  process.exit(2);
}

// Your crawler: the token that site owners write in robots.txt, and the header in which they find it.
const client = new RobotsClient({
  agent: 'MyBot',
  userAgent: 'MyBot/1.0 (+https://my.example/bot)',
  // Others write the links and sitemaps: none of their URLs leads into your network.
  allowPrivateAddresses: values['allow-private'],
  pace: { spacing: Number(values.spacing), obeysCrawlDelay: true },
});
// A request waits for its turn, and then has a minute.
const fetch = createRobotsFetch(client, {
  fetch: (url, init) => globalThis.fetch(url, { ...init, signal: AbortSignal.timeout(60_000) }),
});

// Calendars and filters have no end.
const [MAX_URLS, MAX_PAGE_BYTES] = [100_000, 5_000_000];
const getSite = (url) => new URL(url).host.replace(/^www\./, '');
const sites = new Set(starts.map(getSite));

// The journal has a line for each URL that is done, with the new URLs that it names. The queues, one for each origin, follow from it.
mkdirSync(join(folder, 'pages'), { recursive: true });
const journal = join(folder, 'journal.ndjson');
const [queues, running, seen] = [new Map(), new Set(), new Set()];
let [lines, done] = [0, 0];

function applyLine({ url, found }) {
  lines++;
  if (url !== undefined && queues.get(new URL(url).origin).delete(url)) done++;
  for (const entry of found) {
    const { origin } = new URL(entry.url);
    if (!queues.has(origin)) queues.set(origin, new Map());
    queues.get(origin).set(entry.url, entry);
    seen.add(entry.url);
  }
}

/** Stores a result. If the process is killed before the line is written, the URL is visited again. */
function store({ links, page, ...result }) {
  const found = new Map();
  for (const { kind, text } of links) {
    if (!URL.canParse(text, result.url)) continue;
    const { href, protocol } = Object.assign(new URL(text, result.url), { hash: '' });
    const isOpen = /^https?:$/.test(protocol) && (kind === 'sitemap' || sites.has(getSite(href)));
    if (isOpen && !seen.has(href) && seen.size + found.size < MAX_URLS) found.set(href, { kind, url: href });
  }
  const file = page === undefined ? undefined : `pages/${lines}.html`;
  if (file !== undefined) writeFileSync(join(folder, file), page);
  const line = { ...result, file, found: [...found.values()] };
  appendFileSync(journal, `${JSON.stringify(line)}\n`);
  applyLine(line);
  for (const [origin, queue] of queues) if (queue.size > 0 && !running.has(origin)) crawl(origin, queue);
}

/** Reads the links of a page, and its bytes; or the entries of a sitemap. */
async function readBody(kind, { status, headers, body }) {
  if (status === 200 && kind === 'sitemap')
    return { links: (await Readable.from(readSitemap(Readable.fromWeb(body))).toArray()).flat() };
  if (status !== 200 || !/html/.test(headers.get('content-type'))) {
    await body?.cancel();
    // The target of a redirect is a link: it has its own turn.
    const location = headers.get('location');
    return { links: location === null ? [] : [{ kind, text: location }] };
  }
  const [chunks, links] = [[], []];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_PAGE_BYTES) break;
  }
  const page = Buffer.concat(chunks);
  const onopentag = (name, { href }) => name === 'a' && href && links.push({ kind: 'page', text: href });
  new Parser({ onopentag }).end(page.toString());
  return { links, page };
}

/** Visits a URL until it responds, is refused for good, or has failed three times. */
async function visit({ kind, url }) {
  for (let failures = 0; ; ) {
    try {
      const response = await fetch(url, { redirect: 'manual' });
      const { status } = response;
      const { links, page } = await readBody(kind, response);
      if (status === 429 || status >= 500) throw new Error(`status ${status}`);
      const sitemaps = (await client.sitemaps(url)).map((text) => ({ kind: 'sitemap', text }));
      console.log(status, url);
      return { url, status, links: [...links, ...sitemaps], page };
    } catch (error) {
      const { message } = error.cause instanceof Error ? error.cause : error;
      // robots.txt is unreachable, or the origin pauses for longer than a request may wait.
      if (error.temporary) {
        console.log(message);
        await sleep(error.retryAt - Date.now());
      } else if (error instanceof ForbiddenUrlError || error instanceof SitemapError || ++failures === 3) {
        console.log(error instanceof ForbiddenUrlError ? message : `${url} failed: ${message}`);
        return { url, error: message, links: [] };
      }
    }
  }
}

/** Crawls an origin, one URL after another. No origin waits for another one. */
async function crawl(origin, queue) {
  running.add(origin);
  for (const entry of queue.values()) store(await visit(entry));
  running.delete(origin);
}

writeFileSync(journal, '', { flag: 'a' });
const bytes = readFileSync(journal);
// A process that was killed may have written a part of its last line.
truncateSync(journal, bytes.lastIndexOf('\n') + 1);
for (const line of bytes.toString().split('\n').slice(0, -1)) applyLine(JSON.parse(line));
if (lines > 0) console.log(`${journal}: ${done} of ${seen.size} URLs are done`);
store({ links: starts.map((text) => ({ kind: 'page', text })) });
