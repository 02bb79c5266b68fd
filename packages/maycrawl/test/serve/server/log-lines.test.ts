// Lines of the log of the service, by their schema, which docs/serve-log.schema.json and the table in docs/operations.md repeat.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import { LOG_LINE, type LogLine } from '../../../src/api/log-line.ts';
import { createLog } from '../../../src/cli/commands/serve/log.ts';
import { MemoryStore } from '../../../src/index.ts';
import { Clients } from '../../../src/serve/limits/clients.ts';
import { LIMITS } from '../../../src/serve/limits/limits.ts';
import { createApp } from '../../../src/serve/server/app.ts';
import { HttpMetrics } from '../../../src/serve/server/http-metrics.ts';
import { createFailureLog } from '../../../src/serve/server/log-failure.ts';
import { createTestFolder } from '../../support/folder.ts';
import { BIN, ownCache, ROOT } from '../../support/run.ts';
import { getDecisionPath, startService } from '../../support/service.ts';

const isValid = new Ajv2020({ allowUnionTypes: true }).compile(LOG_LINE);
const { properties } = LOG_LINE as { properties: Record<string, { description: string }> };

/** Parses lines. @throws if one does not have the schema. */
function parseLines(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isValid(value)) throw new Error(`${line}: ${JSON.stringify(isValid.errors)}`);
      return value as LogLine;
    });
}

/** A log at the lowest level, and its lines. */
function createTestLog() {
  let text = '';
  const log = createLog('trace', {
    write: (line) => {
      text += line;
    },
  });
  return {
    log,
    read: () => parseLines(text),
    find: (msg: string) => parseLines(text).find((line) => line.msg === msg),
  };
}

test('a process logs its start, requests, fetches, changed tokens and its end', {
  timeout: 60_000,
}, async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a\n'));
  const file = join(createTestFolder('log-lines'), 'tokens');
  writeFileSync(file, 'first\n', { mode: 0o600 });
  const args = ['serve', '--port', '0', '--database', 'none', '--token-file', file, '--drain-time', '1s'];
  const child = spawn(process.execPath, [BIN, ...args, '--log-level', 'debug', '--allow-private'], {
    env: ownCache(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const find = (msg: string) =>
    parseLines(text.slice(0, text.lastIndexOf('\n') + 1)).find((line) => line.msg === msg);
  const waitFor = async (msg: string): Promise<LogLine> => {
    await expect.poll(() => find(msg)).toBeDefined();
    return find(msg) as LogLine;
  };
  const { address = '' } = await waitFor('listening');
  await fetch(address + getDecisionPath(`${site.origin}/a`), { headers: { authorization: 'Bearer first' } });
  expect(await waitFor('fetched')).toMatchObject({
    ...{ level: 20, kind: 'fetched', origin: site.origin, url: `${site.origin}/robots.txt` },
    ...{ result: 'successful', status: 200, code: null, responses: 1 },
  });
  expect(await waitFor('request completed')).toMatchObject({
    ...{ level: 20, method: 'GET', route: '/v1/decide', status: 200 },
  });
  writeFileSync(file, 'second\n', { mode: 0o600 });
  child.kill('SIGHUP');
  expect(await waitFor('the tokens were read again')).toMatchObject({ level: 30 });
  writeFileSync(file, '', { mode: 0o600 });
  child.kill('SIGHUP');
  expect(await waitFor('the tokens were not read again: the former ones stay valid')).toMatchObject({
    level: 50,
    reason: expect.stringContaining('token'),
  });
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  const signal = 'SIGTERM';
  expect(find('draining: requests are accepted, /readyz responds with 503')).toMatchObject({
    signal,
    drainTime: 1_000,
  });
  expect(find('stopping after the requests in progress')).toMatchObject({ level: 30, signal });
  await site.close();
});

test('failures of the store, of this machine and of files are lines of the schema', async () => {
  const { log, find } = createTestLog();
  const store = new MemoryStore();
  store.get = () =>
    Promise.reject(Object.assign(new Error('locked'), { code: 'SQLITE_BUSY', detail: 'a row' }));
  const service = await startService({
    ...{ log, store, databaseFiles: ['/does/not/exist'], pageFolder: '/does/not/exist' },
    fetcher: () => Promise.reject(new Error('no socket')),
  });
  await service.get(getDecisionPath('https://example.com/a'));
  await service.get('/readyz');
  await service.app.close();
  const origin = 'https://example.com';
  const err = { type: 'Error', message: 'locked', stack: expect.any(String), code: 'SQLITE_BUSY' };
  expect(find('store-failed')).toMatchObject({ level: 40, origin });
  expect(find('store-failed')?.err).toEqual(err);
  expect(find('fetch-failed')).toMatchObject({ level: 20, origin, err: { message: 'no socket' } });
  expect(find('not ready: a database is not usable')).toMatchObject({ level: 40, err: { code: 'ENOENT' } });
  expect(find('the folder of the pages has no index.html: no pages are served')).toMatchObject({ level: 40 });
});

test('the begin and the end of an outage are lines of the schema', async () => {
  const { log, find } = createTestLog();
  let status = 503;
  const site = await serve((_request, response) => {
    response.statusCode = status;
    response.end('User-agent: *\nDisallow: /a\n');
  });
  let time = Date.now();
  const service = await startService({ log, now: () => time });
  await service.get(getDecisionPath(`${site.origin}/a`));
  expect(find('outage-began')).toMatchObject({
    level: 20,
    origin: site.origin,
    code: 'http-status',
    status: 503,
  });
  status = 200;
  time += 86_400_000;
  await service.get(getDecisionPath(`${site.origin}/a`));
  await expect.poll(() => find('outage-ended')).toMatchObject({ failures: 1 });
  await service.app.close();
  await site.close();
});

test('a fault is a line with its stack', async () => {
  const { log, find } = createTestLog();
  const { app } = createApp({
    ...{ limits: LIMITS, clients: new Clients({ limits: LIMITS }), metrics: new HttpMetrics() },
    ...{ log, logFailure: createFailureLog(log) },
  });
  app.get('/fault', () => Promise.reject(new TypeError('a fault', { cause: new Error('its cause') })));
  expect((await app.inject({ url: '/fault', headers: { host: 'localhost' } })).statusCode).toBe(500);
  expect(find('request failed with an unexpected error')).toMatchObject({
    level: 50,
    err: {
      type: 'TypeError',
      message: 'a fault: its cause',
      stack: expect.stringContaining('log-lines.test.ts'),
    },
  });
  await app.close();
});

test('a client that leaves before its response is no fault, and a stream that breaks off is one', async () => {
  const { log, read } = createTestLog();
  const metrics = new HttpMetrics();
  const { app } = createApp({
    ...{ limits: LIMITS, clients: new Clients({ limits: LIMITS }), metrics },
    ...{ log, logFailure: createFailureLog(log) },
  });
  let closed = 0;
  app.post('/left', (request, reply) => {
    const body = new Readable({ read: () => {} });
    request.socket.once('close', () => closed++);
    return reply.send(body);
  });
  app.get('/broken', (_request, reply) => {
    const body = new Readable({ read: () => {} });
    setImmediate(() => body.destroy());
    return reply.send(body);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const controller = new AbortController();
  const left = fetch(`${address}/left`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(new Error('left')), 100);
  await expect(left).rejects.toThrow('left');
  await expect.poll(() => closed).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const isFault = ({ level }: LogLine): boolean => level === 50;
  expect(read().filter(isFault)).toEqual([]);
  expect((await fetch(`${address}/broken`)).status).toBe(500);
  expect(read().filter(isFault).length).toBe(1);
  await app.close();
});

test('docs/serve-log.schema.json is the schema, and docs/operations.md lists its fields', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of the log of maycrawl serve',
    ...LOG_LINE,
  };
  expect(JSON.parse(readFileSync(join(ROOT, 'docs/serve-log.schema.json'), 'utf8'))).toEqual(schema);
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const table = Object.entries(properties).map(
    ([name, { description }]) => `| \`${name}\` | ${description} |`,
  );
  expect(page).toContain(table.join('\n'));
});
