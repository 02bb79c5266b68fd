/**
 * Connections that send no HTTP, or only half a request.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clients } from './clients.ts';
import type { Metrics } from './metrics.ts';
import { Problem, problemDocument } from './problems.ts';

/** What a client that does not take the response gets no more time for, in milliseconds. */
const END_TIME = 1_000;

const NO_HTTP = formatResponse('that is no HTTP request');
const INCOMPLETE = formatResponse('the request was not complete in time');

function formatResponse(detail: string): string {
  const body = JSON.stringify(problemDocument(new Problem('invalid-request', detail)));
  const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\ncontent-length: ${body.length}`;
  return `${head}\r\nconnection: close\r\n\r\n${body}`;
}

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
  const response = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? INCOMPLETE : NO_HTTP;
  socket.end(response, () => socket.destroy());
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
  // When it is complete, or its connection is closed.
  request.once('close', () => clearTimeout(timer));
}
