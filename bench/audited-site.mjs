// A site for crawlers to be timed on, as a process of its own: so many pages, so large, with so many links each to other pages. It
// tells its port, and how many pages were asked for whenever it is asked.
import { createServer } from 'node:http';

const [pages, bytes, links] = process.argv.slice(2).map(Number);
/** Pages that are made once; more would fill the memory, and are made each time. */
const KEPT = 50_000;
const FILLER = `<p>${'Some words that a page has, as many as it takes to make it as long as pages are. '.repeat(3)}</p>\n`;

/** The first pages after the next ones in a tree, so that a crawl widens; the others anywhere. */
function targetOf(page, link) {
  if (link < 3) return (page * 3 + link + 1) % pages;
  return (page * 7_919 + link * 104_729) % pages;
}

function textOf(page) {
  const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title><link rel="canonical" href="/${page}.html"></head><body>`;
  const list = Array.from({ length: links }, (_, link) => {
    const target = targetOf(page, link);
    return `<a href="/${target}.html">Page ${target}</a> `;
  });
  let text = head + list.join('');
  while (text.length + FILLER.length + 14 < bytes) text += FILLER;
  return `${text}</body></html>`;
}

const kept = Array.from({ length: pages <= KEPT ? pages : 0 }, (_, page) => Buffer.from(textOf(page)));
let asked = 0;
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
  asked++;
  const body = kept[page] ?? Buffer.from(textOf(page));
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length })
    .end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => process.send({ asked }));
process.on('disconnect', () => process.exit());
