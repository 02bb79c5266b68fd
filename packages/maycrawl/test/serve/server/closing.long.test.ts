import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

let monitor: TestMonitor;
beforeEach(async () => {
  monitor = await startMonitor(Date.UTC(2026, 0, 1));
});
afterEach(() => monitor.close());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends bytes, and reads what the service sends. */
async function send({ address }: TestService, bytes: string): Promise<Socket> {
  const { port } = new URL(address);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket.on('error', () => {}));
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

test.each([
  ['sends nothing', ''],
  ['does not complete the head of its request', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n'],
])('a client that %s does not prevent the service from closing', async (_name, bytes) => {
  const service = await startService({ limits: { stopTime: 100 } });
  const accepted = once(service.app.server, 'connection');
  await send(service, bytes);
  await accepted;
  await service.app.close();
});

/** Starts a request whose body is not complete. */
async function startRequest(service: TestService): Promise<Socket> {
  const socket = await send(
    service,
    'POST /v1/decide HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
  );
  let metrics = '';
  while (!metrics.includes('maycrawl_requests_in_flight 1\n'))
    metrics = await (await fetch(`${service.address}/metrics`)).text();
  return socket;
}

test('a client that does not complete the body of its request does not prevent the service from closing', async () => {
  const service = await startService({ limits: { stopTime: 100 } });
  await startRequest(service);
  await service.app.close();
});

test('a request in flight gets its response before the service closes, even if its client keeps the connection open', async () => {
  const service = await startService({ limits: { lingerTime: 100 } });
  const socket = await startRequest(service);
  const closing = service.app.close();
  socket.write('}');
  const [chunk] = await once(socket, 'data');
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 400 /);
  await closing;
});

test('event streams that clients abort at any time neither keep the service open nor block other streams', async () => {
  let seed = 1;
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % limit;
  };
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  for (let round = 0; round < 5; round++) {
    const service = await startService({
      watch: monitor.database,
      watchLive: { interval: 1, heartbeat: 0, maxListeners: 4, maxWaiting: 200 + random(1_000) },
    });
    const streams = Array.from({ length: 4 }, async () => {
      const controller = new AbortController();
      const response = fetch(`${service.address}/v1/watch/live`, { signal: controller.signal });
      const reading = response.then(({ body }) => body?.getReader().read()).catch(() => {});
      await turns(random(60));
      controller.abort();
      await reading;
    });
    await turns(random(60));
    if (round % 2 === 0) {
      await Promise.all(streams);
      let status = 503;
      while (status === 503) {
        const controller = new AbortController();
        ({ status } = await fetch(`${service.address}/v1/watch/live`, { signal: controller.signal }));
        controller.abort();
      }
      expect(status).toBe(200);
    }
    await service.app.close();
    await Promise.all(streams);
  }
});
