// Counts open connections, and limits those of one client.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';

export interface ConnectionOptions {
  /** The accounts of clients; `undefined` behind a proxy, whose connections are those of all clients. */
  readonly clients: Clients | undefined;
  readonly onCount: (change: 1 | -1) => void;
  readonly onRefusal: (code: ProblemCode) => void;
}

/**
 * Destroys each connection that exceeds the share of its client. It gets no response: that would need a request, and time for the
 * client to send it.
 *
 * @returns the open connections.
 */
export function limitConnections(
  server: Server,
  { clients, onCount, onRefusal }: ConnectionOptions,
): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
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
  return open;
}
