import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';

/** A server on loopback, until it is closed. */
export interface TestServer {
  readonly origin: string;
  /** The requested paths, in order. */
  readonly requests: string[];
  close(): Promise<void>;
}

async function listen(server: Server | TcpServer, address = '127.0.0.1'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return `http://${address}:${(server.address() as AddressInfo).port}`;
}

/** A server that answers as `listener` says, at an address of loopback. */
export async function serve(listener: RequestListener, address?: string): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    listener(request, response);
  });
  const origin = await listen(server, address);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin, requests, close };
}

/** A server that misbehaves below HTTP: `onConnection` does with the socket what it likes once a request came. */
export async function serveRaw(
  onConnection: (socket: Socket, request: string) => void,
  onOpen: () => void = () => {},
): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    onOpen();
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (chunk: Buffer) => onConnection(socket, chunk.toString('latin1')));
  });
  const origin = await listen(server);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { origin, requests: [], close };
}
