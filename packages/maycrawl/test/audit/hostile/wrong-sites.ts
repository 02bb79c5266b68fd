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
  outcome: string,
  respond: HostileSite['respond'],
  more: Partial<HostileSite> = {},
): HostileSite => ({ name, respond, outcomes: { '/hostile': outcome }, ...more });

/** Expects that the link on the page was found or not. */
const expectFound = (isFound: boolean): Partial<HostileSite> => ({
  check: ({ outcomes }) => expect(outcomes.has('/found')).toBe(isFound),
});

export const SLOW_SITES: readonly HostileSite[] = [
  createSite(
    'silence',
    'failure timeout',
    respondTo('/hostile', () => {}),
  ),
  createSite(
    'a body, byte by byte',
    'failure timeout',
    respondTo('/hostile', ({ response }) => {
      response.writeHead(200, HTML);
      writePieces(response, () => 'x', 20);
    }),
  ),
  createSite(
    'headers, byte by byte',
    'failure timeout',
    respondTo('/hostile', ({ request: { socket } }) => {
      socket.write(`${START}X-A: `);
      writePieces(socket, () => 'a', 20);
    }),
  ),
  createSite(
    'an endless sequence of headers',
    'failure timeout',
    respondTo('/hostile', ({ request: { socket } }) => {
      socket.write(START);
      let number = 0;
      writePieces(socket, () => `X-${number++}: b\r\n`, 20);
    }),
  ),
  createSite(
    'endless early hints',
    'failure timeout',
    respondTo('/hostile', ({ request: { socket } }) =>
      writePieces(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n', 20),
    ),
  ),
  createSite(
    'a stalled body',
    'failure timeout',
    sendBytes(`${START}Content-Length: 1000\r\n\r\n<title>t</title>`, 'open'),
  ),
];

export const WRONG_SITES: readonly HostileSite[] = [
  // Truncated responses.
  createSite('a connection that is closed', 'failure network', sendBytes('')),
  createSite('a connection that is reset', 'failure network', sendBytes('', 'reset')),
  createSite(
    'a reset in the body',
    'failure network',
    sendBytes(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`, 'reset'),
  ),
  createSite(
    'a body shorter than its Content-Length',
    'failure network',
    sendBytes(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`),
    expectFound(false),
  ),
  createSite(
    'invalid chunks',
    'failure network',
    sendBytes(`${START}Transfer-Encoding: chunked\r\n\r\nzz\r\n${DOCUMENT}`),
  ),
  // The second response is valid.
  createSite(
    'broken off once',
    'fetched 200',
    respondTo('/hostile', ({ request, response, times }) => {
      if (times === 1) request.socket.destroy();
      else response.writeHead(200, HTML).end(DOCUMENT);
    }),
    expectFound(true),
  ),
  // Not HTTP.
  createSite('another protocol', 'failure network', sendBytes('SSH-2.0-OpenSSH_9.6\r\n')),
  // Contradictory headers.
  createSite(
    'two lengths',
    'failure network',
    sendBytes(`${START}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`),
  ),
  createSite(
    'Content-Length and chunks',
    'failure network',
    sendBytes(`${START}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  ),
  createSite(
    'two types',
    'fetched 200',
    sendBytes(`${START}Content-Type: image/png\r\nConnection: close\r\n\r\n${DOCUMENT}`),
    expectFound(false),
  ),
  createSite('two locations', 'fetched 301', sendPage({ Location: ['/ok/1', '/ok/2'] }, '', 301), {
    check: async ({ run, urls }) => {
      const page = run.page(urls.find(({ path }) => path === '/hostile')?.key ?? -1);
      expect(page?.outcome).toMatchObject({ facts: { location: expect.stringMatching(/\/ok\/1$/) } });
    },
  }),
  createSite(
    'a header of 1 MB',
    'failure network',
    sendBytes(`${START}X-Long: ${'a'.repeat(2 ** 20)}\r\n\r\n${DOCUMENT}`),
  ),
  createSite(
    '100,000 headers',
    'failure network',
    sendBytes(`${START}${Array.from({ length: 100_000 }, (_, index) => `X-${index}: a\r\n`).join('')}\r\n`),
  ),
  // Bodies of another type than declared.
  createSite('invalid gzip', 'failure network', sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, DOCUMENT)),
  createSite(
    'truncated gzip',
    'failure network',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, gzipSync(DOCUMENT).subarray(0, -20)),
  ),
  createSite(
    'an unknown encoding',
    'failure network',
    sendPage({ ...HTML, 'Content-Encoding': 'snail' }, DOCUMENT),
  ),
  createSite(
    'encodings around encodings',
    'failure network',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip, gzip, gzip' }, gzipSync(gzipSync(gzipSync(DOCUMENT)))),
  ),
  createSite(
    'an image that is HTML',
    'fetched 200',
    sendPage({ 'Content-Type': 'image/png' }, DOCUMENT),
    expectFound(false),
  ),
  createSite(
    'an image declared as HTML',
    'fetched 200',
    sendPage(HTML, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254])),
  ),
  createSite(
    'an unknown charset',
    'fetched 200',
    sendPage({ 'Content-Type': 'text/html; charset=../../etc/passwd' }, DOCUMENT),
    expectFound(true),
  ),
  createSite(
    'an endless charset',
    'fetched 200',
    sendPage({ 'Content-Type': `text/html; charset="${'a'.repeat(8_000)}` }, DOCUMENT),
    expectFound(true),
  ),
  // Names with control characters and markup.
  createSite(
    'control characters and tags in names',
    'fetched 200',
    sendPage(
      HTML,
      formatPage(
        ['/\u001b[31m<b>&quot;\u0007'],
        '<title>\u001b]0;x\u0007<script>alert(1)</script>&#27;[2J</title>',
      ),
    ),
    {
      outcomes: { '/hostile': 'fetched 200', '/%1B[31m%3Cb%3E%22': 'fetched 404' },
    },
  ),
];

export const HUGE_SITES: readonly HostileSite[] = [
  createSite(
    'a page of 50 MB',
    'fetched 200 cut',
    sendPage(HTML, Buffer.alloc(50_000_000, `${formatPage(['/ok/1'])}\n`)),
  ),
  createSite(
    'an endless body',
    'fetched 200 cut',
    respondTo('/hostile', ({ response }) => {
      response.writeHead(200, HTML);
      const piece = Buffer.alloc(65_536, '<p>more</p>');
      writePieces(response, () => piece);
    }),
  ),
  createSite(
    'an endless file',
    'fetched 200',
    respondTo('/hostile', ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'video/mp4' });
      const piece = Buffer.alloc(65_536);
      writePieces(response, () => piece);
    }),
  ),
  createSite(
    'a bomb of gzip',
    'fetched 200 cut',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip' }, GZIP_BOMB),
  ),
  createSite(
    'a bomb of brotli',
    'fetched 200 cut',
    sendPage({ ...HTML, 'Content-Encoding': 'br' }, BROTLI_BOMB),
  ),
  createSite(
    'a nested bomb',
    'fetched 200 cut',
    sendPage({ ...HTML, 'Content-Encoding': 'gzip, gzip' }, gzipSync(GZIP_BOMB)),
  ),
  createSite(
    'elements in elements',
    'fetched 200',
    sendPage(HTML, `<title>t</title>${'<div><svg><b>'.repeat(300_000)}<a href="/ok/1">`),
  ),
  createSite(
    'an attribute of 4 MB',
    'fetched 200',
    sendPage(HTML, `<a title="${'&amp;"'.slice(0, 5).repeat(800_000)}" href="/ok/1">`),
  ),
  createSite('a comment that does not end', 'fetched 200', sendPage(HTML, `<!--${'-'.repeat(4_000_000)}`)),
  createSite(
    '100,000 statements',
    'fetched 200',
    sendPage(HTML, '<meta name=robots content=noindex><link rel=canonical href=/ok/1>'.repeat(60_000)),
  ),
  createSite(
    'a list of 5 MB in a tag',
    'fetched 200',
    sendPage(HTML, `<meta name=robots content="${'none,'.repeat(900_000)}">`),
  ),
];
