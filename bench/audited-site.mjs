// A site for crawlers, as a separate process: arguments are the number of pages, their bytes, and their links to other pages. It
// sends its port, and responds to each message with the number of requested pages.
import { createServer } from 'node:http';

const [pages, bytes, links] = process.argv.slice(2).map(Number);
/** The number of pages that are stored. If there are more, each request creates its page. */
const MAX_STORED = 50_000;
const FILLER = `<p>${'Some words that fill a page, as many as it takes to make it as long as real pages are. '.repeat(3)}</p>\n`;

/** The first three links form a tree, so that a crawl widens; the others lead anywhere. */
function getTarget(page, link) {
  if (link < 3) return (page * 3 + link + 1) % pages;
  return (page * 7_919 + link * 104_729) % pages;
}

function createPage(page) {
  const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title><link rel="canonical" href="/${page}.html"></head><body>`;
  const list = Array.from({ length: links }, (_, link) => {
    const target = getTarget(page, link);
    return `<a href="/${target}.html">Page ${target}</a> `;
  });
  let text = head + list.join('');
  while (text.length + FILLER.length + 14 < bytes) text += FILLER;
  return `${text}</body></html>`;
}

const stored = Array.from({ length: pages <= MAX_STORED ? pages : 0 }, (_, page) =>
  Buffer.from(createPage(page)),
);
let requested = 0;
const server = createServer(({ url }, response) => {
  if (url === '/robots.txt') {
    response.end('User-agent: *\nDisallow: /private\n');
    return;
  }
  const page = url === '/' ? 0 : Number(/^\/(\d+)\.html$/.exec(url)?.[1] ?? -1);
  if (page < 0 || page >= pages) {
    response.writeHead(404).end();
    return;
  }
  requested++;
  const body = stored[page] ?? Buffer.from(createPage(page));
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length })
    .end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => process.send({ requested }));
process.on('disconnect', () => process.exit());
