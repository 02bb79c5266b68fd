/**
 * Connections that send no HTTP, or only half a request.
 *
 * @module
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, problemDocument } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import { LIMITS } from '../limits/limits.ts';
import type { Metrics } from './metrics.ts';

/** What a client that does not take the response gets no more time for, in milliseconds. */
const END_TIME = 1_000;

const NO_HTTP = formatResponse(new Problem('invalid-request', 'that is no HTTP request'));
const INCOMPLETE = formatResponse(new Problem('invalid-request', 'the request was not complete in time'));
const HEAD_TOO_LARGE = formatResponse(
  new Problem('head-too-large', `the head has at most ${LIMITS.headBytes} bytes: send long URLs in a body`),
);

function formatResponse(problem: Problem): string {
  const body = JSON.stringify(problemDocument(problem));
  const { status } = problem;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\ncontent-length: ${body.length}`;
  return `${head}\r\nconnection: close\r\n\r\n${body}`;
}

/** By the code of the error. */
const RESPONSES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: INCOMPLETE,
  HPE_HEADER_OVERFLOW: HEAD_TOO_LARGE,
};

/**
 * Answers a connection that sends no HTTP, or does not complete a request in time, and destroys it: many such clients do not close
 * their end. It counts as a request of its client; beyond the rate limit there is no answer.
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
  metrics.refused('malformed');
  try {
    clients.get(socket.remoteAddress ?? '').countRequests();
  } catch {
    // The client sends too many; that it gets no answer is the answer.
    socket.destroy();
    return;
  }
  socket.end(RESPONSES[error.code ?? ''] ?? NO_HTTP, () => socket.destroy());
  // A client that does not read keeps the response in the buffers.
  closeLater(socket, END_TIME);
}

/** Destroys a connection after so many milliseconds. */
function closeLater(socket: Socket, milliseconds: number): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds);
  socket.once('close', () => clearTimeout(timer));
}

/** Destroys the connection of a request that has its response if the rest of it does not come within so many milliseconds. */
export function requireRest(request: IncomingMessage, milliseconds: number): void {
  const timer = setTimeout(() => request.socket.destroy(), milliseconds);
  // Chunks of one byte each cost far more than their bytes, also if they are only discarded.
  if (request.headers['transfer-encoding'] !== undefined) request.socket.pause();
  // When it is complete, or its connection is closed.
  request.once('close', () => clearTimeout(timer));
}
