/**
 * Counts open connections, limits those of one client, and closes them when the service stops.
 *
 * @module
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';
import { hasRequest } from './http-server.ts';
import { destroyLater } from './malformed.ts';

/** Settings of {@link limitConnections}. */
export interface ConnectionOptions {
  /** The accounts of clients; `undefined` behind a proxy, whose connections are those of all clients. */
  readonly clients: Clients | undefined;
  readonly onCount: (change: 1 | -1) => void;
  readonly onRefusal: (code: ProblemCode) => void;
  readonly limits: Pick<Limits, 'lingerTime' | 'stopTime'>;
}

/**
 * Destroys each connection that exceeds the share of its client. It gets no response: that would need a request, and time for the
 * client to send it.
 *
 * @returns a function that closes connections without a request now, and the others at the end of `stopTime` at the latest. Node itself
 *   closes only those that have completed a request before, and stops its timeouts for heads when the server closes.
 */
export function limitConnections(
  server: Server,
  { clients, onCount, onRefusal, limits }: ConnectionOptions,
): () => void {
  const open = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    if (isClosing) {
      socket.destroy();
      return;
    }
    let release: (() => void) | undefined;
    try {
      release = clients?.get(socket.remoteAddress ?? '').take('connections');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      onRefusal(error.code);
      socket.destroy();
      return;
    }
    onCount(1);
    open.add(socket);
    socket.once('close', () => {
      onCount(-1);
      open.delete(socket);
      release?.();
    });
  });
  return () => {
    isClosing = true;
    for (const socket of open) {
      const isIdle = !hasRequest(socket);
      if (isIdle) socket.destroySoon();
      destroyLater(socket, isIdle ? limits.lingerTime : limits.stopTime);
    }
  };
}
