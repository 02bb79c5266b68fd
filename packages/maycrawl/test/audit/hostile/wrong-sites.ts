// Invalid responses: truncated, contradictory, malformed, or too large.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import {
  createSites,
  type Exchange,
  formatPage,
  type HostileSite,
  respondTo,
  sendBytes,
  sendPage,
  writePieces,
} from './hostile-site.ts';

const HTML = { 'Content-Type': 'text/html' };
const START = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const DOCUMENT = formatPage(['/found'], '<title>t</title><meta name="robots" content="noindex">');
/** Content that compresses to few bytes. */
const ZEROS = Buffer.alloc(60_000_000);
const GZIP_BOMB = gzipSync(ZEROS);
const BROTLI_BOMB = brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

/** Responds with headers of a page, and a body that does not end. */
const sendEndless = (headers: Record<string, string>, piece: string | Buffer, pause?: number) =>
  respondTo('/hostile', ({ response }) => {
    response.writeHead(200, headers);
    writePieces(response, () => piece, pause);
  });

/** Sends the start of a response, and pieces until the connection is closed. */
const sendPieces = (start: string, getPiece: (index: number) => string) =>
  respondTo('/hostile', ({ request: { socket } }: Exchange) => {
    let index = 0;
    if (start !== '') socket.write(start);
    writePieces(socket, () => getPiece(index++), 20);
  });

/** Expects that the link on the page was found or not. */
const expectFound = (isFound: boolean): Partial<HostileSite> => ({
  check: ({ outcomes }) => expect(outcomes.has('/found')).toBe(isFound),
});

export const SLOW_SITES: readonly HostileSite[] = createSites('failure timeout', {
  silence: respondTo('/hostile', () => {}),
  'a body, byte by byte': sendEndless(HTML, 'x', 20),
  'headers, byte by byte': sendPieces(`${START}X-A: `, () => 'a'),
  'an endless sequence of headers': sendPieces(START, (index) => `X-${index}: b\r\n`),
  'endless early hints': sendPieces('', () => 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'a stalled body': sendBytes(`${START}Content-Length: 1000\r\n\r\n<title>t</title>`, 'open'),
});

export const WRONG_SITES: readonly HostileSite[] = [
  ...createSites('failure network', {
    // Truncated responses.
    'a connection that is closed': sendBytes(''),
    'a connection that is reset': sendBytes('', 'reset'),
    'a reset in the body': sendBytes(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`, 'reset'),
    'invalid chunks': sendBytes(`${START}Transfer-Encoding: chunked\r\n\r\nzz\r\n${DOCUMENT}`),
    'another protocol': sendBytes('SSH-2.0-OpenSSH_9.6\r\n'),
    // Contradictory headers.
    'two lengths': sendBytes(`${START}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`),
    'Content-Length and chunks': sendBytes(
      `${START}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ),
    'a header of 1 MB': sendBytes(`${START}X-Long: ${'a'.repeat(2 ** 20)}\r\n\r\n${DOCUMENT}`),
    '100,000 headers': sendBytes(
      `${START}${Array.from({ length: 100_000 }, (_, index) => `X-${index}: a\r\n`).join('')}\r\n`,
    ),
    // Bodies in another encoding than declared.
    'invalid gzip': sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, DOCUMENT),
    'truncated gzip': sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, gzipSync(DOCUMENT).subarray(0, -20)),
    'an unknown encoding': sendPage({ ...HTML, 'Content-Encoding': 'snail' }, DOCUMENT),
    'encodings around encodings': sendPage(
      { ...HTML, 'Content-Encoding': 'gzip, gzip, gzip' },
      gzipSync(gzipSync(gzipSync(DOCUMENT))),
    ),
  }),
  ...createSites(
    'failure network',
    {
      'a body shorter than its Content-Length': sendBytes(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`),
    },
    expectFound(false),
  ),
  ...createSites(
    'fetched 200',
    {
      // The second response is valid.
      'broken off once': respondTo('/hostile', ({ request, response, times }) => {
        if (times === 1) request.socket.destroy();
        else response.writeHead(200, HTML).end(DOCUMENT);
      }),
      'an unknown charset': sendPage({ 'Content-Type': 'text/html; charset=../../etc/passwd' }, DOCUMENT),
      'an endless charset': sendPage(
        { 'Content-Type': `text/html; charset="${'a'.repeat(8_000)}` },
        DOCUMENT,
      ),
    },
    expectFound(true),
  ),
  ...createSites(
    'fetched 200',
    {
      'two types': sendBytes(`${START}Content-Type: image/png\r\nConnection: close\r\n\r\n${DOCUMENT}`),
      'an image that is HTML': sendPage({ 'Content-Type': 'image/png' }, DOCUMENT),
      'an image declared as HTML': sendPage(HTML, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254])),
    },
    expectFound(false),
  ),
  ...createSites(
    'fetched 301',
    { 'two locations': sendPage({ Location: ['/ok/1', '/ok/2'] }, '', 301) },
    {
      check: ({ run, urls }) => {
        const page = run.page(urls.find(({ path }) => path === '/hostile')?.key ?? -1);
        expect(page?.outcome).toMatchObject({ facts: { location: expect.stringMatching(/\/ok\/1$/) } });
      },
    },
  ),
  {
    name: 'control characters and tags in names',
    respond: sendPage(
      HTML,
      formatPage(
        ['/\u001b[31m<b>&quot;\u0007'],
        '<title>\u001b]0;x\u0007<script>alert(1)</script>&#27;[2J</title>',
      ),
    ),
    outcomes: { '/hostile': 'fetched 200', '/%1B[31m%3Cb%3E%22': 'fetched 404' },
  },
];

export const HUGE_SITES: readonly HostileSite[] = [
  ...createSites('fetched 200 cut', {
    'a page of 50 MB': sendPage(HTML, Buffer.alloc(50_000_000, `${formatPage(['/ok/1'])}\n`)),
    'an endless body': sendEndless(HTML, Buffer.alloc(65_536, '<p>more</p>')),
    'a bomb of gzip': sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, GZIP_BOMB),
    'a bomb of brotli': sendPage({ ...HTML, 'Content-Encoding': 'br' }, BROTLI_BOMB),
    'a nested bomb': sendPage({ ...HTML, 'Content-Encoding': 'gzip, gzip' }, gzipSync(GZIP_BOMB)),
  }),
  ...createSites('fetched 200', {
    'an endless file': sendEndless({ 'Content-Type': 'video/mp4' }, Buffer.alloc(65_536)),
    'elements in elements': sendPage(
      HTML,
      `<title>t</title>${'<div><svg><b>'.repeat(300_000)}<a href="/ok/1">`,
    ),
    'an attribute of 4 MB': sendPage(HTML, `<a title="${'&amp;'.repeat(800_000)}" href="/ok/1">`),
    'a comment that does not end': sendPage(HTML, `<!--${'-'.repeat(4_000_000)}`),
    '100,000 statements': sendPage(
      HTML,
      '<meta name=robots content=noindex><link rel=canonical href=/ok/1>'.repeat(60_000),
    ),
    'a list of 5 MB in a tag': sendPage(HTML, `<meta name=robots content="${'none,'.repeat(900_000)}">`),
  }),
];
