/**
 * Answers that are wrong: broken off, contradictory, in no known form, or too much of something.
 *
 * @module
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type HostileSite, only, pageWith, pour, raw, send } from './hostile-site.ts';

const HTML = { 'Content-Type': 'text/html' };
const START = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const DOCUMENT = pageWith(['/found'], '<title>t</title><meta name="robots" content="noindex">');
/** Much, in few bytes. */
const ZEROS = Buffer.alloc(60_000_000);
const GZIP_BOMB = gzipSync(ZEROS);
const BROTLI_BOMB = brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

const site = (
  name: string,
  answer: HostileSite['answer'],
  outcome: string,
  more: Partial<HostileSite> = {},
): HostileSite => ({ name, answer, outcomes: { '/hostile': outcome }, ...more });

/** Whether the link on the page was found. */
const found = (isFound: boolean): Partial<HostileSite> => ({
  check: ({ outcomes }) => expect(outcomes.has('/found')).toBe(isFound),
});

export const SLOW_SITES: readonly HostileSite[] = [
  site(
    'silence',
    only('/hostile', () => {}),
    'failure timeout',
  ),
  site(
    'a body, byte by byte',
    only('/hostile', ({ response }) => {
      response.writeHead(200, HTML);
      pour(response, () => 'x', 20);
    }),
    'failure timeout',
  ),
  site(
    'headers, byte by byte',
    only('/hostile', ({ request: { socket } }) => {
      socket.write(`${START}X-A: `);
      pour(socket, () => 'a', 20);
    }),
    'failure timeout',
  ),
  site(
    'one header after the other',
    only('/hostile', ({ request: { socket } }) => {
      socket.write(START);
      let number = 0;
      pour(socket, () => `X-${number++}: b\r\n`, 20);
    }),
    'failure timeout',
  ),
  site(
    'early hints without end',
    only('/hostile', ({ request: { socket } }) => pour(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n', 20)),
    'failure timeout',
  ),
  site(
    'a body that stops',
    raw(`${START}Content-Length: 1000\r\n\r\n<title>t</title>`, 'open'),
    'failure timeout',
  ),
];

export const WRONG_SITES: readonly HostileSite[] = [
  // Broken off.
  site('a connection that is closed', raw(''), 'failure network'),
  site('a connection that is reset', raw('', 'reset'), 'failure network'),
  site('a reset in the headers', raw(START, 'reset'), 'failure network'),
  site(
    'a reset in the body',
    raw(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`, 'reset'),
    'failure network',
  ),
  site(
    'less than was promised',
    raw(`${START}Content-Length: 1000\r\n\r\n${DOCUMENT}`),
    'failure network',
    found(false),
  ),
  site(
    'chunks without an end',
    raw(`${START}Transfer-Encoding: chunked\r\n\r\n5\r\n<p>hi\r\n`),
    'failure network',
  ),
  site(
    'chunks that are none',
    raw(`${START}Transfer-Encoding: chunked\r\n\r\nzz\r\n${DOCUMENT}`),
    'failure network',
  ),
  // It comes right at the second time.
  site(
    'broken off once',
    only('/hostile', ({ request, response, times }) => {
      if (times === 1) request.socket.destroy();
      else response.writeHead(200, HTML).end(DOCUMENT);
    }),
    'fetched 200',
    found(true),
  ),
  // Not HTTP.
  site('another protocol', raw('SSH-2.0-OpenSSH_9.6\r\n'), 'failure network'),
  site('HTML alone', raw(DOCUMENT), 'failure network'),
  site('a status that is none', raw('HTTP/1.1 2x0 OK\r\n\r\n'), 'failure network'),
  // Contradictory headers.
  site('two lengths', raw(`${START}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`), 'failure network'),
  site(
    'a length, and chunks',
    raw(`${START}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    'failure network',
  ),
  site(
    'two types',
    raw(`${START}Content-Type: image/png\r\nConnection: close\r\n\r\n${DOCUMENT}`),
    'fetched 200',
    found(false),
  ),
  site('two locations', send({ Location: ['/ok/1', '/ok/2'] }, '', 301), 'fetched 301', {
    check: async ({ run, urls }) => {
      const page = await run.page(urls.find(({ path }) => path === '/hostile')?.key ?? -1);
      expect(page?.outcome).toMatchObject({ facts: { location: expect.stringMatching(/\/ok\/1$/) } });
    },
  }),
  site(
    'agents that disagree',
    send({ ...HTML, 'X-Robots-Tag': ['all', 'noindex', 'index, follow'] }, pageWith([])),
    'fetched 200',
  ),
  site(
    'a header of 1 MB',
    raw(`${START}X-Long: ${'a'.repeat(2 ** 20)}\r\n\r\n${DOCUMENT}`),
    'failure network',
  ),
  site(
    '100,000 headers',
    raw(`${START}${Array.from({ length: 100_000 }, (_, index) => `X-${index}: a\r\n`).join('')}\r\n`),
    'failure network',
  ),
  // Bodies that are not what they are said to be.
  site('gzip that is none', send({ ...HTML, 'Content-Encoding': 'gzip' }, DOCUMENT), 'failure network'),
  site(
    'gzip that ends early',
    send({ ...HTML, 'Content-Encoding': 'gzip' }, gzipSync(DOCUMENT).subarray(0, -20)),
    'failure network',
  ),
  site(
    'an encoding that nobody knows',
    send({ ...HTML, 'Content-Encoding': 'snail' }, DOCUMENT),
    'fetched 200',
    found(true),
  ),
  site(
    'encodings around encodings',
    send({ ...HTML, 'Content-Encoding': 'gzip, gzip, gzip' }, gzipSync(gzipSync(gzipSync(DOCUMENT)))),
    'failure network',
  ),
  site('an image that is HTML', send({ 'Content-Type': 'image/png' }, DOCUMENT), 'fetched 200', found(false)),
  site(
    'HTML that is an image',
    send(HTML, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254])),
    'fetched 200',
  ),
  site(
    'a charset that is none',
    send({ 'Content-Type': 'text/html; charset=../../etc/passwd' }, DOCUMENT),
    'fetched 200',
    found(true),
  ),
  site(
    'a charset without end',
    send({ 'Content-Type': `text/html; charset="${'a'.repeat(8_000)}` }, DOCUMENT),
    'fetched 200',
    found(true),
  ),
  // Names that do something where they are shown.
  site(
    'control characters and tags in names',
    send(
      HTML,
      pageWith(
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
  site(
    'a page of 50 MB',
    send(HTML, Buffer.alloc(50_000_000, `${pageWith(['/ok/1'])}\n`)),
    'fetched 200 cut',
  ),
  site(
    'a body without end',
    only('/hostile', ({ response }) => {
      response.writeHead(200, HTML);
      const piece = Buffer.alloc(65_536, '<p>more</p>');
      pour(response, () => piece);
    }),
    'fetched 200 cut',
  ),
  site(
    'a file without end',
    only('/hostile', ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'video/mp4' });
      const piece = Buffer.alloc(65_536);
      pour(response, () => piece);
    }),
    'fetched 200',
  ),
  site('a bomb of gzip', send({ ...HTML, 'Content-Encoding': 'gzip' }, GZIP_BOMB), 'fetched 200 cut'),
  site('a bomb of brotli', send({ ...HTML, 'Content-Encoding': 'br' }, BROTLI_BOMB), 'fetched 200 cut'),
  site(
    'a bomb in a bomb',
    send({ ...HTML, 'Content-Encoding': 'gzip, gzip' }, gzipSync(GZIP_BOMB)),
    'fetched 200 cut',
  ),
  site(
    'elements in elements',
    send(HTML, `<title>t</title>${'<div><svg><b>'.repeat(300_000)}<a href="/ok/1">`),
    'fetched 200',
  ),
  site(
    'an attribute of 4 MB',
    send(HTML, `<a title="${'&amp;"'.slice(0, 5).repeat(800_000)}" href="/ok/1">`),
    'fetched 200',
  ),
  site('a comment that does not end', send(HTML, `<!--${'-'.repeat(4_000_000)}`), 'fetched 200'),
  site(
    '100,000 statements',
    send(HTML, '<meta name=robots content=noindex><link rel=canonical href=/ok/1>'.repeat(60_000)),
    'fetched 200 cut',
  ),
  site(
    'a list of 5 MB in a tag',
    send(HTML, `<meta name=robots content="${'none,'.repeat(900_000)}">`),
    'fetched 200',
  ),
];
