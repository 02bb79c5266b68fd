// Connections whose bytes are not HTTP, or that do not complete a request.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { COMMON_HEADERS, formatProblem, PROBLEM_TYPE, Problem } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import { LIMITS, type Limits } from '../limits/limits.ts';
import type { HttpMetrics } from './http-metrics.ts';

/** Milliseconds for a client to take the response, and to send what it is sending. */
const END_TIME = 1_000;

const NOT_HTTP = formatResponse(new Problem('invalid-request', 'the bytes are not an HTTP request'));
/** Responses by the code of Node's error. */
const RESPONSES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: formatResponse(
    new Problem('invalid-request', 'the request was not complete in time'),
  ),
  HPE_HEADER_OVERFLOW: formatResponse(
    new Problem(
      'head-too-large',
      `the head of a request has at most ${LIMITS.headBytes} bytes: send long URLs in a body`,
    ),
  ),
};

/** Formats a problem as a whole response, which closes its connection. */
export function formatResponse(problem: Problem): string {
  const body = formatProblem(problem);
  const { status } = problem;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${PROBLEM_TYPE}\r\ncontent-length: ${body.length}`;
  const nosniff = Object.entries(COMMON_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${head}\r\n${nosniff.join('')}connection: close\r\n\r\n${body}`;
}

/**
 * Responds to bytes that are not HTTP and to requests that are not completed in time, and closes the connection. It counts as a request of the client; above the rate limit there is no response.
 */
export function refuseMalformed(
  error: Error & { readonly code?: string },
  socket: Socket,
  { clients, metrics }: { readonly clients: Clients; readonly metrics: HttpMetrics },
): void {
  // Each further piece is an error of the parser. They are read, because unread bytes would reset the connection before the response.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  metrics.countRefusal('malformed');
  try {
    clients.get(socket.remoteAddress ?? '').countRequests();
  } catch (refusal) {
    socket.destroy();
    if (!(refusal instanceof Problem)) throw refusal;
    return;
  }
  socket.end(RESPONSES[error.code ?? ''] ?? NOT_HTTP);
  // Many such clients do not close their end.
  destroyLater(socket, END_TIME);
}

/** Destroys a connection that is still open after a time. @param getResponse - returns what the client gets before. */
export function destroyLater(
  socket: Socket,
  milliseconds: number,
  getResponse: () => string | undefined = () => undefined,
): void {
  const timer = setTimeout(() => {
    const response = getResponse();
    // What the kernel accepts is sent; the rest is not waited for.
    if (response !== undefined) socket.write(response);
    socket.destroy();
  }, milliseconds);
  socket.once('close', () => clearTimeout(timer));
}

export type RestLimits = Pick<Limits, 'lingerTime' | 'responseTime' | 'restBytes'>;

/**
 * Reads and discards the rest of a request that already has its response: a client that sends the whole body before it reads would
 * otherwise get a reset connection in place of the response (RFC 9112 section 9.6). Beyond the limits the connection is destroyed.
 */
export function discardRest(
  request: IncomingMessage,
  { lingerTime, responseTime, restBytes }: RestLimits,
): void {
  const { socket } = request;
  // A request of Fastify's `inject` has no connection.
  if (!(socket instanceof Socket)) return;
  const destroy = (): void => {
    socket.destroy();
  };
  const silence = setTimeout(destroy, lingerTime);
  const deadline = setTimeout(destroy, responseTime);
  let bytes = 0;
  request.on('data', (piece: Uint8Array) => {
    bytes += piece.length;
    silence.refresh();
    if (bytes > restBytes) socket.destroy();
  });
  request.resume();
  // It closes when it is complete, or with its connection.
  request.once('close', () => {
    clearTimeout(silence);
    clearTimeout(deadline);
  });
}
