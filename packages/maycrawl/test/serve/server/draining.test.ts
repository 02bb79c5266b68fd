import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import { getDecisionPath, startService, type TestService } from '../../support/service.ts';

const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';
const HALF = REQUEST.length / 2;

const connections: Connection[] = [];
afterEach(() => {
  for (const { socket } of connections.splice(0)) socket.destroy();
});

/** A connection that sends requests one after another. */
class Connection {
  readonly socket: Socket;
  text = '';
  #onChange = (): void => {};

  private constructor(socket: Socket) {
    this.socket = socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.text += chunk;
      this.#onChange();
    });
    socket.on('close', () => this.#onChange());
    // A reset is an incomplete response.
    socket.on('error', () => {});
    connections.push(this);
  }

  static async open({ address }: TestService): Promise<Connection> {
    const accepted = new Connection(connect(Number(new URL(address).port), '127.0.0.1'));
    await once(accepted.socket, 'connect');
    return accepted;
  }

  /** Sends the rest of a request. @returns the response, which may be incomplete. */
  async complete(bytes: string): Promise<string> {
    this.text = '';
    this.socket.write(bytes);
    while (!this.text.endsWith('}') && !this.socket.destroyed)
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    return this.text;
  }

  /** Reads until the service closes the connection. */
  async readAll(): Promise<string> {
    if (!this.socket.closed) await new Promise((resolve) => this.socket.once('close', resolve));
    return this.text;
  }
}

function openAll(service: TestService, count: number, bytes = ''): Promise<Connection[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const connection = await Connection.open(service);
      if (bytes !== '') connection.socket.write(bytes);
      return connection;
    }),
  );
}

/** Waits until the service has accepted connections and read the bytes of each. */
async function untilRead({ app }: TestService, connections: number): Promise<void> {
  const count = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.server.getConnections((error, found) => (error === null ? resolve(found) : reject(error))),
    );
  while ((await count()) < connections) await new Promise((resolve) => setImmediate(resolve));
  // Bytes that were sent before this request are read before it.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('four restarts drop no request of persistent, half-sent and silent connections', async () => {
  let service = await startService();
  const failures: string[] = [];
  let isEnding = false;
  /** Requests that each client has sent to the current instance. */
  const sent = Array.from({ length: 16 }, () => 0);
  const clients = sent.map(async (_, index) => {
    let current = service;
    let connection = await Connection.open(current);
    while (!isEnding && failures.length === 0) {
      const response = await connection.complete(REQUEST);
      if (!response.startsWith('HTTP/1.1 200')) failures.push(`persistent: ${response.slice(0, 60)}`);
      if (current === service) sent[index] = (sent[index] as number) + 1;
      if (!/^connection: close\r$/im.test(response)) continue;
      await connection.readAll();
      // A proxy follows `/readyz`.
      current = service;
      connection = await Connection.open(current);
    }
    connection.socket.destroy();
  });
  const untilAllSent = async (): Promise<void> => {
    while (failures.length === 0 && sent.some((count) => count < 2))
      await new Promise((resolve) => setImmediate(resolve));
  };
  for (let restart = 0; restart < 4; restart++) {
    const old = service;
    await untilAllSent();
    const half = await openAll(old, 20, REQUEST.slice(0, HALF));
    const silent = await openAll(old, 20);
    const late = await openAll(old, 20, REQUEST.slice(0, HALF));
    await untilRead(old, 60);
    old.app.drain();
    expect((await old.get('/readyz')).body).toMatchObject({ status: 503, code: 'shutting-down' });
    const next = await startService();
    service = next;
    sent.fill(0);
    for (const each of await Promise.all(silent.map((connection) => connection.complete(REQUEST))))
      if (!/^HTTP\/1\.1 200 /.test(each)) failures.push(`silent: ${each.slice(0, 60)}`);
    for (const each of await Promise.all(half.map((connection) => connection.complete(REQUEST.slice(HALF)))))
      if (!/^HTTP\/1\.1 200 /.test(each)) failures.push(`half: ${each.slice(0, 60)}`);
    const newcomers = await openAll(old, 10, REQUEST);
    for (const each of await Promise.all(newcomers.map((connection) => connection.readAll())))
      if (!/^HTTP\/1\.1 200 .*^connection: close\r$/ims.test(each)) failures.push(`new: ${each}`);
    await untilAllSent();
    // Heads that have begun are completed even after the listening socket is closed.
    const closing = old.app.close();
    while (old.app.server.listening) await new Promise((resolve) => setImmediate(resolve));
    for (const each of await Promise.all(late.map((connection) => connection.complete(REQUEST.slice(HALF)))))
      if (!/^HTTP\/1\.1 200 .*^connection: close\r$/ims.test(each)) failures.push(`late: ${each}`);
    await closing;
  }
  isEnding = true;
  await Promise.all(clients);
  await service.app.close();
  expect(failures).toEqual([]);
});

test('clients that connect again and again lose no request when the service closes', async () => {
  const service = await startService();
  let isRefused = false;
  const failures: string[] = [];
  let count = 0;
  const clients = Array.from({ length: 40 }, async () => {
    while (!isRefused && failures.length === 0) {
      const connection = await Connection.open(service).catch(() => {
        isRefused = true;
      });
      if (!connection) return;
      for (let isOpen = true; isOpen; count++) {
        const response = await connection.complete(REQUEST);
        if (!response.startsWith('HTTP/1.1 200'))
          failures.push(`response ${count}: ${response.slice(0, 60)}`);
        isOpen = response.startsWith('HTTP/1.1 200') && !/^connection: close\r$/im.test(response);
      }
    }
  });
  const untilCount = async (more: number): Promise<void> => {
    for (const end = count + more; count < end && failures.length === 0; )
      await new Promise((resolve) => setImmediate(resolve));
  };
  await untilCount(400);
  service.app.drain();
  await untilCount(400);
  await service.app.close();
  await Promise.all(clients);
  expect(failures).toEqual([]);
});

test('connections that the kernel has accepted before the service closes get their responses', async () => {
  const service = await startService();
  const connections = await openAll(service, 50, REQUEST);
  const closed = service.app.close();
  const responses = await Promise.all(connections.map((connection) => connection.readAll()));
  expect(responses.filter((each) => !/^HTTP\/1\.1 200 /.test(each))).toEqual([]);
  await closed;
});

test('pipelined requests of a draining service are all completed, and the last response closes the connection', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a'));
  for (const isClosing of [false, true]) {
    const service = await startService();
    const connection = await Connection.open(service);
    const all = [1, 2, 3].map((index) => {
      const path = index === 2 ? '/healthz' : getDecisionPath(`${site.origin}/a${index}`);
      return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    });
    connection.socket.write(all[0]?.slice(0, 9) as string);
    await untilRead(service, 1);
    service.app.drain();
    const closed = isClosing ? service.app.close() : undefined;
    connection.socket.write(all.join('').slice(9));
    const text = await connection.readAll();
    expect(text.match(/HTTP\/1\.1 200 /g)?.length).toBe(3);
    expect(text.match(/^connection: close\r$/gim)?.length).toBe(1);
    await (closed ?? service.app.close());
  }
  await site.close();
});

test('a head that is not complete at the end of the time to stop gets a problem document', async () => {
  const service = await startService({ limits: { stopTime: 100 } });
  const connection = await Connection.open(service);
  connection.socket.write(REQUEST.slice(0, HALF));
  await untilRead(service, 1);
  await service.app.close();
  expect(await connection.readAll()).toMatch(/^HTTP\/1\.1 503 .*"code":"shutting-down"\}$/s);
});

test('a draining service refuses the hosts that it refused before', async () => {
  const service = await startService();
  service.app.drain();
  const connection = await Connection.open(service);
  expect(await connection.complete('GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 421 /,
  );
  await service.app.close();
});
