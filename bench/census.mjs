// The census on archives of the shape of Common Crawl's: 800 responses in each file, with their requests and metadata, a gzip member for each
// record. `repeated`: 55 % of the files are one of 60 managed ones; `distinct`: every file is another one. Beside it in the same run: gunzip
// alone, the reader alone, and warcio.js on a tenth of the responses. node bench/census.mjs [RESPONSES, by default 40,000]
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGunzip, gzipSync } from 'node:zlib';
import { CRAWLERS } from '@maycrawl/core';
import { findInputs, InputTotals, readInput } from 'maycrawl/census';
import { WARCParser } from 'warcio';
import { makeRandom, readCorpus } from './corpus.mjs';

const RESPONSES = Number(process.argv[2] ?? 40_000);
const PER_FILE = 800;
const MANAGED = 60;
const AGENTS = CRAWLERS.slice(0, 30).map(({ name }) => name);
const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-census-bench-'));

/** Base 32 without padding (RFC 4648), as in the digests of archives. */
function toBase32(bytes) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]);
}

const digest = (bytes) => `sha1:${toBase32(createHash('sha1').update(bytes).digest())}`;

function writeRecord(type, number, url, block, further = []) {
  const head = [
    'WARC/1.0',
    `WARC-Type: ${type}`,
    'WARC-Date: 2026-01-10T10:00:01Z',
    `WARC-Record-ID: <urn:uuid:ececb7b0-ed4d-4d27-9ae8-${String(number).padStart(12, '0')}>`,
    `Content-Length: ${block.length}`,
    `Content-Type: application/http; msgtype=${type}`,
    'WARC-IP-Address: 192.0.2.25',
    `WARC-Target-URI: ${url}`,
    ...further,
    '',
    '',
  ];
  return gzipSync(Buffer.concat([Buffer.from(head.join('\r\n')), block, Buffer.from('\r\n\r\n')]));
}

/** Creates the status and the body of a response. */
function createResponse(kind, number, random, files) {
  const share = random();
  if (share < 0.17) return { status: 404, body: Buffer.from('<html><title>404 Not Found</title></html>') };
  if (share < 0.27) return { status: 301, body: Buffer.from('<html><title>301 Moved</title></html>') };
  if (share < 0.28) return { status: 503, body: Buffer.from('busy') };
  if (kind === 'repeated' && random() < 0.55)
    return { status: 200, body: files[(Math.floor(MANAGED ** random()) * 7) % files.length] };
  const base = files[Math.floor(random() * files.length)].subarray(0, 6_000);
  return { status: 200, body: Buffer.concat([base, Buffer.from(`\n# ${number}\n`)]) };
}

function writeArchives(kind, files) {
  const random = makeRandom(1);
  mkdirSync(join(folder, kind));
  for (let start = 0; start < RESPONSES; start += PER_FILE) {
    const members = [];
    for (let number = start; number < Math.min(start + PER_FILE, RESPONSES); number++) {
      const host = `www.host-${number}.${['com', 'org', 'de', 'co.uk'][number % 4]}`;
      const url = `https://${host}/robots.txt`;
      const { status, body } = createResponse(kind, number, random, files);
      const head = [
        `HTTP/1.1 ${status} Text`,
        'Date: Sat, 10 Jan 2026 10:00:01 GMT',
        'Content-Type: text/plain; charset=UTF-8',
        'X-Crawler-Transfer-Encoding: chunked',
        'X-Crawler-Content-Encoding: gzip',
        'Cache-Control: max-age=14400',
        ...(status === 301 ? [`Location: https://www.${host}/robots.txt`] : []),
        `Content-Length: ${body.length}`,
        '',
        '',
      ];
      const http = Buffer.concat([Buffer.from(head.join('\r\n')), body]);
      const request = `GET /robots.txt HTTP/1.1\r\nUser-Agent: CCBot/2.0\r\nAccept: */*\r\nHost: ${host}\r\n\r\n`;
      const digests = [`WARC-Payload-Digest: ${digest(body)}`, `WARC-Block-Digest: ${digest(http)}`];
      members.push(
        writeRecord('request', number, url, Buffer.from(request)),
        writeRecord('response', number, url, http, digests),
        writeRecord('metadata', number, url, Buffer.from('fetchTimeMs: 123\r\n')),
      );
    }
    const name = `CC-MAIN-${String(start / PER_FILE).padStart(5, '0')}.warc.gz`;
    writeFileSync(join(folder, kind, name), Buffer.concat(members));
  }
  return readdirSync(join(folder, kind)).map((name) => join(folder, kind, name));
}

/** Prints the wall time and the rate of some work. `work` returns the number of responses. */
async function time(name, work) {
  const start = performance.now();
  const { responses, note = '' } = await work();
  const seconds = (performance.now() - start) / 1_000;
  const each = ((1e6 * seconds) / responses).toFixed(1).padStart(7);
  const rate = Math.round(responses / seconds)
    .toLocaleString('en')
    .padStart(9);
  console.log(`${name.padEnd(34)}${each} µs a response ${rate} a second${note}`);
}

async function gunzip(paths) {
  for (const path of paths) {
    let bytes = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: 262_144 }).pipe(createGunzip()))
      bytes += chunk.length;
    if (bytes === 0) throw new Error(`${path} is empty`);
  }
  return { responses: RESPONSES };
}

async function read(paths) {
  const totals = new InputTotals();
  let responses = 0;
  for (const input of await findInputs(paths))
    for await (const batch of readInput(input, totals)) responses += batch.length;
  return { responses };
}

async function readWithWarcio(paths) {
  let responses = 0;
  for (const path of paths.slice(0, Math.ceil(paths.length / 10)))
    for await (const record of new WARCParser(createReadStream(path))) {
      if (record.warcType !== 'response') continue;
      await record.readFully(true);
      responses++;
    }
  return { responses };
}

/** Runs the command. */
function judge(kind, threads) {
  const out = join(folder, `${kind}-${threads}`);
  const args = [COMMAND, 'census', 'judge', join(folder, kind), '--agents', AGENTS.join(','), '--out', out];
  const child = spawn(process.execPath, [...args, '--threads', String(threads)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => {
      const bytes = readdirSync(out).reduce((sum, name) => sum + statSync(join(out, name)).size, 0);
      if (code === 0) resolve({ responses: RESPONSES, note: `, ${(bytes / 1e6).toFixed(1)} MB of tables` });
      else reject(new Error(`the command exits with ${code}`));
    });
  });
}

const { label, files } = readCorpus();
console.log(`${RESPONSES} responses, ${AGENTS.length} agents, bodies from ${label}`);
try {
  for (const kind of ['repeated', 'distinct']) {
    const paths = writeArchives(kind, files);
    const megabytes = paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
    console.log(`\n${kind}: ${paths.length} archives, ${megabytes.toFixed(0)} MB`);
    await time('gunzip alone, one thread', () => gunzip(paths));
    await time('the reader alone, one thread', () => read(paths));
    await time('warcio.js, one thread', () => readWithWarcio(paths));
    await time('maycrawl census judge, one thread', () => judge(kind, 1));
    await time('maycrawl census judge, two threads', () => judge(kind, 2));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
