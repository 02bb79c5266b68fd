import { createHook } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/http/address-policy.ts';
import { LocalFailureError } from '../../src/http/local-failure.ts';
import { ConnectionPool, type ConnectionPoolOptions } from '../../src/http/pool/connection-pool.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve, serveRaw, type TestServer } from '../support/server.ts';

async function start(
  starting: Promise<TestServer>,
  options: Partial<ConnectionPoolOptions> = {},
): Promise<{ readonly origin: string; readonly pool: ConnectionPool }> {
  const site = await starting;
  const addressPolicy = createAddressPolicy({ allowPrivateAddresses: true });
  const pool = new ConnectionPool({ connections: 2, timeout: 20_000, addressPolicy, ...options });
  await closeAtEnd(site);
  await closeAtEnd(pool);
  return { origin: site.origin, pool };
}

const PLAIN = { headers: {}, maxBytes: 1_000 };
const ALL = { ...PLAIN, isRead: () => true };
const { signal } = new AbortController();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('deadlines begin when the request is sent', () => {
  test('not while it waits for a connection of the pool', async () => {
    const site = serve(({ url }, response) => (url === '/fast' ? response.end('x') : undefined));
    const { origin, pool } = await start(site, { connections: 1, timeout: 2_000 });
    const slow = pool.collect(`${origin}/slow`, ALL);
    const fast = pool.collect(`${origin}/fast`, ALL);
    await expect(slow).rejects.toMatchObject({ name: 'RequestError', code: 'timeout' });
    expect(await fast).toMatchObject({ status: 200 });
  });

  test('nor while its name waits in the queue of the resolver', async () => {
    let leaveQueue: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      leaveQueue = resolve;
    });
    const resolve: NonNullable<ConnectionPoolOptions['resolver']>['resolve'] = async (_name, options) => {
      options?.onQueue?.();
      await left;
      options?.onSend?.();
      return ['127.0.0.1'];
    };
    const site = serve((_request, response) => response.end('x'));
    const { origin, pool } = await start(site, { timeout: 1_000, resolver: { resolve } });
    const collecting = pool.collect(`http://site.test:${new URL(origin).port}/`, ALL);
    // Longer than a request may take.
    setTimeout(leaveQueue, 1_200);
    expect(await collecting).toMatchObject({ status: 200 });
  });
});

describe('failures', () => {
  test('a blocked port and a private address have codes of their own', async () => {
    const addressPolicy = createAddressPolicy();
    const { pool } = await start(
      serve(() => {}),
      { addressPolicy },
    );
    await expect(pool.collect('http://127.0.0.1:25/', ALL)).rejects.toMatchObject({ code: 'blocked-port' });
    await expect(pool.collect('http://127.0.0.1:2/', ALL)).rejects.toMatchObject({ code: 'private-address' });
  });

  test.each([
    ['a failure of this machine', new LocalFailureError('name-server-unreachable', 'no name server')],
    ['an error of the program', new TypeError('resolve4 is not a function')],
  ])('%s stays one', async (_name, failure) => {
    const { pool } = await start(
      serve(() => {}),
      { resolver: { resolve: () => Promise.reject(failure) } },
    );
    await expect(pool.collect('http://site.test/', ALL)).rejects.toBe(failure);
  });

  test('a reset is not the end of a body without a length', async () => {
    let server: Socket | undefined;
    const site = serveRaw((socket) => {
      server = socket;
      socket.write('HTTP/1.1 200 OK\r\n\r\nthe beginning');
    });
    const { origin, pool } = await start(site);
    const { body } = await pool.stream(`${origin}/`, PLAIN, signal);
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of body) {
        pieces.push(text(piece as Uint8Array));
        server?.resetAndDestroy();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'RequestError', code: 'network' });
    expect(pieces).toEqual(['the beginning']);
  });

  test.each([
    ['informational responses', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1_000)],
    [
      'extensions of chunks',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${`1;${'x'.repeat(4_000)}\r\na\r\n`.repeat(100)}`,
    ],
  ])('%s without end', async (_name, piece) => {
    const site = serveRaw((socket) => {
      const write = (): void => {
        while (socket.writable && socket.write(piece));
      };
      socket.on('drain', write);
      write();
    });
    const { origin, pool } = await start(site);
    await expect(pool.collect(`${origin}/`, { ...ALL, maxBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'network',
    });
  });

  test('the signal of a caller ends its request only', async () => {
    const arrived: (() => void)[] = [];
    const site = serve(({ url }, response) => {
      if (url === '/fast') response.end('x');
      else arrived.shift()?.();
    });
    const { origin, pool } = await start(site);
    const caller = new AbortController();
    const arrival = new Promise<void>((resolve) => arrived.push(resolve));
    const slow = pool.collect(`${origin}/slow`, ALL, caller.signal);
    await arrival;
    const reason = new Error('gone');
    caller.abort(reason);
    await expect(slow).rejects.toBe(reason);
    expect(await pool.collect(`${origin}/fast`, ALL)).toMatchObject({ status: 200 });
    await expect(pool.collect(`${origin}/fast`, ALL, caller.signal)).rejects.toBe(reason);
  });

  test('an abort ends requests that wait, and bodies', async () => {
    const site = serve(({ url }, response) => (url === '/body' ? response.write('x') : undefined));
    const { origin, pool } = await start(site, { connections: 1 });
    const { body } = await pool.stream(`${origin}/body`, PLAIN, signal);
    const waiting = pool.collect(`${origin}/`, ALL);
    const reason = new Error('stop');
    pool.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(body.toArray()).rejects.toBe(reason);
  });
});

describe('headers', () => {
  test('are all there, however many there are', async () => {
    const many = Array.from({ length: 2_500 }, () => 'a: 1\r\n').join('');
    const site = serveRaw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n${many}x-empty:\r\nX-Robots-Tag: noindex\r\ncontent-length: 0\r\n\r\n`),
    );
    const { origin, pool } = await start(site);
    const { headers } = await pool.collect(`${origin}/`, ALL);
    expect(headers.length).toBe(2_503);
    expect(headers).toContainEqual(['x-robots-tag', 'noindex']);
  });

  test('that are invalid are refused, and leave no connection reserved', async () => {
    const { origin, pool } = await start(serve((_request, response) => response.end('x')));
    for (let count = 0; count < 5; count++)
      await expect(pool.collect(`${origin}/`, { ...ALL, headers: { 'user-agent': 'a\nb' } })).rejects.toThrow(
        TypeError,
      );
    expect(await pool.collect(`${origin}/`, ALL)).toMatchObject({ status: 200 });
  });

  test('of more than 16 KiB are a failure', async () => {
    const site = serveRaw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(17_000)}\r\ncontent-length: 0\r\n\r\n`),
    );
    const { origin, pool } = await start(site);
    await expect(pool.collect(`${origin}/`, ALL)).rejects.toMatchObject({ code: 'network' });
  });
});

describe('bodies', () => {
  test('an encoded one that is longer than the limit is decoded once', async () => {
    const body = gzipSync(randomBytes(1_000_000).toString('hex'));
    let decoders = 0;
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'ZLIB') decoders++;
      },
    });
    const site = serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    );
    const { origin, pool } = await start(site);
    hook.enable();
    const maxBytes = 500_000;
    const response = await pool.collect(`${origin}/`, { ...ALL, maxBytes }).finally(() => hook.disable());
    expect(response.body.length).toBe(maxBytes + 1);
    expect(decoders).toBe(1);
  });

  test('a long one is streamed as fast as it is read, over a connection that is kept', async () => {
    const bytes = Buffer.alloc(5_000_000, 'abc');
    const connections = new Set<Socket>();
    const site = serve(({ socket }, response) => {
      connections.add(socket);
      response.end(bytes);
    });
    const { origin, pool } = await start(site, { connections: 1 });
    for (let times = 0; times < 2; times++) {
      const { body } = await pool.stream(`${origin}/`, { ...PLAIN, maxBytes: bytes.length }, signal);
      const hash = createHash('sha256');
      for await (const piece of body) hash.update(piece as Uint8Array);
      expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
    expect(connections.size).toBe(1);
  });

  test('a path keeps its empty query, and loses its fragment', async () => {
    const paths: (string | undefined)[] = [];
    const site = serve(({ url }, response) => {
      paths.push(url);
      response.end();
    });
    const { origin, pool } = await start(site);
    for (const path of ['/a?', '/a?b#c', '/#?']) await pool.collect(`${origin}${path}`, ALL);
    expect(paths).toEqual(['/a?', '/a?b', '/']);
  });
});
