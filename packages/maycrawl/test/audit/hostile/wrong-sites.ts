/**
 * Invalid responses: truncated, contradictory, malformed, or too large.
 *
 * @module
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { formatPage, type HostileSite, respondTo, sendBytes, sendPage, writePieces } from './hostile-site.ts';

const HTML = { 'Content-Type': 'text/html' };
const START = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const DOCUMENT = formatPage(['/found'], '<title>t</title><meta name="robots" content="noindex">');
/** Content that compresses to few bytes. */
const ZEROS = Buffer.alloc(60_000_000);
const GZIP_BOMB = gzipSync(ZEROS);
const BROTLI_BOMB = brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

const createSite = (
  name: string,
  respond: HostileSite['respond'],
  outcome: string,
  more: Partial<HostileSite> = {},
): HostileSite => ({ name, respond, outcomes: { '/hostile': outcome }, ...more });

/** Expects that the link on the page was found or not. */
const expectFound = (isFound: boolean): Partial<HostileSite> => ({
  check: ({ outcomes }) => expect(outcomes.has('/found')).toBe(isFound),
});

export const SLOW_SITES: readonly HostileSite[] = [
  createSite(
    'silence',
    respondTo('/hostile', () => {}),
    'failure timeout',
  ),
  createSite(
    'a body, byte by byte',
    respondTo('/hostile', ({ response }) => {
      response.writeHead(200, HTML);
      writePieces(response, () => 'x', 20);
    }),
    'failure timeout',
  ),
  createSite(
    'headers, byte by byte',
    respondTo('/hostile', ({ request: { socket } }) => {
      socket.write(`${START}X-A: `);
      writePieces(socket, () => 'a', 20);
    }),
    'failure timeout',
  ),
  createSite(
    'an endless sequence of headers',
    respondTo('/hostile', ({ request: { socket } }) => {
      socket.write(START);
      let number = 0;
      writePieces(socket, () => `X-${number++}: b\r\n`, 20);
    }),
    'failure timeout',
  ),
  createSite(
    'endless early hints',
    respondTo('/hostile', ({ request: { socket } }) =>
      writePieces(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n', 20),
    ),
    'failure timeout',
  ),
  createSite(
    'a stalled body',
    sendBytes(`${START}Content-Length: 1000\r\n\r\n<title>t</title>`, 'open'),
    'failure timeout',
  ),
];

export const WRONG_SITES: readonly HostileSite[] = [
  // Truncated responses.
  createSite('a connection that is closed', sendBytes(''), 'failure network'),
  createSite('a connection that is reset', sendBytes('', 'reset'), 'failure network'),
  createSite('a reset in the headers', sendBytes(START, 'reset'), 'failure network'),
  createSite(
    'a reset in the body',
    sendBytes(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`, 'reset'),
    'failure network',
  ),
  createSite(
    'a body shorter than its Content-Length',
    sendBytes(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`),
    'failure network',
    expectFound(false),
  ),
  createSite(
    'chunks without the last chunk',
    sendBytes(`${START}Transfer-Encoding: chunked\r\n\r\n5\r\n<p>hi\r\n`),
    'failure network',
  ),
  createSite(
    'invalid chunks',
    sendBytes(`${START}Transfer-Encoding: chunked\r\n\r\nzz\r\n${DOCUMENT}`),
    'failure network',
  ),
  // The second response is valid.
  createSite(
    'broken off once',
    respondTo('/hostile', ({ request, response, times }) => {
      if (times === 1) request.socket.destroy();
      else response.writeHead(200, HTML).end(DOCUMENT);
    }),
    'fetched 200',
    expectFound(true),
  ),
  // Not HTTP.
  createSite('another protocol', sendBytes('SSH-2.0-OpenSSH_9.6\r\n'), 'failure network'),
  createSite('HTML alone', sendBytes(DOCUMENT), 'failure network'),
  createSite('an invalid status', sendBytes('HTTP/1.1 2x0 OK\r\n\r\n'), 'failure network'),
  // Contradictory headers.
  createSite(
    'two lengths',
    sendBytes(`${START}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`),
    'failure network',
  ),
  createSite(
    'Content-Length and chunks',
    sendBytes(`${START}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    'failure network',
  ),
  createSite(
    'two types',
    sendBytes(`${START}Content-Type: image/png\r\nConnection: close\r\n\r\n${DOCUMENT}`),
    'fetched 200',
    expectFound(false),
  ),
  createSite('two locations', sendPage({ Location: ['/ok/1', '/ok/2'] }, '', 301), 'fetched 301', {
    check: async ({ run, urls }) => {
      const page = run.page(urls.find(({ path }) => path === '/hostile')?.key ?? -1);
      expect(page?.outcome).toMatchObject({ facts: { location: expect.stringMatching(/\/ok\/1$/) } });
    },
  }),
  createSite(
    'agents that disagree',
    sendPage({ ...HTML, 'X-Robots-Tag': ['all', 'noindex', 'index, follow'] }, formatPage([])),
    'fetched 200',
  ),
  createSite(
    'a header of 1 MB',
    sendBytes(`${START}X-Long: ${'a'.repeat(2 ** 20)}\r\n\r\n${DOCUMENT}`),
    'failure network',
  ),
  createSite(
    '100,000 headers',
    sendBytes(`${START}${Array.from({ length: 100_000 }, (_, index) => `X-${index}: a\r\n`).join('')}\r\n`),
    'failure network',
  ),
  // Bodies of another type than declared.
  createSite('invalid gzip', sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, DOCUMENT), 'failure network'),
  createSite(
    'truncated gzip',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, gzipSync(DOCUMENT).subarray(0, -20)),
    'failure network',
  ),
  createSite(
    'an unknown encoding',
    sendPage({ ...HTML, 'Content-Encoding': 'snail' }, DOCUMENT),
    'failure network',
  ),
  createSite(
    'a character encoding in place of an encoding',
    sendPage({ ...HTML, 'Content-Encoding': 'utf-8' }, DOCUMENT),
    'fetched 200',
    expectFound(true),
  ),
  createSite(
    'encodings around encodings',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip, gzip, gzip' }, gzipSync(gzipSync(gzipSync(DOCUMENT)))),
    'failure network',
  ),
  createSite(
    'an image that is HTML',
    sendPage({ 'Content-Type': 'image/png' }, DOCUMENT),
    'fetched 200',
    expectFound(false),
  ),
  createSite(
    'an image declared as HTML',
    sendPage(HTML, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254])),
    'fetched 200',
  ),
  createSite(
    'an unknown charset',
    sendPage({ 'Content-Type': 'text/html; charset=../../etc/passwd' }, DOCUMENT),
    'fetched 200',
    expectFound(true),
  ),
  createSite(
    'an endless charset',
    sendPage({ 'Content-Type': `text/html; charset="${'a'.repeat(8_000)}` }, DOCUMENT),
    'fetched 200',
    expectFound(true),
  ),
  // Names with control characters and markup.
  createSite(
    'control characters and tags in names',
    sendPage(
      HTML,
      formatPage(
        ['/\u001b[31m<b>&quot;\u0007'],
        '<title>\u001b]0;x\u0007<script>alert(1)</script>&#27;[2J</title>',
      ),
    ),
    'fetched 200',
    {
      outcomes: { '/hostile': 'fetched 200', '/%1B[31m%3Cb%3E%22': 'fetched 404' },
    },
  ),
];

export const HUGE_SITES: readonly HostileSite[] = [
  createSite(
    'a page of 50 MB',
    sendPage(HTML, Buffer.alloc(50_000_000, `${formatPage(['/ok/1'])}\n`)),
    'fetched 200 cut',
  ),
  createSite(
    'an endless body',
    respondTo('/hostile', ({ response }) => {
      response.writeHead(200, HTML);
      const piece = Buffer.alloc(65_536, '<p>more</p>');
      writePieces(response, () => piece);
    }),
    'fetched 200 cut',
  ),
  createSite(
    'an endless file',
    respondTo('/hostile', ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'video/mp4' });
      const piece = Buffer.alloc(65_536);
      writePieces(response, () => piece);
    }),
    'fetched 200',
  ),
  createSite(
    'a bomb of gzip',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, GZIP_BOMB),
    'fetched 200 cut',
  ),
  createSite(
    'a bomb of brotli',
    sendPage({ ...HTML, 'Content-Encoding': 'br' }, BROTLI_BOMB),
    'fetched 200 cut',
  ),
  createSite(
    'a nested bomb',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip, gzip' }, gzipSync(GZIP_BOMB)),
    'fetched 200 cut',
  ),
  createSite(
    'elements in elements',
    sendPage(HTML, `<title>t</title>${'<div><svg><b>'.repeat(300_000)}<a href="/ok/1">`),
    'fetched 200',
  ),
  createSite(
    'an attribute of 4 MB',
    sendPage(HTML, `<a title="${'&amp;"'.slice(0, 5).repeat(800_000)}" href="/ok/1">`),
    'fetched 200',
  ),
  createSite('a comment that does not end', sendPage(HTML, `<!--${'-'.repeat(4_000_000)}`), 'fetched 200'),
  createSite(
    '100,000 statements',
    sendPage(HTML, '<meta name=robots content=noindex><link rel=canonical href=/ok/1>'.repeat(60_000)),
    // Equal statements are one.
    'fetched 200',
  ),
  createSite(
    'a list of 5 MB in a tag',
    sendPage(HTML, `<meta name=robots content="${'none,'.repeat(900_000)}">`),
    'fetched 200',
  ),
];
