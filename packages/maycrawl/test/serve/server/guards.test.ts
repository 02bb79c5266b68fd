import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import { getDecisionPath, startService } from '../../support/service.ts';

const FILE = 'User-agent: *\nDisallow: /a';

test('a service with tokens refuses requests without one, except for the probes', async () => {
  const service = await startService({ tokens: ['first', 'second'] });
  const status = async (path: string, authorization?: string) =>
    (await service.get(path, { headers: authorization === undefined ? {} : { authorization } })).status;
  for (const path of [
    getDecisionPath('h'),
    '/v1/robots?origin=h',
    '//v1/decide',
    '/v1/%64ecide',
    '/metrics',
  ]) {
    for (const wrong of [undefined, 'Bearer third', 'Bearer', 'Basic first', 'first', 'Bearer first second'])
      expect([path, wrong, [401, 404].includes(await status(path, wrong))]).toEqual([path, wrong, true]);
  }
  const refused = await fetch(`${service.address}${getDecisionPath('h')}`);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect(await refused.json()).toMatchObject({ code: 'unauthorized' });
  for (const right of ['Bearer first', 'bearer  second '])
    expect(await status(getDecisionPath('h'), right)).toBe(400);
  for (const open of ['/healthz', '/readyz', '/openapi.json']) expect(await status(open)).toBe(200);
  await service.app.close();
});

test('concurrent requests above the limit are refused until one has completed', async () => {
  let answer = (): void => {};
  const site = await serve((_request, response) => {
    answer = () => response.end(FILE);
  });
  const service = await startService({ limits: { requests: 2 }, trustProxy: ['127.0.0.1'] });
  const url = `${site.origin}/a`;
  // One client cannot use all of them.
  const from = (client: string): RequestInit => ({ headers: { 'x-forwarded-for': client } });
  const first = ['192.0.2.1', '192.0.2.2'].map((client) => service.get(getDecisionPath(url), from(client)));
  while (site.requests.length === 0) await service.get('/healthz');
  while (!(await readMetrics(service.address)).includes('maycrawl_requests_in_flight 2'))
    await service.get('/healthz');
  const response = await fetch(`${service.address}${getDecisionPath(url)}`, from('192.0.2.3'));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toMatchObject({ code: 'overloaded' });
  answer();
  for (const { status } of await Promise.all(first)) expect(status).toBe(200);
  expect((await service.get(getDecisionPath(url))).status).toBe(200);
  expect(await readMetrics(service.address)).toMatch(/maycrawl_requests_in_flight [01]\n/);
  await service.app.close();
  await site.close();
});

async function readMetrics(address: string): Promise<string> {
  return (await fetch(`${address}/metrics`)).text();
}

test('a client above the rate limit gets 429 with Retry-After', async () => {
  const service = await startService({ rateLimit: 3 });
  const answers = [];
  for (let index = 0; index < 4; index++)
    answers.push(await fetch(`${service.address}${getDecisionPath('h')}`));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 429]);
  expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answers[3]?.json()).toMatchObject({ code: 'rate-limited' });
  expect((await service.get('/healthz')).status).toBe(200);
  await service.app.close();
});

test('requests with a wrong token count against the rate limit', async () => {
  const service = await startService({ rateLimit: 3, tokens: ['sesame'] });
  const statuses = [];
  for (let index = 0; index < 5; index++) statuses.push((await service.get(getDecisionPath('h'))).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect((await service.get('/metrics', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  await service.app.close();
});

test('X-Forwarded-For counts only if it comes from a trusted proxy', async () => {
  for (const [trustProxy, expected] of [
    [['127.0.0.1'], [400, 400]],
    [[], [400, 429]],
  ] as const) {
    const service = await startService({ rateLimit: 1, trustProxy });
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.2'])
      statuses.push(
        (await service.get(getDecisionPath('h'), { headers: { 'x-forwarded-for': address } })).status,
      );
    expect(statuses).toEqual(expected);
    await service.app.close();
  }
});

test('a request above its deadline gets 504, and its fetch is aborted', async () => {
  const site = await serve(() => {});
  const service = await startService({ limits: { responseTime: 200 } });
  const { status, body } = await service.get(getDecisionPath(`${site.origin}/`));
  expect({ status, code: body['code'] }).toEqual({ status: 504, code: 'timeout' });
  await service.app.close();
  await site.close();
});

test('when the client closes the connection, the fetch is aborted', async () => {
  let ended = (): void => {};
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const site = await serve((request) => request.socket.on('close', ended));
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  const service = await startService({ log });
  const controller = new AbortController();
  const question = fetch(`${service.address}${getDecisionPath(`${site.origin}/`)}`, {
    signal: controller.signal,
  });
  while (site.requests.length === 0) await service.get('/healthz');
  controller.abort();
  await expect(question).rejects.toThrow(/abort/);
  await isEnded;
  const { address } = service;
  while (!(await readMetrics(address)).includes('route="/v1/decide",status="499"'))
    await service.get('/healthz');
  await service.app.close();
  await site.close();
  // The service does not log it as an error.
  expect(logged).toEqual([]);
});

test('a connection whose body does not arrive in time is closed', async () => {
  const service = await startService({ limits: { responseTime: 200 } });
  const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
  socket.write(
    'POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"rob',
  );
  await once(socket, 'close');
  await service.app.close();
});

test('concurrent fetches are limited', async () => {
  const waiting: (() => void)[] = [];
  let most = 0;
  // Of three places one client has two, and one stays free for others. The requests wait until there are two: the next one waits for them.
  const listener: Parameters<typeof serve>[0] = (_request, response) => {
    waiting.push(() => response.end(FILE));
    most = Math.max(most, waiting.length);
    if (waiting.length < 2) return;
    setTimeout(() => {
      for (const answer of waiting.splice(0)) answer();
    }, 20);
  };
  const sites = await Promise.all(
    Array.from({ length: 20 }, (_, index) => serve(listener, `127.0.0.${index + 2}`)),
  );
  const service = await startService({ limits: { fetches: 3 } });
  const urls = sites.map(({ origin }) => `${origin}/a`);
  const { body } = await service.post('/v1/decide', { agent: 'x', urls });
  expect((body['decisions'] as { allowed: boolean }[]).every(({ allowed }) => !allowed)).toBe(true);
  expect(most).toBe(2);
  await service.app.close();
  for (const site of sites) await site.close();
});

test('the bytes of all bodies in flight are limited', async () => {
  let answer = (): void => {};
  const site = await serve((_request, response) => {
    answer = () => response.end(FILE);
  });
  const service = await startService({ limits: { allBodyBytes: 150 } });
  const body = { agent: 'x', urls: [`${site.origin}/${'a'.repeat(50)}`] };
  const first = service.post('/v1/decide', body);
  while (site.requests.length === 0) await service.get('/healthz');
  expect(await service.post('/v1/decide', body)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  answer();
  expect((await first).status).toBe(200);
  expect((await service.post('/v1/decide', body)).status).toBe(200);
  await service.app.close();
  await site.close();
});
