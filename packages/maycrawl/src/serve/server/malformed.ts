/**
 * Connections whose bytes are not HTTP, or that do not complete a request.
 *
 * @module
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { formatProblem, PROBLEM_TYPE, Problem } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import { LIMITS } from '../limits/limits.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds for a client to take the response. */
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
  return `${head}\r\nconnection: close\r\n\r\n${body}`;
}

/**
 * Responds to bytes that are not HTTP and to requests that are not completed in time, and destroys the connection: many such
 * clients do not close their end. It counts as a request of the client; above the rate limit there is no response.
 */
export function answerMalformed(
  error: Error & { readonly code?: string },
  socket: Socket,
  { clients, metrics }: { readonly clients: Clients; readonly metrics: Metrics },
): void {
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
  socket.end(RESPONSES[error.code ?? ''] ?? NOT_HTTP, () => socket.destroy());
  // If the client does not read, the response stays in the buffers.
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

/** Destroys the connection of a request that already has its response if the rest of the request does not arrive in time. */
export function requireRest(request: IncomingMessage, milliseconds: number): void {
  const { socket } = request;
  // A request of Fastify's `inject` has no connection.
  if (!(socket instanceof Socket)) return;
  const timer = setTimeout(() => socket.destroy(), milliseconds);
  // Chunks of one byte each are expensive even if they are discarded.
  if (request.headers['transfer-encoding'] !== undefined) socket.pause();
  // It closes when it is complete, or with its connection.
  request.once('close', () => clearTimeout(timer));
}
