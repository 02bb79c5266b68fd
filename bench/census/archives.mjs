// Archives of the shape of Common Crawl's robots.txt archives: a warcinfo record, then request, response and metadata of 800 captures, each
// record a gzip member, with decoded bodies and the header fields of archives of 2019 (HTTP/1.1) and 2025 (HTTP/2). Threads write them.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { makeRandom, readCorpus } from '../corpus.mjs';

const PER_FILE = 800;
/** Files that 55 % of the responses of `repeated` have. */
const MANAGED = 60;
const SUFFIXES = ['com', 'org', 'de', 'co.uk', 'net', 'com.br', 'ru', 'io'];
const DATE = 'Sat, 10 Jan 2026 10:00:01 GMT';
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base 32 without padding (RFC 4648), as in the digests of archives. */
function toBase32(bytes) {
  let text = '';
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) text += BASE_32[(bits >> (count - 5)) & 31];
    bits &= 0xff;
  }
  return text;
}

const digest = (...parts) => {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return `sha1:${toBase32(hash.digest())}`;
};

/** Creates text of hexadecimal digits. */
const createHex = (random, length) => {
  let text = '';
  while (text.length < length) text += Math.floor(random() * 2 ** 32).toString(16);
  return text.slice(0, length);
};

function createId(random) {
  const hex = createHex(random, 32);
  return `<urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}>`;
}

/** A page for an error or a redirect, as web servers generate it. */
const createPage = (title, host) =>
  Buffer.from(
    `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${title}</title>\n</head><body>\n<h1>${title}</h1>\n` +
      `<p>The requested URL was not found on this server.</p>\n<hr>\n<address>Server at ${host} Port 443</address>\n</body></html>\n`,
  );

/** Creates the status and the body of a response. */
function createResponse(kind, number, host, random, files) {
  const share = random();
  if (share < 0.17) return { status: 404, body: createPage('404 Not Found', host) };
  if (share < 0.27) return { status: 301, body: createPage('301 Moved Permanently', host) };
  if (share < 0.28) return { status: 503, body: createPage('503 Service Unavailable', host) };
  if (kind === 'repeated' && random() < 0.55)
    return { status: 200, body: files[(Math.floor(MANAGED ** random()) * 7) % files.length] };
  const base = files[Math.floor(random() * files.length)].subarray(0, 6_000);
  return { status: 200, body: Buffer.concat([base, Buffer.from(`\n# ${number}\n`)]) };
}

/** The header fields of a response, as servers with HTTP/1.1 and HTTP/2 send them. */
function createHead(status, host, body, isHttp2, random) {
  const location = status === 301 ? [`https://www.${host}/robots.txt`] : [];
  const cookie = `__cf_bm=${createHex(random, 43)}-1768039201-1.0.1.1; path=/; HttpOnly; Secure; SameSite=None`;
  if (!isHttp2)
    return [
      `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Other'}`,
      `Date: ${DATE}`,
      `Server: ${random() < 0.5 ? 'nginx' : 'Apache'}`,
      'Content-Type: text/plain; charset=UTF-8',
      'X-Crawler-Transfer-Encoding: chunked',
      'Connection: keep-alive',
      'Vary: Accept-Encoding',
      'Last-Modified: Tue, 02 Dec 2025 08:11:54 GMT',
      `ETag: W/"${createHex(random, 12)}"`,
      ...location.map((url) => `Location: ${url}`),
      'X-Crawler-Content-Encoding: gzip',
      `Content-Length: ${body.length}`,
    ];
  return [
    `HTTP/1.1 ${status}`,
    `date: ${DATE}`,
    'content-type: text/plain; charset=utf-8',
    'vary: Accept-Encoding',
    'x-content-type-options: nosniff',
    'cache-control: public, max-age=14400',
    'cf-cache-status: HIT',
    `age: ${Math.floor(random() * 14_400)}`,
    'strict-transport-security: max-age=63072000; includeSubDomains',
    ...location.map((url) => `location: ${url}`),
    `set-cookie: ${cookie}`,
    'server: cloudflare',
    `cf-ray: ${createHex(random, 16)}-IAD`,
    'X-Crawler-content-encoding: gzip',
    `Content-Length: ${body.length}`,
  ];
}

function writeRecord(type, id, further, blocks) {
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  const head = [
    'WARC/1.0',
    `WARC-Type: ${type}`,
    'WARC-Date: 2026-01-10T10:00:01Z',
    `WARC-Record-ID: ${id}`,
    `Content-Length: ${length}`,
    ...further,
    '\r\n',
  ].join('\r\n');
  return gzipSync(Buffer.concat([Buffer.from(head), ...blocks, Buffer.from('\r\n\r\n')]));
}

function createArchive(kind, start, end, files) {
  const random = makeRandom(start + 1);
  const info = createId(random);
  const about =
    'isPartOf: CC-MAIN-2026-04\r\npublisher: Benchmark\r\nsoftware: bench/census\r\nformat: WARC File Format 1.1\r\n';
  const members = [
    writeRecord('warcinfo', info, ['Content-Type: application/warc-fields'], [Buffer.from(about)]),
  ];
  for (let number = start; number < end; number++) {
    const host = `${random() < 0.5 ? 'www.' : ''}host-${number}.${SUFFIXES[number % SUFFIXES.length]}`;
    const { status, body } = createResponse(kind, number, host, random, files);
    const isHttp2 = random() < 0.5;
    const head = Buffer.from(`${createHead(status, host, body, isHttp2, random).join('\r\n')}\r\n\r\n`);
    const request = createId(random);
    const response = createId(random);
    const common = [`WARC-Warcinfo-ID: ${info}`, `WARC-Target-URI: https://${host}/robots.txt`];
    const connection = [
      `WARC-IP-Address: 192.0.2.${number % 256}`,
      `WARC-Protocol: ${isHttp2 ? 'h2' : 'http/1.1'}`,
      'WARC-Protocol: tls/1.3',
      'WARC-Cipher-Suite: TLS_AES_256_GCM_SHA384',
    ];
    const sent = [
      'GET /robots.txt HTTP/1.1',
      'User-Agent: CCBot/2.0 (https://commoncrawl.org/faq/)',
      'Accept: text/plain,text/html;q=0.9,*/*;q=0.8',
      'Accept-Language: en-US,en;q=0.5',
      'Accept-Encoding: br,gzip',
      `Host: ${host}`,
      'Connection: Keep-Alive',
      '\r\n',
    ];
    members.push(
      writeRecord(
        'request',
        request,
        ['Content-Type: application/http; msgtype=request', ...common, ...connection],
        [Buffer.from(sent.join('\r\n'))],
      ),
      writeRecord(
        'response',
        response,
        [
          'Content-Type: application/http; msgtype=response',
          `WARC-Concurrent-To: ${request}`,
          ...common,
          ...connection,
          `WARC-Payload-Digest: ${digest(body)}`,
          `WARC-Block-Digest: ${digest(head, body)}`,
          `WARC-Identified-Payload-Type: ${status === 200 ? 'text/x-robots' : 'text/html'}`,
        ],
        [head, body],
      ),
      writeRecord(
        'metadata',
        createId(random),
        ['Content-Type: application/warc-fields', `WARC-Concurrent-To: ${response}`, ...common],
        [Buffer.from(`fetchTimeMs: ${100 + (number % 900)}\r\ncharset-detected: UTF-8\r\n`)],
      ),
    );
  }
  return Buffer.concat(members);
}

function writeArchives({ folder, kind, responses, thread, threads }) {
  const { files } = readCorpus();
  for (let file = thread; file * PER_FILE < responses; file += threads) {
    const start = file * PER_FILE;
    const name = `CC-MAIN-20260110-${String(file).padStart(6, '0')}.warc.gz`;
    const bytes = createArchive(kind, start, Math.min(start + PER_FILE, responses), files);
    writeFileSync(join(folder, name), bytes);
  }
}

/**
 * Writes archives to a folder, which it creates. `repeated`: 55 % of the files are one of 60 managed ones; `distinct`: every file is
 * another one. Equal arguments give equal bytes, with any number of processors.
 */
export async function createArchives(folder, kind, responses) {
  mkdirSync(folder);
  const threads = availableParallelism();
  await Promise.all(
    Array.from({ length: threads }, (_, thread) => {
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { folder, kind, responses, thread, threads },
      });
      return new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve));
    }),
  );
  const paths = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  return { paths, bytes: paths.reduce((sum, path) => sum + statSync(path).size, 0) };
}

if (!isMainThread) writeArchives(workerData);
