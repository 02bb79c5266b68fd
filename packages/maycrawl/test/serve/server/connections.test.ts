import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as startRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { LocalFailureError } from '../../../../client/src/http/local-failure.ts';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { refetchRobotsTxt } from '../../../dist/index.js';
import { getDecisionPath, startService, type TestService } from '../../support/service.ts';

const open: (TestService | TestServer)[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await ('app' in each ? each.app.close() : each.close());
});

async function start(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const service = await startService(options);
  open.push(service);
  return service;
}

function connectTo({ address }: TestService): Socket {
  return connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {});
}

/** Sends bytes and reads until the service closes the connection. */
async function send(service: TestService, bytes: string): Promise<string> {
  const socket = connectTo(service);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nconnection: close\r\n';

test.each([
  ['one host', `${HEALTH}host: localhost\r\n\r\n`, 200],
  ['no host', `${HEALTH}\r\n`, 400],
  ['no host in HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', 400],
  ['two hosts', `${HEALTH}host: localhost\r\nHost: evil.example\r\n\r\n`, 400],
  [
    'a URL of the service as its target',
    'GET http://localhost/healthz HTTP/1.1\r\nconnection: close\r\nhost: localhost\r\n\r\n',
    200,
  ],
  [
    'a URL of another host as its target',
    'GET http://evil.example/healthz HTTP/1.1\r\nconnection: close\r\nhost: localhost\r\n\r\n',
    421,
  ],
  [
    'an unknown expectation and another host',
    'GET /healthz HTTP/1.1\r\nconnection: close\r\nhost: evil.example\r\nexpect: more\r\n\r\n',
    421,
  ],
])('the status of a request with %s is correct', async (_name, bytes, status) => {
  const service = await start();
  const text = await send(service, bytes);
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(text).toContain('x-content-type-options: nosniff');
});

test('a header after two thousand others is still read', async () => {
  const site = await serve((_request, response) => response.end(''));
  open.push(site);
  const service = await start({ trustProxy: ['127.0.0.1'], rateLimit: 2 });
  const path = getDecisionPath(`${site.origin}/`);
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    const head = `host: localhost\r\nconnection: close\r\n${'a: b\r\n'.repeat(2_000)}`;
    const text = await send(service, `GET ${path} HTTP/1.1\r\n${head}x-forwarded-for: ${client}\r\n\r\n`);
    expect([client, text.slice(0, 15)]).toEqual([client, 'HTTP/1.1 200 OK']);
  }
});

test.each([
  ['another host', 'POST /v1/parse HTTP/1.1\r\nhost: evil.example\r\n', 421],
  ['an invalid encoding of its path', 'POST /% HTTP/1.1\r\nhost: localhost\r\n', 400],
])(
  'a request with %s is refused, and its connection closed if the rest of the body does not arrive',
  async (_name, head, status) => {
    const service = await start({ limits: { lingerTime: 100 } });
    const text = await send(service, `${head}content-length: 9\r\n\r\n{`);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  },
  15_000,
);

test.each([
  ['a JSON body', '/v1/parse', 'application/json'],
  ['a body of lines', '/v1/decide?agent=x', 'application/x-ndjson'],
])(
  'the connection of %s in chunks of one byte is closed',
  async (_name, path, type) => {
    const service = await start();
    const head = `host: localhost\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked`;
    const text = await send(service, `POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${'1\r\nx\r\n'.repeat(1_100)}`);
    expect(text).not.toContain('{');
    const metrics = await (await fetch(`${service.address}/metrics`)).text();
    expect(metrics).toContain('maycrawl_refusals_total{code="invalid-request"} 1');
  },
  15_000,
);

test('a body in some small chunks is accepted', async () => {
  const service = await start();
  const request = startRequest(`${service.address}/v1/parse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  const body = JSON.stringify({ robots: 'User-agent: *\nDisallow: /a\n'.repeat(33) });
  for (const char of body) request.write(char);
  request.end();
  const [response] = await once(request, 'response');
  response.resume();
  expect([body.length > 900, response.statusCode]).toEqual([true, 200]);
});

test('the rest of a refused body in chunks of one byte is not read', async () => {
  const service = await start({ limits: { lingerTime: 1_000 } });
  let accepted: Socket | undefined;
  service.app.server.once('connection', (other: Socket) => {
    accepted = other;
  });
  const socket = connectTo(service);
  const head = 'host: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked';
  socket.write(`POST /v1/none HTTP/1.1\r\n${head}\r\n\r\n`);
  const [text] = await once(socket.setEncoding('utf8'), 'data');
  expect(text).toMatch(/^HTTP\/1\.1 404 /);
  socket.resume();
  socket.write('1\r\nx\r\n'.repeat(2_000_000));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(accepted?.bytesRead).toBeLessThan(200_000);
});

test('a network failure of this machine is not an internal error, and affects only its sites', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /'));
  open.push(site);
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (text: string) => void logged.push(text) });
  const service = await start({
    log,
    fetcher: (url, validators, options) => {
      if (!url.includes('failing')) return refetchRobotsTxt(url, validators, options);
      throw new LocalFailureError('name-server-unreachable', 'no name server responds');
    },
  });
  const failing = getDecisionPath('http://failing.example/');
  for (let time = 0; time < 3; time++)
    expect(await service.get(failing)).toMatchObject({ status: 503, body: { code: 'local-failure' } });
  const urls = ['http://failing.example/', `${site.origin}/`];
  const { body } = await service.post('/v1/decide', { agent: 'x', urls });
  expect(body['decisions']).toMatchObject([
    { allowed: null, error: { code: 'local-failure' } },
    { allowed: false },
  ]);
  const response = await fetch(`${service.address}/v1/decide?agent=x`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: urls.map((url) => `${JSON.stringify({ url })}\n`).join(''),
  });
  const lines = (await response.text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { error: { code: 'local-failure' } },
    { allowed: false },
  ]);
  // The failure is logged at most once a second.
  expect(logged.length).toBeLessThan(5);
  expect(logged[0]).toContain('"msg":"local-failure"');
  expect(logged.join('')).not.toContain('"level":50');
});

test('pages are served from memory with an ETag, and count as requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<html><head></head></html>');
  writeFileSync(join(folder, 'watch.html'), '<html><head></head></html>');
  writeFileSync(join(folder, 'assets/index.js'), 'script');
  let answer = (): void => {};
  const site = await serve((_request, response) => {
    answer = () => response.end('');
  });
  open.push(site);
  const service = await start({ pageFolder: folder, limits: { clientRequests: 1 } });
  rmSync(folder, { recursive: true });
  const get = (path: string, headers = {}): Promise<Response> =>
    fetch(`${service.address}${path}`, { headers });
  const script = await get('/assets/index.js');
  expect([script.status, await script.text()]).toEqual([200, 'script']);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.headers.get('content-security-policy')).toContain("default-src 'none'");
  const etag = script.headers.get('etag') ?? '';
  // Proxies that compress make a tag weak, and clients may send several (RFC 9110 section 13.1.2).
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
    expect((await get('/assets/index.js', { 'if-none-match': tags })).status, tags).toBe(304);
  expect((await get('/assets/index.js', { 'if-none-match': '"other"' })).status).toBe(200);
  // Names of assets contain a hash, so that an open page also works offline and after an update.
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await get('/')).headers.get('cache-control')).toBe('no-cache');
  expect(await (await get('/')).text()).toContain('<meta name="maycrawl-service"');
  for (const path of ['/watch.html', '/assets/', '/assets/../index.js', '/assets/other.js'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  const question = service.get(getDecisionPath(`${site.origin}/`));
  while (site.requests.length === 0) await get('/healthz');
  for (const path of ['/', '/assets/index.js', '/openapi.json'])
    expect([path, (await get(path)).status]).toEqual([path, 429]);
  // The probes and metrics of the operator have no rate limit.
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  answer();
  expect((await question).status).toBe(200);
});

test('concurrent NDJSON bodies of one client are limited', async () => {
  const service = await start({ limits: { clientLineBodies: 2 } });
  const requests = Array.from({ length: 3 }, () => {
    const request = startRequest(`${service.address}/v1/decide?agent=x`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    request.on('error', () => {}).flushHeaders();
    return request;
  });
  const refused = await Promise.race(requests.map((request) => once(request, 'response')));
  expect(refused[0].statusCode).toBe(429);
  for (const request of requests) request.destroy();
});

test('the connections of one client are limited, and a connection of another client is accepted', async () => {
  const service = await start({ limits: { clientConnections: 2 } });
  const { hostname: host, port } = new URL(service.address);
  const connectFrom = (localAddress: string): Socket =>
    connect({ host, port: Number(port), localAddress }).on('error', () => {});
  const request = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const sockets = [connectFrom('127.0.0.9'), connectFrom('127.0.0.9')];
  for (const socket of sockets) {
    socket.write(request);
    await once(socket, 'data');
  }
  const refused = connectFrom('127.0.0.9').resume();
  await new Promise((resolve) => refused.once('close', resolve));
  const metrics = await (await fetch(`${service.address}/metrics`)).text();
  expect(metrics).toContain('maycrawl_refusals_total{code="client-limit"} 1');
  expect(metrics).toMatch(/^maycrawl_connections [3-9]$/m);
  sockets[0]?.destroy();
  const next = async (): Promise<boolean> => {
    const socket = connectFrom('127.0.0.9').resume();
    socket.write(request);
    const isAccepted = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
    });
    socket.destroy();
    return isAccepted;
  };
  while (!(await next()));
  for (const socket of sockets) socket.destroy();
});

test('the connections of a trusted proxy are those of many clients', async () => {
  const service = await start({ limits: { clientConnections: 1 }, trustProxy: ['127.0.0.1'] });
  const sockets = Array.from({ length: 3 }, () => connectTo(service));
  for (const socket of sockets) {
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'data');
  }
  for (const socket of sockets) socket.destroy();
});
