import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as startRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, startPostgres, type TestDatabase } from '../../../../client/test/support/postgres.ts';
import { serve } from '../../../../client/test/support/server.ts';
import { openPostgresStore } from '../../../dist/index.js';
import { openWatchDatabase } from '../../../dist/watch/storage/database.js';
import { BIN, ownCache, ROOT, run } from '../../support/run.ts';
import { getDecisionPath, startService } from '../../support/service.ts';

const FILE = 'User-agent: *\nDisallow: /a';
const postgres = await findPostgres();

describe.skipIf(postgres === undefined)('a PostgreSQL store (needs PostgreSQL)', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startPostgres(postgres as string);
  });
  afterAll(() => database.destroy());

  test('decisions go on during an outage of the database', async () => {
    const sites = await Promise.all(
      ['127.0.0.2', '127.0.0.3'].map((at) => serve((_request, response) => response.end(FILE), at)),
    );
    const [known, unknown] = sites.map(({ origin }) => getDecisionPath(`${origin}/a`)) as [string, string];
    const store = await openPostgresStore(await database.create('service'));
    const service = await startService({ store });
    expect((await service.get(known)).body['allowed']).toBe(false);
    expect((await service.get('/readyz')).status).toBe(200);
    await database.stop();
    expect((await service.get('/readyz')).body['code']).toBe('not-ready');
    // A cached site, and a site that this instance can fetch.
    for (const path of [known, unknown]) expect((await service.get(path)).body['allowed']).toBe(false);
    expect((await service.get(`/v1/robots?origin=${sites[1]?.origin}`)).body).toMatchObject({
      policy: { kind: 'rules' },
      events: [],
    });
    await database.start();
    while ((await service.get('/readyz')).status !== 200);
    expect((await service.get(known)).body['allowed']).toBe(false);
    await service.app.close();
    await store.close();
    for (const site of sites) await site.close();
  });

  test('the monitor responds with 503 while its database is down or locked, and works afterwards', async () => {
    const url = await database.create('monitor');
    const watch = await openWatchDatabase(url, {}, { connectTimeout: 2_000, statementTimeout: 500 });
    const service = await startService({ watch });
    const getSites = async () => (await service.get('/v1/watch/sites')).body;
    expect(await getSites()).toMatchObject({ total: 0 });
    await watch.db.transaction(async (transaction) => {
      await transaction.exec('lock table watch_sites in access exclusive mode');
      expect(await getSites()).toMatchObject({ status: 503, code: 'database-unavailable' });
    });
    expect(await getSites()).toMatchObject({ total: 0 });
    await database.stop();
    expect(await getSites()).toMatchObject({ status: 503, code: 'database-unavailable' });
    await database.start();
    expect(await getSites()).toMatchObject({ total: 0 });
    await service.app.close();
    await watch.db.close();
  });

  test('two instances fetch a site once', async () => {
    const site = await serve((_request, response) => response.end(FILE));
    const url = await database.create('shared');
    const stores = [await openPostgresStore(url), await openPostgresStore(url)] as const;
    const services = await Promise.all(stores.map((store) => startService({ store })));
    const path = getDecisionPath(`${site.origin}/a`);
    const answers = await Promise.all(
      services.flatMap(({ get }) => Array.from({ length: 20 }, () => get(path))),
    );
    expect(answers.every(({ body }) => body['allowed'] === false)).toBe(true);
    expect(site.requests.length).toBe(1);
    for (const { app } of services) await app.close();
    for (const store of stores) await store.close();
    await site.close();
  });
});

test('a client that does not read its response uses a bounded amount of memory', async () => {
  const site = await serve((_request, response) => response.end(FILE));
  const service = await startService();
  const line = `${JSON.stringify({ url: `${site.origin}/${'x'.repeat(1_000)}` })}\n`;
  const request = startRequest(`${service.address}/v1/decide?agent=x`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
  });
  request.on('error', () => {});
  // The response arrives, but the client does not read it.
  request.on('response', () => {});
  const block = line.repeat(100);
  const before = process.memoryUsage().rss;
  let sent = 0;
  // Send until the service stops reading, because the client does not read the response.
  for (let isFull = false; !isFull; ) {
    sent += block.length;
    if (request.write(block)) continue;
    isFull = await Promise.race([
      once(request, 'drain').then(() => false),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 500)),
    ]);
    expect(sent).toBeLessThan(100_000_000);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  request.destroy();
  expect((await service.get('/healthz')).status).toBe(200);
  await service.app.close();
  await site.close();
});

test('aborted requests do not stay in flight', async () => {
  const site = await serve((_request, response) => void setImmediate(() => response.end(FILE)));
  const service = await startService();
  const urls = Array.from({ length: 20_000 }, (_, index) => `${site.origin}/${index}`);
  const body = JSON.stringify({ agent: 'x', urls });
  for (let round = 0; round < 20; round++) {
    const controller = new AbortController();
    const headers = { 'content-type': 'application/json' };
    const request = fetch(`${service.address}/v1/decide`, {
      method: 'POST',
      headers,
      body,
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), round);
    await request.then((response) => response.arrayBuffer()).catch(() => {});
  }
  let metrics = '';
  while (!metrics.includes('maycrawl_requests_in_flight 0'))
    metrics = await (await fetch(`${service.address}/metrics`)).text();
  await service.app.close();
  await site.close();
});

describe('the command', () => {
  const startCommand = async (
    ...args: string[]
  ): Promise<{ child: ChildProcess; address: string; getOutput: () => string }> => {
    const child = spawn(
      process.execPath,
      [
        ...[BIN, 'serve', '--port', '0', '--allow-private', '--database', 'none'],
        ...['--drain-time', '0s', ...args],
      ],
      {
        cwd: ROOT,
        env: ownCache(),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let text = '';
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
    });
    child.stderr?.setEncoding('utf8');
    for await (const chunk of child.stderr ?? []) {
      text += chunk;
      const address = /page: (http:\S+)\/,/.exec(text)?.[1];
      if (address !== undefined) return { child, address, getOutput: () => out };
    }
    throw new Error(text);
  };

  test('at SIGTERM it completes requests in flight and exits with 0', async () => {
    let answer = (): void => {};
    const site = await serve((_request, response) => {
      answer = () => response.end(FILE);
    });
    const { child, address, getOutput } = await startCommand();
    const question = fetch(`${address}${getDecisionPath(`${site.origin}/a?secret`)}`);
    while (site.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGTERM');
    while (!getOutput().includes('stopping')) await new Promise((resolve) => setImmediate(resolve));
    answer();
    expect(await (await question).json()).toMatchObject({ allowed: false });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(getOutput()).not.toContain('secret');
    await site.close();
  });

  test('at SIGTERM it accepts requests for the drain time, and a second signal ends it immediately', async () => {
    const { child, address, getOutput } = await startCommand('--drain-time', '10m');
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    while (!getOutput().includes('draining')) await new Promise((resolve) => setImmediate(resolve));
    expect((await fetch(`${address}/readyz`)).status).toBe(503);
    const response = await fetch(`${address}/healthz`);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  test('after the drain time it exits with 0', async () => {
    const { child, getOutput } = await startCommand('--drain-time', '200ms');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(getOutput()).toMatch(/"msg":"draining.*"msg":"stopping/s);
  });

  test('SIGINT, as Ctrl-C in a terminal sends it, does not wait for the drain time', async () => {
    const { child, getOutput } = await startCommand('--drain-time', '10m');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(getOutput()).not.toContain('draining');
  });

  test('at SIGTERM it aborts requests that take too long and exits with 1', async () => {
    const site = await serve(() => {});
    const { child, address, getOutput } = await startCommand();
    const question = fetch(`${address}${getDecisionPath(`${site.origin}/`)}`);
    while (site.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const start = performance.now();
    child.kill('SIGTERM');
    await expect(question).rejects.toThrow(/fetch failed/);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(performance.now() - start).toBeLessThan(25_000);
    expect(getOutput()).toContain('aborted');
    expect(getOutput()).not.toContain('store-failed');
    await site.close();
  });

  test('it answers a request while ten thousand connections are open, half of them silent', async () => {
    const site = await serve((_request, response) => response.end(FILE));
    const { child, address } = await startCommand();
    const port = Number(new URL(address).port);
    const sockets: Socket[] = [];
    for (let from = 0; from < 10_000; from += 500) {
      await Promise.all(
        Array.from({ length: 500 }, async (_, index) => {
          const socket = connect(port, '127.0.0.1').on('error', () => {});
          sockets.push(socket);
          await once(socket, 'connect');
          if (index % 2 > 0) return;
          socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
          await once(socket, 'data');
        }),
      );
    }
    const answer = await fetch(`${address}${getDecisionPath(`${site.origin}/a`)}`);
    expect(await answer.json()).toMatchObject({ allowed: false });
    for (const socket of sockets) socket.destroy();
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    await site.close();
  });

  test.each([
    [
      'an address of another machine',
      ['--host', '192.0.2.1', '--port', '0'],
      /cannot listen on 192\.0\.2\.1 port 0: this machine has no such address/,
    ],
    ['a missing file of tokens', ['--token-file', 'no-such'], /cannot read no-such: no such file/],
    ['an invalid proxy', ['--trust-proxy', 'foo'], /--trust-proxy must be an IP address, .*, not foo/],
    [
      'an invalid store',
      ['--database', 'mysql://h'],
      /--database must be a path, a postgres:\/\/ URL or "none"/,
    ],
  ])('%s is reported in one line with exit code 2', async (_name, args, message) => {
    const { code, stdout, stderr } = await run(['serve', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n').length).toBe(1);
  });
});
