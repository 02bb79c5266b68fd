/**
 * The tester page, as it was built, with a mark that tells it that there is a service.
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

/** Serves the page from a folder. @returns whether there is one. */
export async function addPage(app: FastifyInstance, folder: string): Promise<boolean> {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return false;
  const page = readFileSync(index, 'utf8').replace('<head>', `<head>${MARK}`);
  for (const url of ['/', '/index.html'])
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      reply.type('text/html; charset=utf-8').headers(HEADERS).header('cache-control', 'no-cache');
      return page;
    });
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    globIgnore: ['index.html'],
    setHeaders: (response) => {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    },
  });
  return true;
}
