/** The name of an agent means the same in every entry: a User-Agent header is the crawler that it names, or an error. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveAgent } from '@maycrawl/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
// The built entries, because their threads run built files.
import { audit, checkPage } from '../dist/audit.js';
import { judgeLines } from '../dist/batch.js';
import { writeCensus } from '../dist/census.js';
import { createMonitor } from '../dist/watch.js';
import { parseExpectations, requireValidExpectations } from '../src/expectations/expectations.ts';
import { run } from './support/run.ts';
import { startService, type TestService } from './support/service.ts';

const FILE = 'User-agent: PetalBot\nUser-agent: MJ12bot\nDisallow: /\nUser-agent: *\nAllow: /\n';
const HEADERS = [
  'PetalBot',
  'Mozilla/5.0 (compatible;PetalBot;+https://example.com/petalbot)',
  'Mozilla/5.0 (Linux; Android 7.0;) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; PetalBot/1.0)',
  'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)',
];
const NO_CRAWLER = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'Opera/9.80 (Windows NT 6.0) Presto/2.12',
  'My Bot',
];

let site: Server;
let service: TestService;
let origin: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-agents-'));
  site = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/robots.txt' ? 'text/plain' : 'text/html');
    response.end(request.url === '/robots.txt' ? FILE : '<p>page</p>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await startService();
});

afterAll(async () => {
  await service.app.close();
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
  rmSync(folder, { recursive: true });
});

async function batch(question: object): Promise<Record<string, unknown>> {
  const parts: Uint8Array[] = [];
  const line = JSON.stringify({ robots: FILE, url: '/', ...question });
  for await (const { bytes } of judgeLines([Buffer.from(line)])) parts.push(bytes);
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test.each(HEADERS)('%s is disallowed in every entry', async (agent) => {
  expect(await batch({ agent })).toMatchObject({ allowed: false, line: 3 });
  const query = new URLSearchParams({ url: `${origin}/`, agent });
  expect((await service.get(`/v1/decide?${query}`)).body).toMatchObject({ kind: 'disallow', line: 3 });
  const posted = await service.post('/v1/decide', { urls: [`${origin}/`], agent });
  expect(JSON.stringify(posted.body)).toMatch(/"kind":"disallow"/);
  const { code } = await run(['check', '--robots', '-', '--agent', agent, '/x'], FILE);
  expect(code).toBe(1);
  const report = await checkPage(`${origin}/`, { agents: [agent], allowPrivateAddresses: true });
  expect(report.agents[0]?.result).not.toBe('indexable');
  const [page] = await collect(
    audit(`${origin}/`, { agents: [agent], allowPrivateAddresses: true, missingPages: false }),
  );
  expect(page).toMatchObject({ state: 'blocked', crawl: { allowed: false, line: 3 } });
  const [expectation] = await parseExpectations(JSON.stringify([{ agent, block: ['/'] }]), resolveAgent);
  expect(expectation?.agent.name).toMatch(/^(PetalBot|MJ12bot)$/);
});

test.each(NO_CRAWLER)('%s is an error in every entry', async (agent) => {
  expect(await batch({ agent })).toMatchObject({ error: { code: 'invalid-agent' } });
  const query = new URLSearchParams({ url: `${origin}/`, agent });
  expect(await service.get(`/v1/decide?${query}`)).toMatchObject({
    status: 400,
    body: { code: 'invalid-agent' },
  });
  expect(await service.post('/v1/decide', { urls: [`${origin}/`], agent })).toMatchObject({ status: 400 });
  const { code, stderr } = await run(['check', '--robots', '-', '--agent', agent, '/x'], FILE);
  expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 1 });
  await expect(checkPage(`${origin}/`, { agents: [agent] })).rejects.toThrow(/names no crawler/);
  expect(() => audit(`${origin}/`, { agents: [agent] })).toThrow(/names no crawler/);
  await expect(
    writeCensus([], { folder: join(folder, 'census'), version: '1', agents: [agent], profile: 'google' }),
  ).rejects.toThrow(/names no crawler/);
  const expectations = await parseExpectations(JSON.stringify([{ agent, block: ['/'] }]), resolveAgent);
  expect(() => requireValidExpectations(expectations)).toThrow(/^expectation 1: .* names no crawler/);
  const monitor = await createMonitor({ database: join(folder, 'watch.sqlite') });
  try {
    await expect(monitor.add([origin], { agents: [agent] })).rejects.toThrow(/names no crawler/);
  } finally {
    await monitor.close();
  }
});

test.each(['Foo Bar', 'AB42bot', '', 'Mozilla/5.0 (X11)', '*'])(
  'in `agents`, %j is exactly what the matcher of Google does with it, without an error',
  async (agent) => {
    const robots = 'User-agent: AB42bot\nUser-agent: Foo Bar\nDisallow: /\nUser-agent: *\nAllow: /\n';
    expect(await batch({ robots, agents: [agent] })).toMatchObject({ allowed: true, line: 5 });
    const response = await service.post('/v1/decide', { urls: [`${origin}/`], agents: [agent] });
    expect(response.status).toBe(200);
    expect(JSON.stringify(response.body)).toMatch(/"kind":"allow"/);
  },
);
