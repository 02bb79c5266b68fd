/**
 * The pages, as they were built, with marks that tell them that there is a service, and a monitor.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
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

/** Serves the pages from a folder. @param isWatching - whether there is a monitor to show. @returns whether there are any. */
export async function addPage(app: FastifyInstance, folder: string, isWatching: boolean): Promise<boolean> {
  const files = { '/': 'index.html', '/index.html': 'index.html', '/watch.html': 'watch.html' };
  if (!existsSync(join(folder, 'index.html'))) return false;
  for (const [url, name] of Object.entries(files)) {
    if (name === 'watch.html' && !(isWatching && existsSync(join(folder, name)))) continue;
    const html = readFileSync(join(folder, name), 'utf8');
    const page = html.replace('<head>', `<head>${MARK}${isWatching ? WATCH_MARK : ''}`);
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      reply.type('text/html; charset=utf-8').headers(HEADERS).header('cache-control', 'no-cache');
      return page;
    });
  }
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    globIgnore: ['index.html', 'watch.html'],
    setHeaders: (response) => {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    },
  });
  return true;
}
