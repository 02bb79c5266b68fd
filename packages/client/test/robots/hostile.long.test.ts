import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { parse } from '@maycrawl/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownCache, run } from '../../../maycrawl/test/support/run.ts';
import type { Resolver } from '../../src/http/dns/resolver.ts';
import { fetchRobotsTxt, refetchRobotsTxt } from '../../src/robots/fetch.ts';
import type { FetchOptions } from '../../src/robots/fetch-options.ts';
import type { FetchCode, UnconditionalResult } from '../../src/robots/fetch-result.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { type FtpScript, serveFtp } from '../support/ftp.ts';
import { serveRaw } from '../support/server.ts';

const FILE = 'User-agent: *\nDisallow: /x\n';
const LIMIT = 512_000;
/** Deadlines of a fetch that must miss one. Milliseconds. */
const DEADLINES = { lookup: 400, connect: 400, tls: 400, headers: 400, body: 400 };
/** Deadlines of a fetch that must finish, also on a busy machine. */
const UNHURRIED: FetchOptions = {
  timeout: 20_000,
  deadlines: { lookup: 20_000, connect: 20_000, tls: 20_000, headers: 20_000, body: 20_000 },
};
/** The maximum time of a row. */
const MAX_TIME = 25_000;
/** The maximum memory of a row, including the server. */
const MAX_MEMORY = 100_000_000;

/** Memory outside of V8's heap, in bytes. */
function memory(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** Fetches within limits of time and memory. */
async function fetchBounded(url: string, options: FetchOptions = {}): Promise<UnconditionalResult> {
  const before = memory();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, memory());
  }, 5);
  const started = performance.now();
  try {
    return await fetchRobotsTxt(url, {
      ...{ timeout: 2000, deadlines: DEADLINES, allowPrivateAddresses: true },
      ...options,
    });
  } finally {
    clearInterval(sampling);
    expect(performance.now() - started).toBeLessThan(MAX_TIME);
    expect(peak - before).toBeLessThan(MAX_MEMORY);
  }
}

type Behaviour = (socket: Socket, request: string) => void;
/** Checks a result: the code of a failure, or the file. */
type Expected =
  | readonly ['unreachable' | 'unavailable', FetchCode]
  | readonly ['successful', string | Uint8Array | number];

const send =
  (text: string | Uint8Array): Behaviour =>
  (socket) =>
    socket.end(text);
const head = (status: string, ...headers: string[]): string =>
  `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`;
const ok = (...headers: string[]): string => head('200 OK', ...headers);
const answer =
  (status: string, ...headers: string[]): Behaviour =>
  (socket) =>
    socket.end(head(status, 'Content-Length: 0', ...headers));
const found = (body: string | Uint8Array): Behaviour => {
  const bytes = Buffer.from(body as string);
  return send(Buffer.concat([Buffer.from(ok(`Content-Length: ${bytes.length}`)), bytes]));
};
/** Writes endlessly, as fast as the client reads. */
const endlessly = (start: string, more: string | Uint8Array): Behaviour => {
  return (socket) => {
    socket.write(start);
    const write = (): void => {
      while (socket.writable && socket.write(more));
    };
    socket.on('drain', write);
    write();
  };
};
/** Writes a little from time to time, endlessly. */
const slowly = (start: string, more: string): Behaviour => {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(more), 50);
    socket.on('close', () => clearInterval(timer));
  };
};
/** Writes, and resets the connection when that has arrived. */
const thenReset = (text: string): Behaviour => {
  return (socket) => {
    socket.write(text);
    setTimeout(() => socket.resetAndDestroy(), 50);
  };
};
/** Redirects `count` times, then responds with the file. */
const redirects = (count: number): Behaviour => {
  return (socket, request) => {
    const done = Number(/^GET \/hop(\d+)/.exec(request)?.[1] ?? 0);
    if (done < count) answer('302 Found', `Location: /hop${done + 1}`)(socket, request);
    else found(FILE)(socket, request);
  };
};
const redirect = (location: string): Behaviour => answer('301 Moved', `Location: ${location}`);

const gzipBomb = gzipSync(Buffer.alloc(100_000_000));
const cut = LIMIT + 1;
const gone: Expected = ['unreachable', 'network'];
const late: Expected = ['unreachable', 'timeout'];
const failing: Expected = ['unreachable', 'http-status'];
const lost: Expected = ['unavailable', 'bad-redirect'];
const circling: Expected = ['unavailable', 'too-many-redirects'];

const ROWS: readonly (readonly [string, Behaviour, Expected])[] = [
  // Bodies.
  ['an endless body', endlessly(ok(), 'x'.repeat(65_536)), ['successful', cut]],
  [
    'an endless body in chunks',
    endlessly(ok('Transfer-Encoding: chunked'), '4\r\nabcd\r\n'.repeat(1000)),
    ['successful', cut],
  ],
  ['10 MB', found(Buffer.alloc(10_000_000, '#')), ['successful', cut]],
  ['a body that trickles', slowly(ok('Content-Length: 1000'), '#'), late],
  ['a body that never comes', (socket) => socket.write(ok('Content-Length: 10')), late],
  ['a gzip bomb', found2('gzip', gzipBomb), ['successful', cut]],
  ['a brotli bomb', found2('br', brotliCompressSync(Buffer.alloc(20_000_000))), ['successful', cut]],
  ['bombs in one another', found2('gzip, gzip', gzipSync(gzipBomb)), ['successful', cut]],
  ['deflate in gzip', found2('deflate, gzip', gzipSync(deflateSync(FILE))), ['successful', FILE]],
  ['more encodings than anybody needs', found2('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(FILE)))), gone],
  ['a body that is not what its encoding says', found2('gzip', Buffer.from(FILE)), gone],
  ['gzip that ends too early', found2('gzip', gzipSync(FILE).subarray(0, -10)), gone],
  ['something behind the gzip', found2('gzip', Buffer.concat([gzipSync(FILE), Buffer.from('junk')])), gone],
  ['a registered encoding without a decoder', found2('zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])), gone],
  ['an unknown encoding', found2('zstd-or-so', Buffer.from(FILE)), gone],
  ['a character encoding in its place', found2('UTF-8', Buffer.from(FILE)), ['successful', FILE]],
  [
    'an encoding of the transfer',
    send(`${ok('Transfer-Encoding: gzip, chunked')}3\r\nabc\r\n0\r\n\r\n`),
    gone,
  ],
  [
    'two encodings of the transfer, without effect',
    send(`${ok('Transfer-Encoding: identity, chunked')}0\r\n\r\n`),
    ['successful', ''],
  ],
  ['a Content-Length that is too long', send(`${ok('Content-Length: 100')}abc`), gone],
  [
    'a Content-Length that is too short',
    send(`${ok(`Content-Length: ${FILE.length}`)}${FILE}more`),
    ['successful', FILE],
  ],
  ['two lengths that differ', send(`${ok('Content-Length: 3', 'Content-Length: 4')}abcd`), gone],
  ['a length that is no number', send(`${ok('Content-Length: abc')}abcd`), gone],
  ['an invalid chunk', send(`${ok('Transfer-Encoding: chunked')}zz\r\nabc`), gone],
  ['chunks without a last one', send(`${ok('Transfer-Encoding: chunked')}3\r\nabc\r\n`), gone],
  ['a length and chunks', send(`${ok('Content-Length: 3', 'Transfer-Encoding: chunked')}0\r\n\r\n`), gone],
  ['a reset in the body', thenReset(`${ok('Content-Length: 100')}abc`), gone],
  ['a reset in a body without a length', thenReset(`${ok()}abc`), gone],
  ['the end of a body without a length', send(`${ok()}${FILE}`), ['successful', FILE]],
  ['empty', found(''), ['successful', '']],
  ['HTML', found('<!doctype html><p>Disallow: /'), ['successful', '<!doctype html><p>Disallow: /']],
  ['UTF-16', found(Buffer.from(FILE, 'utf16le')), ['successful', Buffer.from(FILE, 'utf16le')]],
  ['latin1', found(Buffer.from([0xe9, 0x0a])), ['successful', Buffer.from([0xe9, 0x0a])]],
  ['NULs', found('\0\0a\0'), ['successful', '\0\0a\0']],
  // Responses.
  ['an immediate reset', (socket) => socket.resetAndDestroy(), gone],
  ['an end without an answer', (socket) => socket.end(), gone],
  ['no status line', send(FILE), gone],
  ['bytes that mean nothing', send(Buffer.alloc(5000, 0xff)), gone],
  ['no answer', () => {}, late],
  ['headers that trickle', slowly('HTTP/1.1 200 OK\r\n', 'a: b\r\n'), late],
  ['1 MB of headers', send(ok(`X: ${'x'.repeat(1_000_000)}`)), gone],
  ['headers without end', endlessly('HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(1000)), gone],
  ['a storm of 100 Continue', endlessly('', head('100 Continue').repeat(100)), gone],
  ['an unasked 100 Continue', send(`${head('100 Continue')}${ok()}${FILE}`), gone],
  ['early hints', send(`${head('103 Early Hints', 'Link: </x>')}${ok()}${FILE}`), ['successful', FILE]],
  [
    'an unasked switch of protocols',
    answer('101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade'),
    gone,
  ],
  ['HTTP/1.0', send(`HTTP/1.0 200 OK\r\n\r\n${FILE}`), ['successful', FILE]],
  ['line ends without CR', send(`HTTP/1.1 200 OK\n\n${FILE}`), gone],
  [
    'keep-alive that dies',
    (socket) => {
      socket.write(`${ok('Connection: keep-alive', `Content-Length: ${FILE.length}`)}${FILE}`);
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    ['successful', FILE],
  ],
  // Statuses.
  // What never becomes a byte of the body.
  ['informational responses without end', flood('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'), gone],
  ['an extension of a chunk without end', flood('a=b;', `${ok('Transfer-Encoding: chunked')}5;`), gone],
  ['gzip members of nothing without end', flood(gzipSync(''), ok('Content-Encoding: gzip')), gone],
  [
    'deflate blocks of nothing without end',
    flood(Buffer.from('000000ffff', 'hex'), ok('Content-Encoding: deflate')),
    gone,
  ],
  ['a status of two digits', answer('20 OK'), gone],
  // Redirects.
  ['redirects without end', redirects(Number.POSITIVE_INFINITY), circling],
  ['a redirect to itself', redirect('/robots.txt'), circling],
  ['a redirect to FTP', redirect('ftp://127.0.0.1/robots.txt'), lost],
  ['a redirect to a file', redirect('file:///etc/passwd'), lost],
  ['a redirect to data', redirect('data:text/plain,User-agent:*'), lost],
  ['a redirect to an empty place, which is itself', redirect(''), circling],
  ['a redirect to a port without a listener', redirect('http://127.0.0.1:2/'), gone],
  ['a redirect to a long place', redirect(`/${'x'.repeat(20_000)}`), gone],
  [
    'a redirect that says where in its body',
    send(`${head('302 Found')}<meta http-equiv=refresh content="0;url=/a">`),
    lost,
  ],
];

/** Sends a start, and then the same bytes again and again. */
function flood(bytes: string | Uint8Array, start = ''): Behaviour {
  const many = Buffer.concat(Array<Buffer>(5_000).fill(Buffer.from(bytes)));
  return (socket) => {
    const send = (): void => {
      let isTaken = !socket.destroyed;
      while (isTaken) isTaken = socket.write(many);
    };
    socket.on('drain', send).write(start);
    send();
  };
}

function found2(encoding: string, body: Uint8Array): Behaviour {
  return send(
    Buffer.concat([Buffer.from(ok(`Content-Length: ${body.length}`, `Content-Encoding: ${encoding}`)), body]),
  );
}

function optionsFor([, what]: Expected): FetchOptions {
  return what === 'timeout' ? {} : UNHURRIED;
}

function expectResult(result: UnconditionalResult, [kind, what]: Expected): void {
  expect(result).toMatchObject(kind === 'successful' ? { kind } : { kind, code: what });
  if (result.kind !== 'successful') {
    expect(result.message).toMatch(/\S/);
    // An outage disallows everything, and is a result instead of an exception.
    return;
  }
  if (typeof what === 'number') expect(result.bytes.length).toBe(what);
  else expect(Buffer.from(result.bytes).equals(Buffer.from(what as string))).toBe(true);
  expect(parse(result.bytes).ruleset('a').decide('/').kind).toBe('allowed');
}

describe('hostile HTTP servers', () => {
  test('are at least forty', () => expect(ROWS.length).toBeGreaterThan(40));

  test.each(ROWS)('%s', async (_name, behaviour, expected) => {
    const server = await closeAtEnd(serveRaw(behaviour));
    expectResult(await fetchBounded(`${server.origin}/robots.txt`, optionsFor(expected)), expected);
  });

  test('a validator that is no header, from a damaged copy, is not sent, and the file is fetched', async () => {
    const server = await closeAtEnd(
      serveRaw((socket, request) =>
        found(/if-none-match|X: y/i.test(request) ? 'sent' : FILE)(socket, request),
      ),
    );
    const url = `${server.origin}/robots.txt`;
    const validators = { url, etag: 'a\r\nX: y', lastModified: null };
    expectResult((await refetchRobotsTxt(url, validators, UNHURRIED)) as UnconditionalResult, [
      'successful',
      FILE,
    ]);
  });

  test('a redirect to another port is another site, and followed', async () => {
    const other = await closeAtEnd(serveRaw(found(FILE)));
    const server = await closeAtEnd(serveRaw(redirect(`${other.origin}/robots.txt`)));
    const result = await fetchBounded(`${server.origin}/robots.txt`);
    expectResult(result, ['successful', FILE]);
    expect(result.hops.length).toBe(2);
  });

  test('a mayFollow that never resolves does not block the fetch', async () => {
    const server = await closeAtEnd(serveRaw(redirect('/elsewhere')));
    expectResult(
      await fetchBounded(`${server.origin}/robots.txt`, { mayFollow: () => new Promise(() => {}) }),
      late,
    );
  });

  test('a redirect to an IPv6 address, where there may be no IPv6, is a result', async () => {
    const server = await closeAtEnd(serveRaw(redirect('http://[::1]:2/robots.txt')));
    expectResult(await fetchBounded(`${server.origin}/robots.txt`), gone);
  });

  test('a 5xx whose body breaks off keeps its headers', async () => {
    const server = await closeAtEnd(
      serveRaw(thenReset(head('503 Busy', 'Retry-After: 3600', 'Content-Length: 1000'))),
    );
    const result = await fetchBounded(`${server.origin}/robots.txt`, { readsErrorBodies: true });
    expectResult(result, failing);
    expect(result.headers?.retryAfter).toBe('3600');
  });

  test('a redirect to a disallowed URL is not followed', async () => {
    const server = await closeAtEnd(serveRaw(redirect('/private/robots.txt')));
    const targets: string[] = [];
    const mayFollow = async (url: string): Promise<boolean> => {
      targets.push(url);
      return false;
    };
    const result = await fetchBounded(`${server.origin}/robots.txt`, { mayFollow });
    expectResult(result, ['unavailable', 'disallowed-redirect']);
    expect(targets).toEqual([`${server.origin}/private/robots.txt`]);
  });
});

describe('after the fetch nothing is left', () => {
  /** Fetches in another process. @returns how long it lives, and how many connections it opens. */
  async function live(
    behaviour: Behaviour,
    timeout: number,
  ): Promise<{ kind: string; lived: number; made: number }> {
    let made = 0;
    const server = await closeAtEnd(
      serveRaw(behaviour, () => {
        made++;
      }),
    );
    const script = new URL('../support/one-fetch.mjs', import.meta.url).pathname;
    const child = spawn(process.execPath, [script, `${server.origin}/robots.txt`, String(timeout)]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [started] = (await once(child.stdout, 'data')) && [performance.now()];
    await once(child, 'close');
    return { ...JSON.parse(output), lived: performance.now() - (started as number), made };
  }

  test('after a timeout: no second connection, no timer', async () => {
    const { kind, lived, made } = await live(() => {}, 300);
    expect({ kind, made }).toEqual({ kind: 'unreachable', made: 1 });
    expect(lived).toBeLessThan(2_000);
  });

  test('after redirects with bodies that never end: one connection each', async () => {
    const redirectSlowly: Behaviour = (socket, request) => {
      if (request.startsWith('GET /robots.txt ')) {
        socket.write(head('302 Found', 'Location: /next', 'Content-Length: 100'));
      } else found(FILE)(socket, request);
    };
    const { kind, lived, made } = await live(redirectSlowly, 5_000);
    expect({ kind, made }).toEqual({ kind: 'successful', made: 2 });
    expect(lived).toBeLessThan(2_000);
  });
});

describe('names and connections', () => {
  const to = (resolve: Resolver['resolve']): Promise<UnconditionalResult> =>
    fetchBounded('http://site.example/robots.txt', { resolver: { resolve } });

  test('a name that does not exist', async () => {
    expectResult(await fetchBounded('http://nobody.invalid/robots.txt', { deadlines: {} }), gone);
  });

  test('a name server that never answers', async () => {
    const result = await to(() => new Promise(() => {}));
    expectResult(result, late);
    expect(result).toMatchObject({ message: 'no address of the host within 400 ms' });
    expect(result.timings).toEqual({ lookup: expect.closeTo(400, -2), total: expect.closeTo(400, -2) });
  });

  test('a name without an address', async () => {
    expectResult(await to(async () => []), gone);
  });

  test('no listening port', async () => {
    expectResult(await fetchBounded('http://127.0.0.1:2/robots.txt'), gone);
  });

  test.skipIf(process.platform !== 'linux')('a server that takes no more connections', async () => {
    const script = `const s = require('net').createServer(() => {}).listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => process.stdout.write(String(s.address().port)))`;
    const child = spawn(process.execPath, ['-e', script]);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    // Stopped, it accepts nothing; what the system accepts for it is soon full.
    child.kill('SIGSTOP');
    const sockets = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const result = await fetchBounded(`http://127.0.0.1:${port}/robots.txt`);
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
    expectResult(result, late);
    expect(result).toMatchObject({ message: 'no connection within 400 ms' });
  });
});

describe('TLS', () => {
  const folder = new URL('../support/certificates/', import.meta.url);
  const pem = (name: string): Buffer => readFileSync(new URL(name, folder));
  const key = pem('server.key');
  let env: NodeJS.ProcessEnv;
  beforeAll(() => {
    env = { ...ownCache(), NODE_EXTRA_CA_CERTS: new URL('ca.pem', folder).pathname };
  });
  afterAll(() => {
    env = {};
  });

  /** What the command says that a server with this certificate answers. */
  async function fetchWith(certificate: string): Promise<Record<string, unknown>> {
    const server = createTlsServer({ key, cert: pem(`${certificate}.pem`) }, (socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.end(`${ok(`Content-Length: ${FILE.length}`)}${FILE}`, () => socket.destroy());
        });
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await closeAtEnd({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
    const { port } = server.address() as AddressInfo;
    const { stdout } = await run(['check', `https://localhost:${port}/a`, '--json'], '', { env });
    return JSON.parse(stdout);
  }

  test('a certificate that is right', async () => {
    expect(await fetchWith('valid')).toMatchObject({ policy: { kind: 'rules' } });
  });

  test.each([
    ['expired', /CERT_HAS_EXPIRED/],
    ['wrong-host', /ERR_TLS_CERT_ALTNAME_INVALID/],
    ['self-signed', /DEPTH_ZERO_SELF_SIGNED_CERT/],
  ])('%s', async (certificate, reason) => {
    expect(await fetchWith(certificate)).toMatchObject({
      policy: { kind: 'disallow-all', reason: 'unreachable' },
      code: 'network',
      message: expect.stringMatching(reason),
    });
  });

  test('a handshake that never ends', async () => {
    const server = await closeAtEnd(serveRaw(() => {}));
    const result = await fetchBounded(`${server.origin.replace('http', 'https')}/robots.txt`);
    expectResult(result, late);
    expect(result).toMatchObject({ message: 'no end of the TLS handshake within 400 ms' });
  });

  test('a server that does not speak TLS', async () => {
    const server = await closeAtEnd(serveRaw(found(FILE)));
    expectResult(await fetchBounded(`${server.origin.replace('http', 'https')}/robots.txt`), gone);
  });
});

describe('hostile FTP servers', () => {
  const trickle = (data: Socket): void => {
    const timer = setInterval(() => data.write('#'), 50);
    data.on('close', () => clearInterval(timer));
  };
  const FTP_FILE = 'User-agent: *\nDisallow: /ftp\n';
  const ROWS: readonly (readonly [string, FtpScript, Expected])[] = [
    ['a good one', {}, ['successful', FTP_FILE]],
    ['one that knows PASV only', { replies: { EPSV: '500 what?' } }, ['successful', FTP_FILE]],
    [
      'one that names another host for data',
      { replies: { EPSV: '500 what?' }, dataAddress: '10.255.255.1' },
      ['successful', FTP_FILE],
    ],
    ['no login', { replies: { USER: '530 no', PASS: '530 no' } }, ['unreachable', 'ftp-reply']],
    ['too many users', { greeting: '421 too many' }, ['unreachable', 'ftp-reply']],
    ['no file', { replies: { RETR: '550 no such file' }, onData: () => {} }, ['unavailable', 'ftp-reply']],
    ...['USER', 'PASS', 'TYPE'].map(
      (command) =>
        [`550 to ${command}`, { replies: { [command]: '550 no' } }, ['unreachable', 'ftp-reply']] as const,
    ),
    ['550 as a greeting', { greeting: '550 no' }, ['unreachable', 'ftp-reply']],
    ['a file for others', { replies: { RETR: '450 busy' } }, ['unreachable', 'ftp-reply']],
    [
      'a greeting that says to wait',
      { greeting: '120 ready in a minute\r\n220 ready' },
      ['successful', FTP_FILE],
    ],
    ['another delimiter of the port', { delimiter: '!' }, ['successful', FTP_FILE]],
    ['350 to RETR', { replies: { RETR: '350 go on' }, onData: () => {} }, ['unreachable', 'ftp-reply']],
    [
      'preliminary replies without end',
      { onData: (_, control) => endlessly('', '150 x\r\n'.repeat(1_000))(control, '') },
      gone,
    ],
    ['no greeting', { greeting: null }, late],
    ['a greeting that means nothing', { greeting: 'hello' }, late],
    ['a greeting without end', { greeting: `220-${'x\r\n'.repeat(100_000)}` }, gone],
    ['no listener for data', { dataPort: 2 }, gone],
    ['no port for data', { replies: { EPSV: '229 passive', PASV: '227 passive' } }, gone],
    ['an invalid port for data', { replies: { EPSV: '229 passive (|||65536|)' } }, gone],
    ['data that never come', { onData: () => {} }, late],
    ['data that trickle', { onData: trickle }, late],
    [
      'data without end',
      { onData: (data) => endlessly('', 'x'.repeat(65_536))(data, '') },
      ['successful', cut],
    ],
    [
      'data that break off',
      {
        onData: (data, control) => {
          data.write('abc');
          setTimeout(() => data.resetAndDestroy(), 50);
          control.write('426 broken\r\n');
        },
      },
      ['unreachable', 'ftp-reply'],
    ],
    [
      'a file that cannot be read to its end, says the server',
      {
        onData: (data, control) => data.write('User-agent: *\n', () => control.write('550 read error\r\n')),
      },
      ['unreachable', 'ftp-reply'],
    ],
    [
      'data that are not all, says the server',
      { onData: (data, control) => data.end('abc', () => control.write('451 disk error\r\n')) },
      ['unreachable', 'ftp-reply'],
    ],
    ['data without a final reply', { onData: (data) => data.end('abc') }, late],
    [
      'a server that goes away',
      {
        onData: (data, control) => {
          data.write('abc');
          control.destroy();
        },
      },
      gone,
    ],
  ];

  test.each(ROWS)('%s', async (_name, script, expected) => {
    const server = await closeAtEnd(serveFtp(script));
    expectResult(await fetchBounded(`${server.origin}/robots.txt`, optionsFor(expected)), expected);
    // A reply never makes the client repeat a command.
    expect(new Set(server.commands).size).toBe(server.commands.length);
  });

  test('no listening port', async () => {
    expectResult(await fetchBounded('ftp://127.0.0.1:2/robots.txt'), gone);
  });

  test('a path cannot start another command', async () => {
    const server = await closeAtEnd(serveFtp({}));
    expectResult(await fetchBounded(`${server.origin}/robots.txt%0D%0ADELE%20x`), gone);
    expect(server.commands.filter((command) => /DELE|RETR/.test(command))).toEqual([]);
  });

  test('a private address is refused with allowPrivateAddresses: false', async () => {
    const server = await closeAtEnd(serveFtp({}));
    const result = await fetchBounded(`${server.origin}/robots.txt`, { allowPrivateAddresses: false });
    expectResult(result, ['unreachable', 'private-address']);
    expect(server.commands).toEqual([]);
  });
});
