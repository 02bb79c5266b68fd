// One HTTP request over a connection of its own, which is closed after it: for requests to different servers. Deadlines belong to the
// caller, who aborts.
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { getPathStart, removeFragment } from '@maycrawl/core/url';
import { ConnectionGuard, MAX_HEADER_BYTES, type ResponseHeaders } from './connection-guard.ts';
import { createSingleConnector } from './connector.ts';
import { decodeLocation, isRedirectStatus, type RedirectResponse } from './redirects.ts';
import { Client, sendRequest } from './undici.ts';

export interface SingleRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many bytes of the response's body are of use. A connection that carries far more is closed. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A response whose body has not been read. */
export interface SingleResponse extends RedirectResponse {
  readonly headers: ResponseHeaders;
  /** As it was sent, not decoded. */
  readonly body: Readable;
  /** Returns the error that cut off a body that seems to be complete. Call it after reading the body. */
  getReset(): Error | undefined;
  /** Closes the connection and discards what was not read. Must be called. */
  close(): Promise<void>;
}

/** Splits a URL into what undici takes: the origin, and the path with its query, an empty one included. */
export function splitUrl(url: string): { readonly origin: string; readonly path: string } {
  const { origin, href } = new URL(url);
  return { origin, path: removeFragment(href.slice(getPathStart(href))) };
}

/**
 * Sends a request. Redirects are not followed (redirects.ts).
 *
 * @param socket - a connection to the server of the URL (connector.ts). It is closed if the request fails.
 * @param url - an http or https URL.
 * @throws what broke the connection, and the signal's reason if it is aborted.
 */
export async function sendSingleRequest(
  socket: Socket,
  url: string,
  options: SingleRequest,
): Promise<SingleResponse> {
  const { maxBytes, ...request } = options;
  const guard = new ConnectionGuard(socket);
  guard.startResponse(maxBytes);
  const { origin, path } = splitUrl(url);
  // No time limits but the caller's.
  const client = new Client(origin, {
    connect: createSingleConnector(socket),
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const close = async (): Promise<void> => {
    await client.destroy();
    socket.destroy();
  };
  try {
    const { statusCode: status, headers, body } = await sendRequest(client, { ...request, path });
    return {
      url,
      status,
      headers,
      body,
      location: isRedirectStatus(status) ? decodeLocation(headers['location']) : undefined,
      getReset: () => guard.getReset(headers),
      close: async () => {
        // As long as the body is there, it listens to the caller's signal, which may live long.
        body.on('error', () => {}).destroy();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
