// Sites whose pages need their scripts, on loopback, and what the rendered pass must store about each page. The expectations are written by
// hand.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A page, and what rendering it must store. */
export interface RenderCase {
  readonly path: string;
  readonly html: string;
  /** Parts of the stored outcome. */
  readonly expected: Readonly<Record<string, unknown>>;
  /** Codes of the findings about it for Googlebot that come from rendering. */
  readonly findings: readonly string[];
}

/** A file beside the pages. */
export interface SiteFile {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A running site. */
export interface RenderSite {
  readonly origin: string;
  /** Requests in order: method and path. */
  readonly requests: readonly string[];
  /** Number of connections, also of those that sent nothing. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a site. Its files may refer to its own origin as `ORIGIN`. */
export async function startRenderSite(
  files: Readonly<Record<string, SiteFile>>,
  names: Readonly<Record<string, string>> = {},
): Promise<RenderSite> {
  const requests: string[] = [];
  let connections = 0;
  let origin = '';
  const insert = (text: string): string =>
    Object.entries({ ORIGIN: origin, ...names }).reduce(
      (all, [name, value]) => all.replaceAll(name, value),
      text,
    );
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.url === '/echo') {
      const { accept, origin: from = 'none' } = request.headers;
      response.writeHead(200, { ...(from !== 'none' && { 'access-control-allow-origin': from }) });
      response.end(`accept: ${accept}, origin: ${from}`);
      return;
    }
    // Also without its query.
    const [path = ''] = (request.url ?? '').split('?');
    const {
      status = 200,
      type = 'text/html',
      headers = {},
      body = '',
    } = files[request.url ?? ''] ?? files[path] ?? { status: 404 };
    response.writeHead(status, {
      'content-type': type,
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, insert(value)])),
    });
    response.end(insert(body));
  });
  server.on('connection', (_: Socket) => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Creates the files of a site: a start page that links to all pages. */
export function createFiles(
  cases: readonly Pick<RenderCase, 'path' | 'html'>[],
  files: Readonly<Record<string, SiteFile>> = {},
): Record<string, SiteFile> {
  const links = cases.map(({ path }) => `<a href="${path}">page</a>`);
  return {
    '/': { body: `<!doctype html><title>Start</title><body>${links.join('')}` },
    ...Object.fromEntries(cases.map(({ path, html }) => [path, { body: html }])),
    ...files,
  };
}
