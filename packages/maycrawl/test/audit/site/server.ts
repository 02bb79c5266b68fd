/**
 * Serves the site on loopback.
 *
 * @module
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respond } from './site.ts';

/** A running server of the site. */
export interface RunningSite {
  readonly origin: string;
  /** The requested URLs in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** @param port - 0 for any free port. */
export async function startSite(port = 0): Promise<RunningSite> {
  const requests: string[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    const target = request.url ?? '';
    requests.push(target);
    const { status, headers, body } = respond(target, origin);
    const hasBody = status !== 204 && status !== 304;
    const length = hasBody ? [['Content-Length', String(body.length)] as const] : [];
    response.writeHead(status, [...headers, ...length].flat());
    response.end(hasBody ? body : undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
