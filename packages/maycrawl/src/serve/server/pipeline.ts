// The requests of one connection that have no response yet (pipelining, RFC 9112 section 9.3.2).
//
// Thousands of small requests can arrive in one turn of the event loop. When the time slice of the turn is used up, the rest waits
// in the queue of its connection, and the connections take turns.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TimeSlices } from '@maycrawl/client/internal';
import { hasUnreadBody } from '../http/body.ts';

/** Handles a request. @returns whether its response is already complete. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * What a connection waits for: the first byte of its first request, the rest of a head, the rest of a body that has its response already, a
 * response, or another request.
 */
export type ConnectionState = 'silent' | 'head' | 'body' | 'response' | 'idle';

export class Pipeline {
  readonly #socket: Socket;
  readonly #handle: RequestHandler;
  readonly #slices: Pick<TimeSlices, 'isUsedUp' | 'giveWay'>;
  #newest: ServerResponse | undefined;
  /** Responses that the framework has not finished. */
  readonly #inFlight: Set<ServerResponse> = new Set();
  /** Requests that wait for a time slice. */
  readonly #waiting: [request: IncomingMessage, response: ServerResponse][] = [];
  /** Requests whose bodies have not arrived completely. */
  #incomplete = 0;
  /** Bytes of the connection when its last request was complete. */
  #requestBytes = 0;

  constructor(socket: Socket, handle: RequestHandler, slices: Pick<TimeSlices, 'isUsedUp' | 'giveWay'>) {
    this.#socket = socket;
    this.#handle = handle;
    this.#slices = slices;
    socket.once('close', () => this.#close());
  }

  /** Requests without a complete response. */
  get length(): number {
    return this.#inFlight.size + this.#waiting.length;
  }

  /** What the connection waits for. A part of a head that arrived together with the last request does not count. */
  get state(): ConnectionState {
    if (this.length > 0) return 'response';
    if (this.#incomplete > 0) return 'body';
    return this.#socket.bytesRead > this.#requestBytes ? 'head' : 'idle';
  }

  /** Whether a response is that to the request that arrived last. */
  isNewest(response: ServerResponse): boolean {
    return response === this.#newest;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#arrive(request, response);
    this.#handleNow(request, response);
  }

  /** Handles a request in a later time slice, after those that wait already. */
  defer(request: IncomingMessage, response: ServerResponse): void {
    this.#arrive(request, response);
    this.#waiting.push([request, response]);
    if (this.#waiting.length === 1) void this.#handleWaiting();
  }

  get isDeferring(): boolean {
    return this.#waiting.length > 0;
  }

  #arrive(request: IncomingMessage, response: ServerResponse): void {
    this.#newest = response;
    this.#requestBytes = this.#socket.bytesRead;
    if (!hasUnreadBody(request)) return;
    this.#incomplete++;
    request.once('close', () => {
      this.#incomplete--;
      this.#requestBytes = this.#socket.bytesRead;
    });
  }

  #handleNow(request: IncomingMessage, response: ServerResponse): void {
    if (this.#handle(request, response)) return;
    this.#inFlight.add(response);
    response.once('close', () => this.#inFlight.delete(response));
  }

  async #handleWaiting(): Promise<void> {
    do {
      await this.#slices.giveWay();
      if (this.#socket.destroyed) return;
      for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
        this.#handleNow(...next);
        this.#waiting.shift();
        if (this.#slices.isUsedUp()) break;
      }
    } while (this.#waiting.length > 0);
  }

  #close(): void {
    this.#waiting.length = 0;
    // Node closes only the response that it is sending. Without the event, the work for those behind it would go on.
    for (const response of this.#inFlight) if (response.socket === null) response.destroy().emit('close');
  }
}
