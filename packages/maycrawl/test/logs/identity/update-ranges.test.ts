import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CrawlerRecord, createOperatorFinder, type OperatorRecord } from '@maycrawl/core/crawlers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { afterFile } from '../../../../../scripts/after-file.ts';
import { listLogRanges, updateLogRanges } from '../../../src/cli/commands/logs/ranges.ts';
import { LOGS_RANGES_COMMANDS } from '../../../src/cli/commands/logs/ranges-program.ts';
import { CommandError } from '../../../src/cli/output/errors.ts';
import { runProgram } from '../../../src/cli/run-program.ts';
import { parseIpAddress } from '../../../src/logs/identity/address.ts';
import { readRangeStore } from '../../../src/logs/identity/range-store.ts';
import {
  type UpdateRangesOptions,
  type UpdateResult,
  updateRanges,
} from '../../../src/logs/identity/update-ranges.ts';
import { createTestFolder } from '../../support/folder.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const toList = (...prefixes: readonly string[]): string =>
  JSON.stringify({
    creationTime: '2026-11-27T00:00:00Z',
    prefixes: prefixes.map((ipv4Prefix) => ({ ipv4Prefix })),
  });
const send =
  (body: string, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status).end(body);
  };

const BOMB = gzipSync(Buffer.alloc(20_000_000));

/** Responses by path. Requests are counted. */
let handlers: Record<string, Handler> = {};
const requested: string[] = [];
const server = createServer((request, response) => {
  requested.push(request.url ?? '');
  (handlers[request.url ?? ''] ?? send('', 404))(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterFile(() => {
  server.closeAllConnections();
  server.close();
});
const ORIGIN = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterEach(() => {
  handlers = {};
  requested.length = 0;
  vi.restoreAllMocks();
});

function createCrawler(
  token: string,
  ...paths: readonly string[]
): { crawler: CrawlerRecord; operator: OperatorRecord } {
  const crawler: CrawlerRecord = {
    ...{ token, operator: 'Example', kind: 'crawler', purposes: [], robotsTxt: 'obeys' },
    ...{ description: 'Tests.', sources: [] },
  };
  const verification = paths.map((path) => ({ ranges: `${ORIGIN}${path}`, format: 'json' as const }));
  return { crawler, operator: { operator: 'Example', crawlers: [token], verification, sources: [] } };
}

function createOptions(
  folder: string,
  crawlers: readonly ReturnType<typeof createCrawler>[],
  day = '2026-11-20',
): UpdateRangesOptions {
  const catalogue = {
    crawlers: crawlers.map(({ crawler }) => crawler),
    operators: crawlers.map(({ operator }) => operator),
  };
  return {
    ...{ folder, userAgent: 'test', allowPrivateAddresses: true, timeout: 60_000 },
    ...{ crawlers: catalogue.crawlers, findOperator: createOperatorFinder(catalogue) },
    now: () => Date.parse(`${day}T12:00:00Z`),
  };
}

const update = (folder: string, crawlers: readonly ReturnType<typeof createCrawler>[], day?: string) =>
  updateRanges(createOptions(folder, crawlers, day));

describe('updateRanges', () => {
  test('stores the list of a day by the name of the crawler, and keeps those of earlier days', async () => {
    const folder = createTestFolder('ranges');
    const bot = createCrawler('ExampleBot', '/bot.json');
    handlers['/bot.json'] = send(toList('192.0.2.0/24'));
    expect(await update(folder, [bot], '2026-11-20')).toEqual([
      { crawler: 'ExampleBot', day: '2026-11-20', prefixes: 1, isChanged: true },
    ]);
    // The same list is stored again: it says that it was valid on this day.
    expect(await update(folder, [bot], '2026-11-21')).toEqual([
      { crawler: 'ExampleBot', day: '2026-11-21', prefixes: 1, isChanged: false },
    ]);
    handlers['/bot.json'] = send(toList('198.51.100.0/24'));
    await update(folder, [bot], '2026-11-22');
    expect(readdirSync(join(folder, 'ExampleBot')).filter((name) => name.endsWith('.json'))).toEqual([
      '2026-11-20.json',
      '2026-11-21.json',
      '2026-11-22.json',
    ]);
    const ranges = (await readRangeStore(folder)).get('ExampleBot');
    const address = parseIpAddress('192.0.2.7') as number;
    expect(ranges?.check(address, Date.parse('2026-11-21'))).toBe('inside');
    expect(ranges?.check(address, Date.parse('2026-11-22'))).toBe('outside');
  });

  test('requests each URL once, and combines the lists of a crawler', async () => {
    const folder = createTestFolder('ranges');
    handlers['/a.json'] = send(toList('192.0.2.0/24'));
    handlers['/b.json'] = send(toList('198.51.100.0/24'));
    const results = await update(folder, [
      createCrawler('One', '/a.json'),
      createCrawler('Two', '/a.json', '/b.json'),
    ]);
    expect(results.map((result) => 'prefixes' in result && result.prefixes)).toEqual([1, 2]);
    expect(requested.sort()).toEqual(['/a.json', '/b.json']);
    const stored = JSON.parse(readFileSync(join(folder, 'Two/2026-11-20.json'), 'utf8'));
    expect(stored.sources.map(({ url }: { url: string }) => url)).toEqual([
      `${ORIGIN}/a.json`,
      `${ORIGIN}/b.json`,
    ]);
    expect(stored.creationTime).toBe('2026-11-27T00:00:00.000Z');
  });

  test.each<[string, Handler, string]>([
    ['status 500', send('', 500), 'status 500'],
    ['status 404', send('', 404), 'status 404'],
    ['status 204', send('', 204), 'status 204'],
    ['an empty list', send('{"prefixes":[]}'), 'the list has no prefixes'],
    ['an empty response', send(''), 'the list is not JSON'],
    ['a page in HTML', send('<!doctype html>'), 'the list is not JSON'],
    ['half a list', send(toList('192.0.2.0/24').slice(0, 40)), 'the list is not JSON'],
    ['a prefix of all addresses', send(toList('0.0.0.0/0')), 'prefixes[0] is shorter than 8 bits'],
    [
      'a later version of the format',
      send('{"formatVersion":"2.0","prefixes":[]}'),
      'the list has the version 2 of its format',
    ],
    [
      'a redirect without a target',
      (_, response) => response.writeHead(302).end(),
      'status 302, a redirect that is not followed: missing-location',
    ],
    [
      'a redirect loop',
      (_, response) => response.writeHead(302, { location: '/bot.json' }).end(),
      'status 302, a redirect that is not followed: loop',
    ],
    ['a connection that breaks', (request) => request.socket.destroy(), ''],
    [
      'a body that is longer than the limit',
      (_, response) => {
        response.writeHead(200);
        response.end(Buffer.alloc(10_000_001, ' '));
      },
      'more than 10000000 bytes',
    ],
    [
      'a gzip bomb',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
      'more than 10000000 bytes',
    ],
  ])('%s never replaces a stored list, and is reported', async (_, handler, message) => {
    const folder = createTestFolder('ranges');
    const bot = createCrawler('ExampleBot', '/bot.json');
    handlers['/bot.json'] = send(toList('192.0.2.0/24'));
    await update(folder, [bot]);
    const before = readFileSync(join(folder, 'ExampleBot/2026-11-20.json'), 'utf8');
    handlers['/bot.json'] = handler;
    const results = await update(folder, [bot]);
    expect(results).toEqual([
      { crawler: 'ExampleBot', error: expect.stringContaining(`${ORIGIN}/bot.json: ${message}`) },
    ]);
    expect(readFileSync(join(folder, 'ExampleBot/2026-11-20.json'), 'utf8')).toBe(before);
    expect(readdirSync(join(folder, 'ExampleBot'))).toHaveLength(2);
  });

  test('follows redirects', async () => {
    handlers['/old.json'] = (_, response) => response.writeHead(301, { location: '/new.json' }).end();
    handlers['/new.json'] = send(toList('192.0.2.0/24'));
    const [result] = await update(createTestFolder('ranges'), [createCrawler('ExampleBot', '/old.json')]);
    expect(result).toMatchObject({ prefixes: 1 });
  });

  test('stores no list of a crawler if one of its lists cannot be read', async () => {
    const folder = createTestFolder('ranges');
    handlers['/a.json'] = send(toList('192.0.2.0/24'));
    expect(await update(folder, [createCrawler('Two', '/a.json', '/none.json')])).toEqual([
      { crawler: 'Two', error: `${ORIGIN}/none.json: status 404` },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('requests nothing from private addresses unless they are allowed', async () => {
    handlers['/bot.json'] = send(toList('192.0.2.0/24'));
    const options = createOptions(createTestFolder('ranges'), [createCrawler('ExampleBot', '/bot.json')]);
    const [result] = await updateRanges({ ...options, allowPrivateAddresses: false });
    expect(result).toMatchObject({ error: expect.stringContaining('not a public address') });
    expect(requested).toEqual([]);
  });

  test('a list of today that cannot be read is replaced', async () => {
    const folder = createTestFolder('ranges');
    const bot = createCrawler('ExampleBot', '/bot.json');
    handlers['/bot.json'] = send(toList('192.0.2.0/24'));
    await update(folder, [bot]);
    writeFileSync(join(folder, 'ExampleBot/2026-11-20.json'), 'damaged');
    expect(await update(folder, [bot])).toMatchObject([{ isChanged: true }]);
    expect((await readRangeStore(folder)).lists).toHaveLength(1);
  });

  test('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    handlers['/bot.json'] = () => controller.abort(new Error('stopped'));
    const options = createOptions(createTestFolder('ranges'), [createCrawler('ExampleBot', '/bot.json')]);
    await expect(updateRanges({ ...options, signal: controller.signal })).rejects.toThrow('stopped');
  });

  test('reports each result when it is there', async () => {
    const results: UpdateResult[] = [];
    const options = createOptions(createTestFolder('ranges'), [createCrawler('ExampleBot', '/none.json')]);
    await updateRanges({ ...options, onResult: (result) => results.push(result) });
    expect(results).toHaveLength(1);
  });
});

describe('the commands', () => {
  /** Runs a command. @returns the exit code, and what it prints. */
  async function run(
    command: () => Promise<number>,
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      vi.spyOn(process[name], 'write').mockImplementation((text) => {
        printed[name] += String(text);
        return true;
      });
    const code = await command();
    vi.restoreAllMocks();
    return { code, ...printed };
  }

  test('logs ranges update reads operators of a file, and logs ranges list prints what is stored', async () => {
    const folder = createTestFolder('ranges');
    const file = join(folder, 'crawlers.json');
    const lists = join(folder, 'lists');
    // The operators of the catalogue come after it, so that none of their lists is requested.
    const own = createCrawler('ExampleBot', '/bot.json');
    const { CRAWLER_RECORDS } = await import('@maycrawl/core/crawlers');
    const none = {
      operator: 'x',
      crawlers: CRAWLER_RECORDS.map(({ token }) => token),
      verification: [],
      sources: [],
    };
    writeFileSync(file, JSON.stringify({ crawlers: [own.crawler], operators: [own.operator, none] }));
    handlers['/bot.json'] = send(toList('192.0.2.0/24', '198.51.100.0/24'));
    const options = { crawlers: file, userAgent: 'test', timeout: 60_000, allowPrivate: true };
    const updated = await run(() => updateLogRanges([lists], options));
    expect(updated).toMatchObject({ code: 0, stderr: '' });
    const today = new Date().toISOString().slice(0, 10);
    expect(updated.stdout).toContain(`ExampleBot  ${today}  2         changed`);
    const listed = await run(() => listLogRanges([lists], {}));
    expect(listed.stdout).toContain(`ExampleBot  1      ${today}  ${today}  2         today`);
    const json = await run(() => listLogRanges([lists], { json: true }));
    expect(JSON.parse(json.stdout)).toEqual([
      {
        ...{ crawler: 'ExampleBot', lists: 1, firstDay: today, lastDay: today, prefixes: 2 },
        creationTime: '2026-11-27T00:00:00.000Z',
      },
    ]);
    handlers['/bot.json'] = send('', 503);
    const failed = await run(() => updateLogRanges([lists], { ...options, json: true }));
    expect(failed.code).toBe(2);
    expect(JSON.parse(failed.stdout)).toEqual([
      { crawler: 'ExampleBot', error: `${ORIGIN}/bot.json: status 503` },
    ]);
    expect(failed.stderr).toContain('some lists cannot be read');
  });

  test('have three words, and say what is missing', async () => {
    const folder = createTestFolder('ranges');
    const args = ['logs', 'ranges', 'list', folder];
    expect(await run(() => runProgram(args, LOGS_RANGES_COMMANDS))).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: `maycrawl: ${folder} has no lists\n`,
    });
    expect(await run(() => runProgram(args.slice(0, 3), LOGS_RANGES_COMMANDS))).toMatchObject({ code: 2 });
    const wrong = await run(() => runProgram(['logs', 'ranges', 'update', ''], LOGS_RANGES_COMMANDS));
    expect(wrong).toMatchObject({ code: 2, stderr: 'maycrawl: the name of the folder is empty\n' });
  });

  test('a folder that does not exist, or has a damaged list, is an error in one line', async () => {
    const folder = createTestFolder('ranges');
    await expect(listLogRanges([join(folder, 'none')], {})).rejects.toThrow(CommandError);
    await expect(listLogRanges([''], {})).rejects.toThrow('the name of the folder is empty');
    expect(await run(() => listLogRanges([folder], {}))).toMatchObject({ code: 0, stdout: '' });
  });
});
