/**
 * Stopping without dropping requests. First the server drains: it accepts connections and requests as before, but each response closes
 * its connection, and `/readyz` responds with 503, so that proxies and clients with persistent connections move to another instance. Then
 * it closes: it stops listening, and waits for the requests whose first byte has arrived.
 *
 * @module
 */
import type { Server, Socket } from 'node:net';
import { Problem } from '../http/problems.ts';
import type { Limits } from '../limits/limits.ts';
import { hasRequest } from './http-server.ts';
import { destroyLater, formatResponse } from './malformed.ts';

const INCOMPLETE = formatResponse(
  new Problem(
    'shutting-down',
    'the service is shutting down, and the head of the request was not complete in time',
  ),
);

/** Milliseconds. A client that has just connected sends the first byte of its request within this time. */
const SILENT_TIME = 1_000;

/** Turns of the event loop in which the closing server accepts connections. */
const MAX_TURNS = 1_000;

/** Stops one server. */
export class Stopping {
  readonly #limits: Pick<Limits, 'lingerTime' | 'stopTime'>;
  #isDraining = false;
  #isClosing = false;

  constructor(limits: Pick<Limits, 'lingerTime' | 'stopTime'>) {
    this.#limits = limits;
  }

  /** Whether the server drains or closes. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on each response closes its connection. */
  drain(): void {
    this.#isDraining = true;
  }

  /**
   * Closes connections whose client still has sent nothing after a second, and those with a request, or a part of its head, at the end of
   * `stopTime` at the latest. Node closes those that have completed a request and sent no byte of another. It stops its timeouts for
   * heads when the server closes.
   *
   * @returns a promise that resolves just after the event loop has accepted the connections that have arrived. The kernel resets those that
   *   were not accepted when the server stops to listen.
   */
  async close(server: Server, sockets: Iterable<Socket>): Promise<void> {
    this.#isDraining = true;
    this.#isClosing = true;
    await acceptAll(server);
    for (const socket of sockets) {
      const getResponse = (): string | undefined => (hasRequest(socket) ? undefined : INCOMPLETE);
      destroyLater(socket, this.#limits.stopTime, getResponse);
      if (socket.bytesRead === 0) destroySilentLater(socket);
    }
  }

  /** Closes a connection without a request if the server closes. Its last response may have started before. */
  closeIdle(socket: Socket): void {
    if (!this.#isClosing || socket.destroyed) return;
    socket.end();
    destroyLater(socket, this.#limits.lingerTime);
  }
}

/** Waits for a turn of the event loop in which the server accepts no connection: libuv accepts one in each turn. */
async function acceptAll(server: Server): Promise<void> {
  let isAccepting = true;
  const onConnection = (): void => {
    isAccepting = true;
  };
  server.on('connection', onConnection);
  for (let turn = 0; isAccepting && turn < MAX_TURNS; turn++) {
    isAccepting = false;
    await new Promise((resolve) => setImmediate(resolve));
    // The first turn may have begun after its connections were accepted.
    if (turn === 0) isAccepting = true;
  }
  server.off('connection', onConnection);
}

function destroySilentLater(socket: Socket): void {
  const timer = setTimeout(() => {
    if (socket.bytesRead === 0) socket.destroySoon();
  }, SILENT_TIME);
  socket.once('close', () => clearTimeout(timer));
}
