import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.app.close();
});

/** Larger than the buffers of the kernel on both sides. */
const SIZE = 20_000_000;
const BLOCK = 'x'.repeat(100_000);
const NEXT = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

/** A client that reads nothing before it has sent its whole request, as those with blocking sockets do. */
async function send(
  head: string,
  size: number,
  isChunked: boolean,
): Promise<{ error?: Error; text: string }> {
  const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
  sockets.push(socket.setMaxListeners(0));
  let error: Error | undefined;
  socket.on('error', (cause) => {
    error = cause;
  });
  const write = async (bytes: string): Promise<void> => {
    if (socket.destroyed || socket.write(bytes)) return;
    await new Promise((resolve) => {
      socket.once('drain', resolve).once('close', resolve);
    });
  };
  const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${size}`;
  await write(`${head}\r\n${framing}\r\n\r\n`);
  for (let sent = 0; sent < size; sent += BLOCK.length)
    await write(isChunked ? `${BLOCK.length.toString(16)}\r\n${BLOCK}\r\n` : BLOCK);
  await write(`${isChunked ? '0\r\n\r\n' : ''}${NEXT}`);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return { text, ...(error && { error }) };
}

const JSON_HEAD = 'host: localhost\r\ncontent-type: application/json';

test.each([
  ['that is too large', `POST /v1/parse HTTP/1.1\r\n${JSON_HEAD}`, 413],
  ['of an unknown route', `POST /v1/none HTTP/1.1\r\n${JSON_HEAD}`, 404],
  ['of another type', 'POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/html', 415],
  ['of another host', 'POST /v1/parse HTTP/1.1\r\nhost: evil.example', 421],
  ['of a malformed path', `POST /v1/% HTTP/1.1\r\n${JSON_HEAD}`, 400],
])(
  'a client that reads only after it has sent a body %s gets the refusal, and the connection serves the next request',
  async (_name, head, status) => {
    service = await startService();
    for (const isChunked of [false, true]) {
      const { text, error } = await send(head, SIZE, isChunked);
      expect({ isChunked, error, first: text.slice(0, 12) }).toEqual({
        ...{ isChunked, error: undefined, first: `HTTP/1.1 ${status}` },
      });
      expect(text).toMatch(/HTTP\/1\.1 200 OK.*\{"status":"ok"\}$/s);
      expect(text.match(/x-content-type-options: nosniff/g)?.length).toBe(2);
    }
  },
);

test('of a body that does not end, a bounded part is read after the refusal', async () => {
  service = await startService({ limits: { restBytes: 1_000_000 } });
  const accepted = once(service.app.server, 'connection');
  const sent = send(`POST /v1/parse HTTP/1.1\r\n${JSON_HEAD}`, 50_000_000, false);
  const [connection] = (await accepted) as [Socket];
  await sent;
  expect(connection.bytesRead).toBeLessThan(2_000_000);
});

test('the connection of a refused body that stops arriving is closed', async () => {
  service = await startService({ limits: { lingerTime: 100 } });
  const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
  sockets.push(socket.on('error', () => {}).resume());
  socket.write(`POST /v1/none HTTP/1.1\r\n${JSON_HEAD}\r\ncontent-length: 9\r\n\r\n{`);
  await new Promise((resolve) => socket.once('close', resolve));
});

test('a client that sends a head without an end gets the refusal', async () => {
  service = await startService();
  const { text } = await send(`GET / HTTP/1.1\r\nx: ${BLOCK.repeat(2)}`, 0, false);
  expect(text).toMatch(/^HTTP\/1\.1 431 .*x-content-type-options: nosniff.*"code":"head-too-large"\}$/s);
});
