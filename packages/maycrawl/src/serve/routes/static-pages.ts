/**
 * The pages, as they were built, with marks that tell them that there is a service, and a monitor.
 *
 * The files are few and small, so they stay in memory: a response that its client does not read has no open file.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** Nothing from elsewhere, nothing inline, in no frame. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const MARK = '<meta name="maycrawl-service" content="v1">';
/** The pages of the monitor are there, too. */
const WATCH_MARK = '<meta name="maycrawl-watch" content="v1">';

/** Media types of the files that the pages are made of. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the pages from a folder. @param isWatching - whether there is a monitor to show. @returns whether there are any. */
export function addPages(app: FastifyInstance, folder: string, isWatching: boolean): boolean {
  if (!existsSync(join(folder, 'index.html'))) return false;
  const mark = `<head>${MARK}${isWatching ? WATCH_MARK : ''}`;
  for (const path of listFiles(folder)) {
    if (path === '/watch.html' && !isWatching) continue;
    const type = TYPES[extname(path)];
    if (type === undefined) throw new RangeError(`no media type for ${path}`);
    const file = readFileSync(join(folder, path));
    const isPage = path.endsWith('.html');
    const content = isPage ? Buffer.from(file.toString().replace('<head>', mark)) : file;
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    for (const url of path === '/index.html' ? ['/', path] : [path])
      app.get(url, { schema: { hide: true } }, async (request, reply) => {
        reply.headers(HEADERS).headers({ etag, 'cache-control': 'no-cache' });
        if (request.headers['if-none-match'] === etag) return reply.code(304).send();
        return reply.type(type).send(content);
      });
  }
  return true;
}

/** The paths of the files in a folder, each with a slash before it. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? listFiles(join(folder, entry.name)).map((path) => `/${entry.name}${path}`)
      : [`/${entry.name}`],
  );
}
