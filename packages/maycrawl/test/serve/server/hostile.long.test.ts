import { once } from 'node:events';
import { request as startRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
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

async function serveFile(file: string): Promise<TestServer> {
  const site = await serve((_request, response) => response.end(file));
  open.push(site);
  return site;
}

function connectTo({ address }: TestService): Socket {
  return connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {});
}

const readMetrics = async ({ address }: TestService): Promise<string> =>
  (await fetch(`${address}/metrics`)).text();

/** @returns the number of requests that were refused with a code. */
async function countRefusals(service: TestService, code: string): Promise<number> {
  const line = new RegExp(`^maycrawl_refusals_total\\{code="${code}"\\} (\\d+)`, 'm').exec(
    await readMetrics(service),
  );
  return Number(line?.[1] ?? 0);
}

async function sendLines(service: TestService, lines: readonly object[]): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${service.address}/v1/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  const text = await response.text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('lines with thousands of crawlers and a huge file do not block other requests', async () => {
  const named = Array.from(
    { length: 3_000 },
    (_, index) => `User-agent: ${createBotName(index)}\nDisallow: /${index}*x\n`,
  );
  const site = await serveFile(
    `User-agent: *\nDisallow: /p\n${'Disallow: /a*b\n'.repeat(10_000)}${named.join('')}`,
  );
  const service = await start();
  let isDone = false;
  const lines = Array.from({ length: 400 }, (_, index) => ({
    url: `${site.origin}/p${index}`,
    agent: `${createBotName(index)}${index % 2 === 0 ? 'zzzzz' : ''}`,
  }));
  const answers = sendLines(service, lines).finally(() => {
    isDone = true;
  });
  let healthy = 0;
  while (!isDone) {
    expect((await service.get('/healthz')).status).toBe(200);
    healthy++;
  }
  const allowed = (await answers).map(
    (answer) => answer['allowed'] ?? (answer['error'] as { code: string }).code,
  );
  // Crawlers without a group obey the global group. Crawlers with a group are allowed, or exceed the limit of work.
  expect(
    allowed.filter((_, index) => index % 2 === 0).every((each) => each === false || each === 'too-much-work'),
  ).toBe(true);
  expect(allowed[0]).toBe(false);
  expect(allowed[1]).toBe(true);
  expect(healthy).toBeGreaterThan(20);
});

function createBotName(index: number): string {
  return `bot${index.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] as string)}`;
}

test('connections that send no HTTP, or half a request, are destroyed and counted', async () => {
  const service = await start({ limits: { headTime: 400, lingerTime: 100 } });
  const sockets = Array.from({ length: 60 }, (_, index) => {
    const socket = connect({
      port: Number(new URL(service.address).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.on('error', () => {}).resume();
    const texts = [
      '\0\0\r\n\r\n',
      'GET / HT',
      'POST /v1/none HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{',
    ];
    socket.write(texts[index % 3] as string);
    return socket;
  });
  // No client closes its end.
  await Promise.all(sockets.map((socket) => once(socket, 'end')));
  while ((await countConnections(service)) > 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await countRefusals(service, 'malformed')).toBe(40);
  for (const socket of sockets) socket.destroy();
});

/** @returns the number of connections, including that of the test. */
function countConnections({ app }: TestService): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}

test('bytes that are not HTTP count against the rate limit', async () => {
  const service = await start({ rateLimit: 2 });
  for (const answered of [true, true, false]) {
    const socket = connectTo(service);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write('\0\0\r\n\r\n');
    await once(socket, 'close');
    expect(text.startsWith('HTTP/1.1 400')).toBe(answered);
  }
  expect((await service.get(getDecisionPath('h'))).status).toBe(429);
});

test('announced bodies that are not sent use no share of the body bytes', async () => {
  const service = await start();
  const sockets = Array.from({ length: 10 }, () => {
    const socket = connectTo(service);
    const head =
      'POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 8000000';
    socket.write(`${head}\r\n\r\n{`);
    return socket;
  });
  while (!(await readMetrics(service)).includes('maycrawl_requests_in_flight 10'))
    await new Promise((resolve) => setImmediate(resolve));
  expect((await service.post('/v1/parse', { robots: 'x: y' })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('body bytes count as they arrive, and are released when the client closes the connection', async () => {
  const service = await start({ limits: { clientBodyBytes: 1_000 } });
  const upload = startRequest(`${service.address}/v1/parse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '2000' },
  });
  upload.on('error', () => {});
  upload.write(`{"robots":"${'x'.repeat(900)}`);
  const robots = 'x'.repeat(500);
  let refused = await service.post('/v1/parse', { robots });
  while (refused.status === 200) refused = await service.post('/v1/parse', { robots });
  expect(refused).toMatchObject({ status: 429, body: { code: 'client-limit' } });
  upload.destroy();
  while ((await service.post('/v1/parse', { robots })).status !== 200);
});

test.each([
  ['nested deeply', '['.repeat(8 * 1024 * 1024), /nested deeper than 16 levels/],
  ['of very many values', `[${'[],'.repeat(1_000_000)}0]`, /more than 110000 values/],
  ['nested in strings only', JSON.stringify({ robots: '[['.repeat(100) }), undefined],
])('JSON %s', async (_name, text, message) => {
  const service = await start();
  const { status, body } = await service.post('/v1/parse', text);
  expect(status).toBe(message === undefined ? 200 : 400);
  if (message !== undefined)
    expect(body).toMatchObject({ code: 'invalid-json', detail: expect.stringMatching(message) });
});

test('reports about files are truncated and contain the totals', async () => {
  const service = await start();
  const robots = ':\n'.repeat(60_000);
  const parsed = await service.post('/v1/parse', { robots });
  expect(parsed.body).toMatchObject({ totals: { diagnostics: 60_000, groups: 0 } });
  expect((parsed.body['diagnostics'] as unknown[]).length).toBe(10_000);
  const linted = await service.post('/v1/lint', { robots });
  const { findings, totals } = linted.body as { findings: unknown[]; totals: { findings: number } };
  expect(findings.length).toBe(10_000);
  expect(totals.findings).toBeGreaterThan(50_000);
  for (const { body } of [parsed, linted]) expect(JSON.stringify(body).length).toBeLessThan(5_000_000);
  const rules = await service.post('/v1/parse', {
    robots: `User-agent: *\n${'Disallow: /a\n'.repeat(30_000)}`,
  });
  expect(rules.body).toMatchObject({ totals: { groups: 1, rules: 30_000, sitemaps: 0 } });
  const small = await service.post('/v1/parse', { robots: 'User-agent: *\nDisallow: /a' });
  expect(small.body['totals']).toBeUndefined();
});

test('a client waits for its own fetches, not for those of another client', async () => {
  const service = await start({ trustProxy: ['127.0.0.1'], limits: { clientFetches: 2 } });
  const waiting: (() => void)[] = [];
  const slow = await Promise.all(
    Array.from({ length: 4 }, (_, index) =>
      serve((_request, response) => void waiting.push(() => response.end('')), `127.0.0.${index + 2}`),
    ),
  );
  open.push(...slow);
  const fast = await serveFile('User-agent: *\nDisallow: /');
  const decide = (origin: string, client: string) =>
    service.get(getDecisionPath(`${origin}/`), { headers: { 'x-forwarded-for': client } });
  const first = slow.map(({ origin }) => decide(origin, '192.0.2.1'));
  while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect((await decide(fast.origin, '192.0.2.2')).body).toMatchObject({ allowed: false });
  expect(slow.flatMap(({ requests }) => requests).length).toBe(2);
  let isDone = false;
  const all = Promise.all(first).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { status } of await all) expect(status).toBe(200);
});

test('URLs, lines and fetches count against the rate limit', async () => {
  const site = await serveFile('User-agent: *\nDisallow: /');
  const service = await start({ rateLimit: 5 });
  // The request costs one, the fetch one, and 200 URLs two.
  const urls = Array.from({ length: 200 }, (_, index) => `${site.origin}/${index}`);
  expect((await service.post('/v1/decide', { agent: 'x', urls })).status).toBe(200);
  const lines = await sendLines(
    service,
    urls.map((url) => ({ url, agent: 'x' })),
  );
  expect(lines.length).toBe(200);
  expect(lines[98]).toMatchObject({ allowed: false });
  for (const line of lines.slice(99))
    expect(line).toMatchObject({ allowed: null, error: { code: 'rate-limited' } });
  expect((await service.get(getDecisionPath(`${site.origin}/`))).status).toBe(429);
});

test('concurrent requests of one client are limited, and other clients are not affected', async () => {
  let answer = (): void => {};
  const site = await serve((_request, response) => {
    answer = () => response.end('');
  });
  open.push(site);
  const service = await start({ trustProxy: ['127.0.0.1'], limits: { clientRequests: 1 } });
  const decide = (client: string) =>
    service.get(getDecisionPath(`${site.origin}/`), { headers: { 'x-forwarded-for': client } });
  const first = decide('2001:db8::1');
  while (site.requests.length === 0) await service.get('/healthz');
  expect(await decide('2001:db8::2')).toMatchObject({ status: 429, body: { code: 'client-limit' } });
  const second = decide('2001:db9::1');
  while (!(await readMetrics(service)).includes('maycrawl_requests_in_flight 2')) await sleep(1);
  answer();
  for (const { status } of await Promise.all([first, second])) expect(status).toBe(200);
  expect(await countRefusals(service, 'client-limit')).toBe(1);
});

test('the groups of several product tokens are combined, and invalid tokens are refused', async () => {
  const file =
    'User-agent: a\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: Googlebot\nDisallow: /g\nUser-agent: MJ12bot\nDisallow: /m';
  const site = await serveFile(file);
  const service = await start();
  const urls = ['/a', '/b', '/c'].map((path) => site.origin + path);
  const { body } = await service.post('/v1/decide', { agents: ['a', 'b'], urls });
  expect((body['decisions'] as object[]).map((each) => (each as { allowed: boolean }).allowed)).toEqual([
    false,
    false,
    true,
  ]);
  for (const [agent, path, allowed] of [
    ['Googlebot-Image', '/g', false],
    ['token:Googlebot-Image', '/g', true],
    ['MJ12bot', '/m', false],
    ['Mozilla/5.0 (compatible; MJ12bot/v1.4.8)', '/m', false],
  ] as const)
    expect([agent, (await service.get(getDecisionPath(site.origin + path, agent))).body['allowed']]).toEqual([
      agent,
      allowed,
    ]);
  for (const agent of ['!', 'bot\u0000', 'bötchen', 'a*'])
    expect([agent, (await service.get(getDecisionPath(`${site.origin}/`, agent))).body['code']]).toEqual([
      agent,
      'invalid-agent',
    ]);
  for (const given of [{ agents: [] }, { agents: ['a'.repeat(1_001)] }, { agents: ['a'], agent: 'b' }, {}])
    expect((await service.post('/v1/decide', { ...given, urls })).status).toBe(400);
  const lines = await sendLines(service, [
    { url: `${site.origin}/b`, agents: ['a', 'b'] },
    { url: `${site.origin}/b`, agents: ['*'] },
    { url: `${site.origin}/b`, agent: '!' },
    { url: `${site.origin}/b`, agent: 'a', agents: ['b'] },
    { url: `${site.origin}/b`, agents: 'b' },
  ]);
  expect(lines.map(({ allowed, error }) => (error as { code: string } | undefined)?.code ?? allowed)).toEqual(
    [false, true, 'invalid-agent', 'invalid-field', 'invalid-field'],
  );
});

test.each(['/:a([a-z)', '/:a((b+)+$)', '/a*b', `/${':a-'.repeat(2_000)}`])(
  'an unknown path is not parsed as a pattern: %#',
  async (path) => {
    const service = await start();
    const { status, body } = await service.get(path);
    expect([status, body['code']]).toEqual([404, 'not-found']);
  },
);

test('a request without a route is refused before its body arrives', async () => {
  const service = await start({ tokens: ['secret'] });
  const lines = ['POST /v1/none', 'PUT /v1/decide', 'POST /metrics', 'DELETE /healthz'];
  for (const line of lines) {
    const socket = connectTo(service);
    const head = 'host: localhost\r\ncontent-type: application/json\r\ncontent-length: 8000000';
    socket.write(`${line} HTTP/1.1\r\n${head}\r\n\r\n{"urls":`);
    const [text] = await once(socket.setEncoding('utf8'), 'data');
    expect(text).toMatch(/^HTTP\/1\.1 40[45] /);
    socket.destroy();
  }
});

test('a connection that ends within a body is not an internal error', async () => {
  const faults: string[] = [];
  const log = pino({ level: 'error' }, { write: (text: string) => void faults.push(text) });
  const service = await start({ log });
  const socket = connectTo(service);
  const head = 'host: localhost\r\ncontent-type: application/json\r\ncontent-length: 100';
  socket.write(`POST /v1/parse HTTP/1.1\r\n${head}\r\n\r\n{`);
  while (!(await readMetrics(service)).includes('maycrawl_requests_in_flight 1'))
    await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  while ((await readMetrics(service)).includes('maycrawl_requests_in_flight 1'))
    await new Promise((resolve) => setImmediate(resolve));
  expect(await countRefusals(service, 'client-gone')).toBe(1);
  expect(faults).toEqual([]);
});

test('a connection with too many pipelined requests is closed', async () => {
  const site = await serve(() => {});
  open.push(site);
  const service = await start({ limits: { connectionRequests: 3 } });
  const request = `GET ${getDecisionPath(`${site.origin}/a`)} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const [few, many] = [connectTo(service), connectTo(service).resume()];
  few.write(request.repeat(3));
  many.write(request.repeat(200));
  await once(many, 'close');
  // Responses of a closed connection do not count as in flight, including those that waited for another.
  expect(await countRefusals(service, 'client-limit')).toBe(1);
  while (!(await readMetrics(service)).includes('maycrawl_requests_in_flight 3'))
    await new Promise((resolve) => setImmediate(resolve));
  expect(few.destroyed).toBe(false);
  few.destroy();
  while (!(await readMetrics(service)).includes('maycrawl_requests_in_flight 0'))
    await new Promise((resolve) => setImmediate(resolve));
});

test('an idle connection is closed', async () => {
  const site = await serve(() => {});
  open.push(site);
  const service = await start({ limits: { idleTime: 300 } });
  const socket = connectTo(service).resume();
  socket.write(`GET ${getDecisionPath(`${site.origin}/a`)} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, 'close');
  expect(await countRefusals(service, 'client-gone')).toBe(1);
});

test('reports of large files count as work of the client', async () => {
  const large = await serveFile(`User-agent: *\n${'Disallow: /a\n'.repeat(30_000)}`);
  const small = await serveFile('User-agent: *\nDisallow: /a');
  const service = await start({ limits: { clientWorkTime: 1e-6 } });
  const getStatuses = async (origin: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++)
      statuses.push((await service.get(`/v1/robots?origin=${origin}`)).status);
    return statuses;
  };
  expect(await getStatuses(large.origin)).toEqual([200, 429, 429]);
  expect(await getStatuses(small.origin)).toEqual([200, 200, 200]);
});
