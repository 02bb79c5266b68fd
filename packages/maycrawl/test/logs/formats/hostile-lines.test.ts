import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { FORMATS, findFormat } from '../../../src/logs/formats/find-format.ts';
import type { LineResult } from '../../../src/logs/formats/log-format.ts';
import type { LogRequest } from '../../../src/logs/request.ts';
import { readLine } from '../../support/log-reading.ts';
import { createRequests } from '../../support/log-requests.ts';
import { WRITERS } from '../../support/log-writer.ts';

const RUNS = getFuzzRuns(300);
const PATTERNS = Object.keys(WRITERS).filter((name) => !/^[a-z\d-]+$/.test(name));
const NAMES = [...FORMATS.map(({ name }) => name), ...PATTERNS];

/** Reads a line as one of a crawler, whatever its header is. */
function read(format: string, line: string | Buffer): LineResult {
  return readLine(format, line, { recognizeCrawler: () => 'Bot' });
}

function combined(request: string, header = 'Bot/1.0'): string {
  return `203.0.113.7 - - [28/Nov/2026:18:40:03 +0200] "${request}" 200 17 "-" "${header}"`;
}

/** Checks what every request of every line has, however the line is forged. */
function checkRequest(result: LineResult): void {
  if (typeof result !== 'object') {
    expect([undefined, 'visitor', 'skipped']).toContain(result);
    return;
  }
  expect(Number.isSafeInteger(result.time)).toBe(true);
  expect(result.host ?? 'a').toMatch(/^(?:[\da-z._-]+|\[[\da-f:.]+\])(?::\d+)?$/);
  expect(result.method).toMatch(/^[\w!#$%&'*+.^`|~-]*$/);
  expect(result.target).toMatch(/^[!-~]*$/);
  expect(result.status ?? 200).toSatisfy((status: number) => status >= 100 && status <= 999);
  expect(result.bytes).toSatisfy((bytes: number) => Number.isSafeInteger(bytes) && bytes >= 0);
  expect(isIP(result.address ?? '::')).not.toBe(0);
}

describe('a request line of a hostile client', () => {
  it.each<[string, string, Partial<LogRequest>]>([
    ['escaped quotes and backslashes', 'GET /\\"a\\\\\\"b HTTP/1.1', { target: '/"a\\"b' }],
    ['escapes of bytes above ASCII', 'GET /\\xc3\\xA9\\xff HTTP/1.1', { target: '/%C3%A9%FF' }],
    ['raw bytes above ASCII and NUL', 'GET /\u00e9\0 HTTP/1.1', { target: '/%C3%A9%00' }],
    ['escaped control characters', 'GET /a\\n\\t\\x00b HTTP/1.1', { target: '/a%0A%09%00b' }],
    ['an unknown escape', 'GET /a\\qb\\x4 HTTP/1.1', { target: '/a\\qb\\x4' }],
    ['an absolute URL', 'GET HTTPS://Other.Example.:443 HTTP/1.1', { target: '/', host: 'other.example' }],
    [
      'an absolute URL with a user, a port and only a query',
      'GET http://u:p@other.example:81?q HTTP/1.1',
      { target: '/?q', host: 'other.example:81' },
    ],
    ['an absolute URL without a valid host', 'GET http://a b/c HTTP/1.1', { target: '/c', host: null }],
    ['an asterisk', 'OPTIONS * HTTP/1.1', { method: 'OPTIONS', target: '*' }],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1', { method: 'CONNECT', target: 'a.example:443' }],
    ['HTTP/0.9', 'GET /x', { target: '/x' }],
    ['spaces in the target', 'GET /a b HTTP/1.1', { target: '/a%20b' }],
    ['no target', 'GET', { method: '', target: 'GET' }],
    ['nothing', '', { method: '', target: '' }],
    ['a hyphen', '-', { method: '', target: '' }],
    ['the start of a TLS handshake', '\\x16\\x03\\x01\\x02', { method: '', target: '\\x16\\x03\\x01\\x02' }],
    ['another protocol', 'SSH-2.0-Go', { method: '', target: 'SSH-2.0-Go' }],
    ['two slashes at the start', 'GET //a.example/x HTTP/1.1', { target: '//a.example/x', host: null }],
  ])('with %s is read', (_, request, expected) => {
    expect(read('combined', combined(request))).toMatchObject({ method: 'GET', host: null, ...expected });
  });
});

describe('a line', () => {
  it.each([
    ['without its end', combined('GET / HTTP/1.1').slice(0, -1)],
    ['with a status of four digits', combined('GET / HTTP/1.1').replace(' 200 ', ' 2000 ')],
    ['with a status that is no number', combined('GET / HTTP/1.1').replace(' 200 ', ' OK ')],
    ['with a size that is no number', combined('GET / HTTP/1.1').replace(' 17 ', ' 17k ')],
    ['with the 30th of February', combined('GET / HTTP/1.1').replace('28/Nov', '30/Feb')],
    ['with the 25th hour', combined('GET / HTTP/1.1').replace(':18:', ':24:')],
    ['without a zone', combined('GET / HTTP/1.1').replace(' +0200', '')],
    ['with another month', combined('GET / HTTP/1.1').replace('Nov', 'Nev')],
    ['of text', 'hello world'],
    ['that is a quote', '"'],
  ])('%s is unreadable', (_, line) => {
    expect(read('combined', line)).toBeUndefined();
  });

  it('that is empty, also before a line end of Windows, is skipped', () => {
    expect([read('combined', ''), read('combined', '\r'), read('caddy', ' \r')]).toEqual(
      Array.from({ length: 3 }, () => 'skipped'),
    );
  });

  it('with a forged line in the name of the user is the line that the server wrote', () => {
    const forged = `x [28/Nov/2026:00:00:00 +0000] \\"GET /forged HTTP/1.1\\" 200 1 \\"-\\" \\"Bot\\"`;
    expect(
      read('combined', combined('GET /real HTTP/1.1').replace('- - ', `- ${forged} `)),
    ).not.toMatchObject({
      target: '/forged',
    });
  });

  it.each([
    ['deep arrays', `{"request":${'['.repeat(30_000)}${']'.repeat(30_000)},"status":200}`],
    ['deep objects', `{"request":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},"status":200}`],
    ['no end', '{"request":"GET / HTTP/1.1"'],
    ['an array', '[1]'],
    ['a prototype', '{"__proto__":{"request":"GET / HTTP/1.1","status":200,"time":1795884003}}'],
    ['a time that is no time', '{"request":"GET / HTTP/1.1","status":200,"time":{"a":1}}'],
    ['a time beyond all years', '{"request":"GET / HTTP/1.1","status":200,"time":1e300}'],
    ['a status that is no number', '{"request":"GET / HTTP/1.1","status":"OK","time":1795884003}'],
  ])('of JSON with %s is unreadable', (_, line) => {
    for (const format of ['nginx-json', 'caddy', 'traefik', 'cloudflare', 'fastly'])
      expect(read(format, line)).toBeUndefined();
  });

  it('of JSON with duplicate members, numbers as text and other types has the last and usable ones', () => {
    const line =
      '{"request":"GET /a HTTP/1.1","request":"GET /b HTTP/1.1","status":"404","time":"1795884003.5","body_bytes_sent":"x",' +
      '"http_user_agent":"Bot","http_host":["shop.example"],"remote_addr":{"__proto__":1},"__proto__":{"host":"x"}}';
    expect(read('nginx-json', line)).toEqual({
      ...{
        time: 1_795_884_003_500,
        host: 'shop.example',
        method: 'GET',
        target: '/b',
        status: 404,
        bytes: 0,
      },
      ...{ crawler: 'Bot', userAgent: 'Bot', address: null, signature: null },
    });
  });

  it('of JSON that is not valid UTF-8 has the bytes that were sent', () => {
    const line = Buffer.from(
      '{"request_uri":"/\u00e9","status":200,"msec":1795884003,"http_user_agent":"caf\u00e9"}',
      'latin1',
    );
    expect(read('nginx-json', line)).toMatchObject({ target: '/%E9', userAgent: 'caf\u00e9' });
  });
});

describe.each(NAMES)('lines for the format %s', (name) => {
  const lines = createRequests(20, 7).map(
    (request) => WRITERS[name]?.write(request) ?? combined(request.target),
  );

  it('that are changed in any way are read, skipped or unreadable, and never more', () => {
    const change = fc.record({ at: fc.nat(), length: fc.nat(20), bytes: fc.uint8Array({ maxLength: 20 }) });
    const changed = fc.tuple(fc.constantFrom(...lines), fc.array(change, { maxLength: 3 }));
    fc.assert(
      fc.property(changed, ([line, changes]) => {
        let bytes = Buffer.from(line, 'latin1');
        for (const { at, length, bytes: inserted } of changes) {
          const start = at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + length)]);
        }
        checkRequest(read(name, Buffer.from(bytes.filter((byte) => byte !== 0x0a))));
      }),
      { numRuns: RUNS },
    );
  });

  it('of 64 KiB take linear time', () => {
    const [line = ''] = lines;
    const parts = [
      '"',
      '\\',
      ' ',
      '[',
      ' [28/Nov/2026:18:40:03 +0200]',
      '\t',
      '" "',
      '{"a":',
      '%25',
      '#',
      ',',
    ];
    const reader = findFormat(name).createReader({ recognizeCrawler: () => 'Bot' });
    for (const part of parts) {
      const long = part.repeat(65_536 / part.length);
      for (const text of [
        long,
        line + long,
        long + line,
        line.replace('GET', long),
        line.replace('Bot', long),
      ]) {
        const bytes = Buffer.from(text.slice(0, 65_536), 'latin1');
        checkRequest(reader.read(bytes, 0, bytes.length));
      }
    }
  });
});
