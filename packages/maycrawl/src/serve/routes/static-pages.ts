// The built pages. Each gets marks that name what the service offers.
//
// The files are few and small, so they stay in memory: a response that its client does not read keeps no file open.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** No resources of other origins, nothing inline, no frames. */
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

/** Media types by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Which pages there are besides the tester. */
export interface PageOptions {
  readonly hasMonitor: boolean;
  readonly hasAudits: boolean;
}

/** Serves the pages in a folder. @returns whether the folder has pages. */
export function addPages(
  app: FastifyInstance,
  folder: string,
  { hasMonitor, hasAudits }: PageOptions,
): boolean {
  if (!existsSync(join(folder, 'index.html'))) return false;
  const marks = ['service', ...(hasMonitor ? ['watch'] : []), ...(hasAudits ? ['audits'] : [])];
  const head = `<head>${marks.map((mark) => `<meta name="maycrawl-${mark}" content="v1">`).join('')}`;
  for (const path of listFiles(folder)) {
    if ((path === '/watch.html' && !hasMonitor) || (path === '/audits.html' && !hasAudits)) continue;
    const type = TYPES[extname(path)];
    if (type === undefined) throw new RangeError(`no media type for ${path}`);
    const file = readFileSync(join(folder, path));
    const content = path.endsWith('.html') ? Buffer.from(file.toString().replace('<head>', head)) : file;
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    // The names of assets contain a hash of their content. In the cache they serve open pages offline and after an update.
    const cacheControl = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    for (const url of path === '/index.html' ? ['/', path] : [path])
      app.get(url, { schema: { hide: true } }, async (request, reply) => {
        reply.headers(HEADERS).headers({ etag, 'cache-control': cacheControl });
        if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
        return reply.type(type).send(content);
      });
  }
  return true;
}

/** Whether `If-None-Match` names a tag: weak comparison (RFC 9110 section 13.1.2), because proxies that compress make tags weak. */
function matchesTag(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')));
}

/** Lists the paths of the files in a folder, each with a leading slash. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? listFiles(join(folder, entry.name)).map((path) => `/${entry.name}${path}`)
      : [`/${entry.name}`],
  );
}
