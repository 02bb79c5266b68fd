import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GOOGLE } from '@maycrawl/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { MemoryStore } from '../../../dist/index.js';
import { Agents } from '../../../dist/serve/decide/agents.js';
import { Decider } from '../../../dist/serve/decide/decider.js';
import { readDecideQuery, tryFastPath } from '../../../dist/serve/decide/fast-path.js';
import { Clients } from '../../../dist/serve/limits/clients.js';
import { LIMITS } from '../../../dist/serve/limits/limits.js';
import { Work } from '../../../dist/serve/limits/work.js';
import { Metrics } from '../../../dist/serve/server/metrics.js';
import { questionPath, startService, type TestService } from '../../support/service.ts';

let site: TestServer;
/** A service with the fast path. */
let fast: TestService;
/** A service whose rate limit disables the fast path. */
let routed: TestService;
beforeAll(async () => {
  const file = 'User-agent: *\nDisallow: /p\nAllow: /p/ä\nDisallow: /*?q=%2F';
  site = await serve((_request, response) => response.end(file));
  const options = { now: () => Date.UTC(2026, 0, 1), timeout: 5_000 };
  fast = await startService(options);
  routed = await startService({ ...options, rateLimit: 1_000_000 });
  for (const { address } of [fast, routed]) await fetch(address + questionPath(`${site.origin}/`));
});
afterAll(async () => {
  await fast.app.close();
  await routed.app.close();
  await site.close();
});

/** A response without its times. */
async function getResponse(address: string, path: string): Promise<object> {
  const response = await fetch(address + path);
  const headers = [...response.headers].filter(([name]) => name !== 'date');
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

test('the fast path and the route give the same response', async () => {
  const value = fc.oneof(
    parts.map((rest) => encodeURIComponent(`${site.origin}${rest}`)),
    parts.map((rest) => `${site.origin}${rest}`),
    fc.constantFrom(
      'Googlebot',
      'UnlistedBot',
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
  let fastQueries = 0;
  const usual = parts.map((rest) => [`url=${encodeURIComponent(site.origin + rest)}`, 'agent=Googlebot']);
  await fc.assert(
    fc.asyncProperty(fc.oneof(usual, query), async (pieces) => {
      const path = `/v1/decide?${pieces.join('&')}`;
      const target = new URL(path, 'http://x');
      if (readDecideQuery(target.pathname + target.search, LIMITS) !== undefined) fastQueries++;
      expect(await getResponse(fast.address, path)).toEqual(await getResponse(routed.address, path));
    }),
    { numRuns: 300 },
  );
  expect(fastQueries).toBeGreaterThan(100);
});

test('the fast path answers decisions in memory and leaves every other request to the framework', async () => {
  const decider = new Decider({ store: new MemoryStore(), userAgent: 'test', allowPrivate: true });
  const metrics = new Metrics();
  const limits = { ...LIMITS, requests: 1, urlChars: 100, agentChars: 20 };
  const agents = new Agents(limits);
  const context = { agents, decider, metrics, limits };
  const left: string[] = [];
  const server = createServer((request, response) => {
    if (tryFastPath(request, response, context)) return;
    left.push(`${request.method} ${request.url}`);
    response.end('left');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = async (path: string, init?: RequestInit): Promise<string> =>
    (await fetch(address + path, init)).text();
  const path = questionPath(`${site.origin}/p`);
  try {
    expect(await get(path)).toBe('left');
    const work = new Work(new Clients({ limits }).get('::1'), AbortSignal.timeout(5_000), limits);
    await decider.decide({ url: `${site.origin}/`, agent: agents.resolve('x') }, GOOGLE, work);
    // The fast path leaves a request to the framework while its time slice of the event loop is used up, as on a busy machine.
    let answer = 'left';
    for (let tries = 0; answer === 'left' && tries < 100; tries++) answer = await get(path);
    expect(JSON.parse(answer)).toMatchObject({ allowed: false, line: 2 });
    left.length = 0;
    for (const [other, init] of [
      [path, { method: 'POST', body: 'x' }],
      [path, { method: 'HEAD' }],
      [`${path}&agent=b`],
      [`${path}&profile=none`],
      [`${path}&profil=google`],
      ['/v1/decide'],
      [`/v1/decide/?${path.split('?')[1]}`],
      [questionPath(`${site.origin}/${'a'.repeat(100)}`)],
      [questionPath(`${site.origin}/`, 'a'.repeat(21))],
      [questionPath('no URL')],
      [questionPath('http://127.0.0.1:2/')],
    ] as const)
      expect(await get(other, init), other).toBe(init?.method === 'HEAD' ? '' : 'left');
    metrics.inFlight = 1;
    expect(await get(path)).toBe('left');
    expect(left).toHaveLength(12);
  } finally {
    server.close();
  }
});
