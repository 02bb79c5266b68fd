// Audits a small site on loopback, and stores the code that V8 compiled for it, so that `maycrawl audit` starts faster with this version
// of Node (docs/decisions/0051-code-cache-of-audits.md).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { CODE_CACHE, loadAudit } = createRequire(import.meta.url)(
  '../packages/maycrawl/dist/command/load-audit.cjs',
);

const HTML = 'text/html; charset=utf-8';
const PAGES = {
  '/robots.txt': ['text/plain', 'User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n'],
  '/sitemap.xml': ['application/xml', '<urlset><url><loc>/</loc></url><url><loc>/old</loc></url></urlset>'],
  '/': [
    HTML,
    '<!doctype html><html lang=en><title>Home</title><link rel=canonical href=/><meta name=robots content=all><p><a href=/a>A</a> <a href=/old>Old</a> <a href=/private/>P</a>',
  ],
  '/a': [HTML, '<title>A</title><meta name=robots content=noindex><img src=/i.png alt=i><a href=/>Home</a>'],
};

const server = createServer(({ url }, response) => {
  if (url === '/old') return response.writeHead(301, { location: '/a' }).end();
  const [type, body] = PAGES[url] ?? [HTML, '<title>Not found</title>'];
  return response.writeHead(url in PAGES ? 200 : 404, { 'content-type': type, etag: '"1"' }).end(body);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-code-cache-'));

/** Runs a function, and returns its result with what it wrote to the standard streams. */
async function captureOutput(run) {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  let output = '';
  for (const stream of streams)
    stream.write = (text) => {
      output += text;
      return true;
    };
  try {
    const result = await run();
    return { result, output };
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = writes[index];
  }
}

try {
  const { script, main } = loadAudit();
  const site = `http://127.0.0.1:${server.address().port}/`;
  const { result, output } = await captureOutput(() =>
    main(['audit', site, '--allow-private', '--out', folder]),
  );
  // Without a database, as where its package was not installed, there is nothing to store.
  if (result === 0) writeFileSync(CODE_CACHE, script.createCachedData());
  else process.stderr.write(`audits start without a code cache: ${output}`);
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
