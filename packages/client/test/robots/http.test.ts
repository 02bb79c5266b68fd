import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fetchRobotsTxt, type RFC9309, type UnconditionalResult } from '../../../maycrawl/src/index.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve, serveRaw } from '../support/server.ts';

const FILE = 'User-agent: *\nDisallow: /x\n';
async function fetchFrom(listener: RequestListener, options = {}): Promise<UnconditionalResult> {
  const { origin } = await closeAtEnd(serve(listener));
  return fetchRobotsTxt(`${origin}/robots.txt`, { timeout: 5000, ...options });
}

const textOf = (result: UnconditionalResult): string =>
  result.kind === 'successful' ? new TextDecoder().decode(result.bytes) : result.kind;

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
    const { origin } = await closeAtEnd(serveRaw(() => {}));
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

  test('gets an error for an invalid URL', async () => {
    for (const url of ['gopher://127.0.0.1/robots.txt', 'robots.txt', '']) {
      await expect(fetchRobotsTxt(url)).rejects.toThrow(RangeError);
    }
  });
});
