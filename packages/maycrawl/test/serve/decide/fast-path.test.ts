import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { GOOGLE } from '@maycrawl/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { MemoryStore } from '../../../dist/index.js';
import { Agents } from '../../../dist/serve/decide/agents.js';
import { Decider } from '../../../dist/serve/decide/decider.js';
import { answerAtOnce, answeringAtOnce, plainQuestion } from '../../../dist/serve/decide/fast-path.js';
import { HostGuard } from '../../../dist/serve/http/host-guard.js';
import { Clients } from '../../../dist/serve/limits/clients.js';
import { LIMITS } from '../../../dist/serve/limits/limits.js';
import { Work } from '../../../dist/serve/limits/work.js';
import { Metrics } from '../../../dist/serve/server/metrics.js';
import { questionPath, startService, type TestService } from '../../support/service.ts';

let site: TestServer;
let quick: TestService;
/** The same, but that every request is routed. */
let routed: TestService;
beforeAll(async () => {
  const file = 'User-agent: *\nDisallow: /p\nAllow: /p/ä\nDisallow: /*?q=%2F';
  site = await serve((_request, response) => response.end(file));
  const options = { now: () => Date.UTC(2026, 0, 1), timeout: 5_000 };
  quick = await startService(options);
  routed = await startService({ ...options, rateLimit: 1_000_000 });
  for (const { address } of [quick, routed]) await fetch(address + questionPath(`${site.origin}/`));
});
afterAll(async () => {
  await quick.app.close();
  await routed.app.close();
  await site.close();
});

/** What is answered, but for the time of the answer and what tells how often one may ask. */
async function answerOf(address: string, path: string): Promise<object> {
  const response = await fetch(address + path);
  const headers = [...response.headers].filter(
    ([name]) => name !== 'date' && !name.startsWith('x-ratelimit'),
  );
  const body = (await response.text()).replace(/"fetchedAt":"[^"]*"/, '');
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

const part = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '/p',
    '/p/%C3%A4',
    '?q=%2F',
    '%',
    '%zz',
    '%FF',
    '+',
    '#',
    '&',
    '&&',
    '=',
    ';',
    ' ',
    'ä',
    '/../p',
  ),
  fc.string({ maxLength: 5 }),
);
const parts = fc.array(part, { maxLength: 4 }).map((all) => all.join(''));

test('what is answered at once is what the route answers', async () => {
  const value = fc.oneof(
    parts.map((rest) => encodeURIComponent(`${site.origin}${rest}`)),
    parts.map((rest) => `${site.origin}${rest}`),
    fc.constantFrom(
      'Googlebot',
      'Nobody',
      '',
      'Mozilla/5.0+(x)',
      'google',
      'rfc9309',
      'none',
      encodeURIComponent(site.origin),
    ),
    fc.string({ maxLength: 8 }),
  );
  const name = fc.constantFrom('url', 'url', 'agent', 'agent', 'profile', 'x', 'u%72l', '');
  const query = fc.array(
    fc.tuple(name, value).map(([key, text]) => `${key}=${text}`),
    { maxLength: 4 },
  );
  let quickOnes = 0;
  const usual = parts.map((rest) => [`url=${encodeURIComponent(site.origin + rest)}`, 'agent=Googlebot']);
  await fc.assert(
    fc.asyncProperty(fc.oneof(usual, query), async (pieces) => {
      const path = `/v1/decide?${pieces.join('&')}`;
      const target = new URL(path, 'http://x');
      if (plainQuestion(target.pathname + target.search, LIMITS) !== undefined) quickOnes++;
      expect(await answerOf(quick.address, path)).toEqual(await answerOf(routed.address, path));
    }),
    { numRuns: 300 },
  );
  expect(quickOnes).toBeGreaterThan(100);
});

test('what is known is answered without the framework, the rest is left to it', async () => {
  const decider = new Decider({ store: new MemoryStore(), userAgent: 'test', allowPrivate: true });
  const metrics = new Metrics();
  const limits = { ...LIMITS, requests: 1, urlChars: 100, agentChars: 20 };
  const agents = new Agents(limits);
  const context = { agents, decider, metrics, limits, hosts: new HostGuard([]) };
  const left: string[] = [];
  const server = createServer((request, response) => {
    if (answerAtOnce(request, response, context)) return;
    left.push(`${request.method} ${request.url}`);
    response.end('left');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (path: string, init?: RequestInit): Promise<string> =>
    (await fetch(address + path, init)).text();
  const path = questionPath(`${site.origin}/p`);
  try {
    expect(await ask(path)).toBe('left');
    const work = new Work(new Clients({ limits }).get('::1'), AbortSignal.timeout(5_000), limits);
    await decider.decide({ url: `${site.origin}/`, agent: agents.resolve('x') }, GOOGLE, work);
    expect(JSON.parse(await ask(path))).toMatchObject({ allowed: false, line: 2 });
    expect(left).toHaveLength(1);
    for (const [other, init] of [
      [path, { method: 'POST', body: 'x' }],
      [path, { method: 'HEAD' }],
      [`${path}&agent=b`],
      [`${path}&x=1`],
      [`${path}&profile=none`],
      ['/v1/decide'],
      [`/v1/decide/?${path.split('?')[1]}`],
      [questionPath(`${site.origin}/${'a'.repeat(100)}`)],
      [questionPath(`${site.origin}/`, 'a'.repeat(21))],
      [questionPath('no URL')],
      [questionPath('http://127.0.0.1:2/')],
    ] as const)
      expect(await ask(other, init), other).toBe(init?.method === 'HEAD' ? '' : 'left');
    metrics.underWay = 1;
    expect(await ask(path)).toBe('left');
    expect(left).toHaveLength(13);
  } finally {
    server.close();
  }
});

test('a request that comes when the time of a turn is used up waits, unless it only asks whether the service lives', async () => {
  const handled: (string | undefined)[] = [];
  const waiting: (() => void)[] = [];
  let isUsedUp = true;
  const slices = {
    isUsedUp: () => isUsedUp,
    giveWay: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  };
  const server = answeringAtOnce(
    () => false,
    LIMITS,
    () => {},
    slices,
  )((request, response) => {
    handled.push(request.url);
    response.end();
  }, {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const send = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    return socket.resume();
  };
  const [first, gone] = [send('/first'), send('/gone')];
  while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await once(send('/healthz'), 'close');
  expect(handled).toEqual(['/healthz']);
  gone.destroy();
  while ((await countConnections(server)) > 1) await new Promise((resolve) => setImmediate(resolve));
  isUsedUp = false;
  for (const resume of waiting) resume();
  await once(first, 'close');
  expect(handled).toEqual(['/healthz', '/first']);
  server.close();
});

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}
