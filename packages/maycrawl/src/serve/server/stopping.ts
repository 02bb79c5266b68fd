// Stopping without dropping requests. First the server drains: it accepts connections and requests as before, but each response closes
// its connection, and `/readyz` responds with 503, so that proxies and clients with persistent connections move to another instance. Then
// it keeps connections open until the last one is accepted, because a client whose connection is closed connects again. Then it closes: it
// stops listening, and waits for the requests whose first byte has arrived.
import type { Server, Socket } from 'node:net';
import { Problem } from '../http/problems.ts';
import type { Limits } from '../limits/limits.ts';
import { getConnectionState } from './http-server.ts';
import { destroyLater, formatResponse } from './malformed.ts';

const INCOMPLETE = formatResponse(
  new Problem(
    'shutting-down',
    'the service is shutting down, and the head of the request was not complete in time',
  ),
);

/** Milliseconds. A client that has just connected, or has a response, sends the first byte of its next request within this time. */
const SILENT_TIME = 1_000;
/** Milliseconds between two looks for connections that have become idle while the server closes. */
const INTERVAL = 50;
/** Turns of the event loop in which the closing server accepts connections. */
const MAX_TURNS = 1_000;

export class Stopping {
  readonly #stopTime: number;
  #phase: 'running' | 'draining' | 'accepting' | 'closing' = 'running';

  constructor({ stopTime }: Pick<Limits, 'stopTime'>) {
    this.#stopTime = stopTime;
  }

  /** Whether the server drains or closes. */
  get isDraining(): boolean {
    return this.#phase !== 'running';
  }

  /** Whether responses close their connections. */
  get closesConnections(): boolean {
    return this.#phase === 'draining' || this.#phase === 'closing';
  }

  /** From now on each response closes its connection. */
  drain(): void {
    this.#phase = 'draining';
  }

  /**
   * Closes connections that are idle or become idle, those whose client still has sent nothing after a second, and all others at the end of
   * `stopTime`. After `drain`, idle ones have this second, too: their clients may send the next request now. Node stops its own timeouts
   * when the server closes.
   *
   * @param sockets - the open connections at any time.
   * @returns a promise that resolves just after the event loop has accepted the connections that have arrived. The kernel resets those that
   *   were not accepted when the server stops to listen.
   */
  async close(server: Server, sockets: Iterable<Socket>): Promise<void> {
    const isDrained = this.#phase === 'draining';
    this.#phase = 'accepting';
    if (server.listening) await acceptAll(server);
    this.#phase = 'closing';
    if (!server.listening) return;
    for (const socket of sockets)
      destroyLater(socket, this.#stopTime, () =>
        getConnectionState(socket) === 'head' ? INCOMPLETE : undefined,
      );
    const start = performance.now();
    const closeIdle = (): void => {
      const isLate = performance.now() - start >= SILENT_TIME;
      for (const socket of sockets) {
        const state = getConnectionState(socket);
        if (state === 'idle' ? isLate || !isDrained : state === 'silent' && isLate) socket.destroySoon();
      }
    };
    closeIdle();
    const timer = setInterval(closeIdle, INTERVAL);
    server.once('close', () => clearInterval(timer));
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
