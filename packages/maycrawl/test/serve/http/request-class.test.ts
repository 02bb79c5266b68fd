import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createRequestClass } from '../../../src/serve/http/request-class.ts';

test('the parser reads no further requests of a connection that was destroyed', async () => {
  let parsed = 0;
  const RequestClass = createRequestClass(() => {});
  const server = createServer({
    IncomingMessage: class extends RequestClass {
      constructor(...args: ConstructorParameters<typeof RequestClass>) {
        super(...args);
        parsed++;
      }
    },
  });
  server.on('request', (request) => request.socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.resume().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(5_000));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(parsed).toBeLessThan(5);
  server.close();
});

test('a request for an upgrade is a normal request', async () => {
  const server = createServer({ IncomingMessage: createRequestClass(() => {}) }, (_request, response) =>
    response.end('ok'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
  const [text] = await once(socket, 'data');
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
  server.close();
});
