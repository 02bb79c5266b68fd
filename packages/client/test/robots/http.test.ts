import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  fetchRobotsTxt,
  GOOGLE_2013,
  RFC9309,
  type UnconditionalResult,
} from '../../../maycrawl/src/index.ts';
import { serve, serveRaw, type TestServer } from '../support/server.ts';

const FILE = 'User-agent: *\nDisallow: /x\n';
const LIMIT = 512_000;
const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function started(server: Promise<TestServer>): Promise<TestServer> {
  servers.push(await server);
  return server;
}

async function fetchFrom(listener: RequestListener, options = {}): Promise<UnconditionalResult> {
  const { origin } = await started(serve(listener));
  return fetchRobotsTxt(`${origin}/robots.txt`, { timeout: 5000, ...options });
}

const textOf = (result: UnconditionalResult): string =>
  result.kind === 'successful' ? new TextDecoder().decode(result.bytes) : result.kind;

describe('status', () => {
  test.each([
    [200, 'successful'],
    [204, 'successful'],
    [206, 'successful'],
    [300, 'unavailable'],
    [301, 'unavailable'],
    [304, 'unreachable'],
    [400, 'unavailable'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [404, 'unavailable'],
    [410, 'unavailable'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
    [599, 'unreachable'],
    [999, 'unreachable'],
  ])('%i is %s', async (status, kind) => {
    const result = await fetchFrom((_request, response) => response.writeHead(status).end());
    expect(result.kind).toBe(kind);
    expect(result.hops).toMatchObject([{ status }]);
  });

  test('429 is like any other 4xx under some profiles', async () => {
    for (const profile of [RFC9309, GOOGLE_2013]) {
      const result = await fetchFrom((_request, response) => response.writeHead(429).end(), { profile });
      expect(result.kind).toBe('unavailable');
    }
  });
});

describe('body', () => {
  test('is returned unchanged', async () => {
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x00, 0xe9, 0x0d);
    const result = await fetchFrom((_request, response) => response.end(bytes));
    expect(result.kind === 'successful' && [...result.bytes]).toEqual([...bytes]);
  });

  test.each([
    ['gzip', gzipSync(FILE)],
    ['x-gzip', gzipSync(FILE)],
    ['deflate', deflateSync(FILE)],
    ['br', brotliCompressSync(FILE)],
    ['gzip, br', brotliCompressSync(gzipSync(FILE))],
    ['deflate', deflateRawSync(FILE)],
    ['utf-8', Buffer.from(FILE)],
    ['charset=ISO-8859-1', Buffer.from(FILE)],
    ['none', Buffer.from(FILE)],
    ['8bit,', Buffer.from(FILE)],
    ['gzip, identity', gzipSync(FILE)],
  ])('is decompressed: %s', async (encoding, body) => {
    const result = await fetchFrom((_request, response) =>
      response.setHeader('content-encoding', encoding).end(body),
    );
    expect(textOf(result)).toBe(FILE);
  });

  test.each([
    ...['gzip;q=1.0', '"gzip"', 'brotli', 'application/gzip', 'bzip2', 'zstd', 'constructor', '__proto__'],
    ...['utf-8, zstd', 'none gzip'],
  ])('is never read as it is with an unknown encoding: %s', async (encoding) => {
    const result = await fetchFrom((_request, response) =>
      response.setHeader('content-encoding', encoding).end(gzipSync(FILE)),
    );
    expect(result).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('not supported') });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ])('with data after its end is unreachable: %s', async (encoding, encode) => {
    for (const length of [1, 100_000]) {
      const body = Buffer.concat([encode(FILE), Buffer.alloc(length, '\n')]);
      const result = await fetchFrom((_request, response) =>
        response.setHeader('content-encoding', encoding).end(body),
      );
      expect(result).toMatchObject({ kind: 'unreachable', code: 'network' });
    }
  });

  test('is decompressed once for each encoding of two headers', async () => {
    const result = await fetchFrom((_request, response) =>
      response.setHeader('content-encoding', ['gzip', 'gzip']).end(gzipSync(gzipSync(FILE))),
    );
    expect(textOf(result)).toBe(FILE);
  });

  test.each(['gzip', 'deflate', 'br', 'identity'])('an empty body is empty: %s', async (encoding) => {
    for (const status of [200, 204]) {
      const result = await fetchFrom((_request, response) =>
        response.writeHead(status, { 'content-encoding': encoding }).end(),
      );
      expect(result.kind === 'successful' && result.bytes.length).toBe(0);
    }
  });

  test('is cut at the limit, and the connection is closed', async () => {
    let closed = false;
    const result = await fetchFrom((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('#'.repeat(10_000)));
      };
      response.on('drain', more).on('close', () => {
        closed = true;
      });
      more();
    });
    expect(result.kind === 'successful' && result.bytes.length).toBe(LIMIT + 1);
    await expect.poll(() => closed).toBe(true);
  });

  test('only the start of a decompression bomb is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    const before = process.memoryUsage().rss;
    const result = await fetchFrom((_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(bomb),
    );
    expect(result.kind === 'successful' && result.bytes.length).toBe(LIMIT + 1);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });
});

describe('redirects', () => {
  /** Redirects `count` times, then responds with the file. */
  const chain =
    (count: number): RequestListener =>
    ({ url = '' }, response) => {
      const done = Number(url.split('/')[2] ?? 0);
      if (done < count) response.writeHead(302, { location: `/hop/${done + 1}` }).end();
      else response.end(FILE);
    };

  test('five are followed, and every hop is reported', async () => {
    const result = await fetchFrom(chain(5));
    expect(textOf(result)).toBe(FILE);
    expect(result.hops.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302, 200]);
    expect(result.hops[1]).toMatchObject({ location: '/hop/2', url: expect.stringMatching(/\/hop\/1$/) });
  });

  test('the sixth is unavailable', async () => {
    const { origin, requests } = await started(serve(chain(6)));
    expect((await fetchRobotsTxt(`${origin}/robots.txt`)).kind).toBe('unavailable');
    expect(requests.length).toBe(6);
  });

  test('lead to other hosts', async () => {
    const other = await started(serve((_request, response) => response.end(FILE)));
    const result = await fetchFrom(
      (_request, response) =>
        response.writeHead(301, { location: `${other.origin}/elsewhere#fragment` }).end(),
      { allowPrivate: true },
    );
    expect(textOf(result)).toBe(FILE);
    expect(other.requests).toEqual(['/elsewhere']);
  });

  test('with a Location in raw UTF-8', async () => {
    const { origin } = await started(
      serveRaw((socket, request) =>
        socket.end(
          request.startsWith('GET /robots.txt ')
            ? 'HTTP/1.1 302 Found\r\nLocation: /é\r\nContent-Length: 0\r\n\r\n'
            : `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${request.split(' ')[1]}`,
        ),
      ),
    );
    const result = await fetchRobotsTxt(`${origin}/robots.txt`);
    expect(textOf(result)).toBe('/%C3%A9');
    expect(result.hops[0]).toMatchObject({ location: '/é' });
  });

  test.each([301, 302, 303, 307, 308])('status %i redirects', async (status) => {
    const result = await fetchFrom(({ url }, response) =>
      url === '/a' ? response.end(FILE) : response.writeHead(status, { location: '/a' }).end(),
    );
    expect(textOf(result)).toBe(FILE);
  });

  test.each([
    ['a loop', '/robots.txt'],
    ['another scheme', 'ftp://127.0.0.1/robots.txt'],
    ['no scheme for fetching', 'javascript:alert(1)'],
    ['an invalid URL', 'http://[/'],
  ])('%s is unavailable', async (_name, location) => {
    const result = await fetchFrom((_request, response) => response.writeHead(302, { location }).end());
    expect(result.kind).toBe('unavailable');
    expect(result.hops.length).toBe(1);
  });
});

describe('failures are unreachable', () => {
  test.each([
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['an end without a response', (socket) => socket.end()],
    ['no status line', (socket) => socket.end('hello\r\n\r\n')],
    ['a body that ends early', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc')],
    [
      'a broken chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc'),
    ],
    [
      'a body that is not gzip',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nabc'),
    ],
    ['endless headers', (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`)],
  ] as [string, Parameters<typeof serveRaw>[0]][])('%s', async (_name, onConnection) => {
    const { origin } = await started(serveRaw(onConnection));
    const result = await fetchRobotsTxt(`${origin}/robots.txt`, { timeout: 5000 });
    expect(result).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(/\S/) });
  });

  test('no listening port', async () => {
    const { origin, close } = await serve(() => {});
    await close();
    const result = await fetchRobotsTxt(`${origin}/robots.txt`);
    expect(result).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('ECONNREFUSED') });
  });

  test('a name that does not exist', async () => {
    const result = await fetchRobotsTxt('http://nobody.invalid/robots.txt');
    expect(result).toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
  });

  test('no response in time', async () => {
    const { origin } = await started(serveRaw(() => {}));
    const result = await fetchRobotsTxt(`${origin}/robots.txt`, { timeout: 200 });
    expect(result).toMatchObject({ kind: 'unreachable', message: 'no response within 200 ms' });
  });

  test('a body that trickles', async () => {
    const { origin } = await started(
      serveRaw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n');
        const timer = setInterval(() => socket.write('#'), 10);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    const result = await fetchRobotsTxt(`${origin}/robots.txt`, { timeout: 300 });
    expect(result.kind).toBe('unreachable');
  });
});

describe('the caller', () => {
  test('sends its User-Agent', async () => {
    let sent: string | undefined;
    await fetchFrom(
      (request, response) => {
        sent = request.headers['user-agent'];
        response.end();
      },
      { userAgent: 'MyBot/1.0' },
    );
    expect(sent).toBe('MyBot/1.0');
  });

  test('can abort', async () => {
    const { origin } = await started(serveRaw(() => {}));
    const controller = new AbortController();
    const fetching = fetchRobotsTxt(`${origin}/robots.txt`, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(fetching).rejects.toThrow('enough');
  });

  test.each([
    { userAgent: 'a\nb' },
    { userAgent: '' },
    { timeout: 0 },
    { timeout: 3e9 },
    { maxBytes: -5 },
    { maxBytes: 1.5 },
    { profile: 5 as unknown as typeof RFC9309 },
  ])('gets an error for an invalid option: %j', async (options) => {
    await expect(fetchRobotsTxt('http://127.0.0.1:2/robots.txt', options)).rejects.toThrow(/^not a /);
  });

  test('gets a stable code for each kind of failure', async () => {
    const codes = new Map([
      [404, 'http-status'],
      [500, 'http-status'],
      [302, 'bad-redirect'],
    ]);
    for (const [status, code] of codes) {
      expect(await fetchFrom((_request, response) => response.writeHead(status).end())).toMatchObject({
        code,
      });
    }
    expect(await fetchRobotsTxt('http://127.0.0.1:2/robots.txt')).toMatchObject({
      code: 'network',
      cause: expect.any(Error),
    });
  });

  test('gets an error for an invalid URL', async () => {
    for (const url of ['gopher://127.0.0.1/robots.txt', 'robots.txt', '']) {
      await expect(fetchRobotsTxt(url)).rejects.toThrow(RangeError);
    }
  });
});
