// Serves the built page on loopback with the strictest content security policy that it supports.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Responds to requests for anything but the files of the page; `undefined` for unknown paths. */
export type Service = (url: URL, request: IncomingMessage) => ServiceReply | undefined;

export interface ServiceReply {
  readonly status: number;
  readonly type?: string;
  readonly body: unknown;
}

/**
 * Serves the page below `/tools/robots/`, as behind a proxy. With a service, the HTML declares it and its routes respond.
 *
 * @returns the address of the page, and a function that closes the server.
 */
export async function servePage(
  folder: string,
  service?: Service,
): Promise<{ url: string; close: () => Promise<void> }> {
  const base = '/tools/robots/';
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : null;
    const reply = path?.startsWith('v1/')
      ? service?.(new URL(`${path}${url.search}`, 'http://loopback/'), request)
      : undefined;
    if (reply !== undefined) {
      response.writeHead(reply.status, { 'content-type': reply.type ?? 'application/json' });
      response.end(JSON.stringify(reply.body));
      return;
    }
    const name = path === '' ? 'index.html' : path;
    const file =
      name === null || name.includes('..') ? null : await readFile(join(folder, name)).catch(() => null);
    if (file === null || name === null) {
      response.writeHead(404).end();
      return;
    }
    const isMarked = name === 'index.html' && service !== undefined;
    const mark = '<head><meta name="maycrawl-service" content="v1">';
    const body = isMarked ? file.toString().replace('<head>', mark) : file;
    response.writeHead(200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
    });
    response.end(body);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}${base}`, close };
}
