import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { LIMITS } from '../../../src/serve/limits/limits.ts';
import { createServerFactory, type HttpServerOptions } from '../../../src/serve/server/http-server.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a server whose framework answers with an empty body. @returns the paths that the framework has handled. */
async function start(options: Partial<HttpServerOptions>): Promise<string[]> {
  const handled: string[] = [];
  const factory = createServerFactory({
    ...{ limits: LIMITS, tryRefuse: () => false, onRefusal: () => {} },
    isDraining: () => false,
    closesConnections: () => false,
    ...options,
  });
  server = factory((request, response) => {
    handled.push(request.url ?? '');
    response.end();
  }, {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return handled;
}

function send(bytes: string): Socket {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  return socket.resume();
}

const getRequest = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`;
const CLOSE = 'connection: close\r\n';
const waitForTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const waitForClose = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => socket.once('close', resolve));

/** Time slices that the test controls. */
function createSlices() {
  const waiting: (() => void)[] = [];
  const slices = {
    isOver: true,
    waiting,
    isUsedUp: () => slices.isOver,
    giveWay: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  };
  return slices;
}

test('a request waits while the time slice is used up, except for the liveness probe', async () => {
  const slices = createSlices();
  const handled = await start({ slices });
  const [first, gone] = [send(getRequest('/first', CLOSE)), send(getRequest('/gone', CLOSE))];
  while (slices.waiting.length < 2) await waitForTurn();
  await waitForClose(send(getRequest('/healthz', CLOSE)));
  expect(handled).toEqual(['/healthz']);
  gone.destroy();
  while ((await countConnections()) > 1) await waitForTurn();
  slices.isOver = false;
  for (const resume of slices.waiting) resume();
  await waitForClose(first);
  expect(handled).toEqual(['/healthz', '/first']);
});

test('pipelined requests that wait are handled in their order, some in each time slice', async () => {
  const slices = createSlices();
  let answered = 0;
  const handled = await start({ slices, tryRefuse: () => ++answered < 0 });
  const socket = send(['/1', '/2', '/3'].map((path) => getRequest(path)).join('') + getRequest('/4', CLOSE));
  for (let count = 1; count <= 4; count++) {
    while (slices.waiting.length < count) await waitForTurn();
    expect(handled.length).toBe(count - 1);
    slices.waiting[count - 1]?.();
  }
  await waitForClose(socket);
  expect(handled).toEqual(['/1', '/2', '/3', '/4']);
});

test('a connection with too many requests that wait is destroyed', async () => {
  const refusals: string[] = [];
  const handled = await start({
    slices: createSlices(),
    limits: { ...LIMITS, connectionRequests: 3 },
    onRefusal: (code) => refusals.push(code),
  });
  await waitForClose(send(getRequest('/').repeat(10)));
  expect([handled, refusals]).toEqual([[], ['client-limit']]);
});

test('connections beyond the limit of all connections are refused and counted', async () => {
  const refusals: string[] = [];
  await start({ limits: { ...LIMITS, connections: 2 }, onRefusal: (code) => refusals.push(code) });
  const sockets = [send(''), send('')];
  while ((await countConnections()) < 2) await waitForTurn();
  await waitForClose(send(getRequest('/')));
  expect(refusals).toEqual(['overloaded']);
  sockets[0]?.destroy();
  while ((await countConnections()) > 1) await waitForTurn();
  const [response] = await once(send(getRequest('/')), 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
});

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}
