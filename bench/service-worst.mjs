// The worst known inputs on every route of the service: delay of the event loop, and memory. Sites,
// service and load are separate processes; a preloaded module in the service measures its event loop.
//   node service-worst.mjs [part of a name]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, fetch } from 'undici';

const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const MEBIBYTE = 2 ** 20;
/** Milliseconds for which no input of up to 1 MiB may block the event loop. */
const TARGET = 50;
/** Milliseconds after which a request is aborted. */
const DEADLINE = 60_000;

/**
 * Sends the longest delay of the event loop since the last message, the longest processor time of its thread between two timers (on
 * Linux; on a busy machine the delay is mostly the wait for a processor), and the memory, on each message.
 */
const PROBE = `
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const file = '/proc/self/task/' + process.pid + '/schedstat';
const readTime = () => {
  try {
    return Number(readFileSync(file, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
};
let [last, busiest] = [readTime(), 0];
setInterval(() => {
  const now = readTime();
  busiest = Math.max(busiest, now - last);
  last = now;
}, 1).unref();
process.on('message', () => {
  process.send({ longest: delays.max / 1e6, busiest, rss: process.memoryUsage().rss });
  delays.reset();
  busiest = 0;
});
process.channel?.unref();
`;

const word = (index) => {
  let text = '';
  for (let rest = index, at = 0; at < 3; at++, rest = Math.floor(rest / 25))
    text += 'bcdefghijklmnopqrstuvwxyz'[rest % 25];
  return text;
};
const fill = (start, line, bytes = 500_000) => {
  let text = start;
  for (let index = 0; text.length < bytes; index++) text += line(index);
  return text;
};

/** The responses of the sites. */
const FILES = {
  plain: fill('User-agent: *\n', (index) => `Disallow: /${index.toString(36)}/x\n`),
  stars: fill('User-agent: *\n', (index) => `Disallow:*${word(index)}*aaaab\n`),
  agents: fill(
    '',
    (index) => `User-agent: ${word(index)}\nUser-agent: a${word(index)}\nDisallow: /${index}*x\n`,
  ),
  combinations: fill('', (index) => `User-agent: ${word(index % 2_000)}\nDisallow: /${index}*\n`),
  globals: fill('', () => 'User-agent:*\nAllow:\n'),
  justSmall: fill('User-agent: *\n', (index) => `Disallow:*${word(index)}*aaaab\n`, 65_000),
};

/** URLs that take long to match. */
const WORDS = Array.from({ length: 15_625 }, (_, index) => word((index * 17) % 15_625)).join('');
const longPath = (chars) =>
  `/${(WORDS + 'a'.repeat(64_000)).slice(WORDS.length - chars / 2, WORDS.length + chars / 2)}`;

function serveSites() {
  const server = createServer(({ headers }, response) => {
    const name = Object.keys(FILES)[Number(headers.host.split(/[.:]/)[3]) - 1];
    response.end(FILES[name]);
  });
  server.listen(0, '0.0.0.0', () => process.send(server.address().port));
}

async function startService(folder) {
  const probe = join(folder, 'probe.mjs');
  writeFileSync(probe, PROBE);
  const options = ['serve', '--port', '0', '--allow-private', '--database', 'none', '--log-level', 'warn'];
  const child = spawn(
    process.execPath,
    [
      '--import',
      probe,
      COMMAND,
      ...options,
      '--watch-database',
      join(folder, 'watch.sqlite'),
      '--audits',
      folder,
    ],
    { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] },
  );
  for await (const chunk of child.stderr) {
    const address = /page: (http:\S+?)\/,/.exec(chunk)?.[1];
    if (address !== undefined) return { child, address };
  }
  throw new Error('the service did not start');
}

async function measure({ child }) {
  child.send('measure');
  const [result] = await once(child, 'message');
  return result;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const LINES_TYPE = { 'content-type': 'application/x-ndjson' };

function getCases(getOrigin) {
  const decide = (url, agent) => `/v1/decide?${new URLSearchParams({ url, agent })}`;
  const post = (path, body, headers = JSON_TYPE) => ({ path, init: { method: 'POST', headers, body } });
  const lines = (count, line) =>
    post(
      '/v1/decide?agent=x',
      Array.from({ length: count }, (_, index) => JSON.stringify(line(index))).join('\n'),
      LINES_TYPE,
    );
  const cases = {};
  for (const name of Object.keys(FILES)) {
    const origin = getOrigin(name);
    cases[`GET decide, ${name}`] = { path: decide(`${origin}/a`, 'x') };
    cases[`GET decide, ${name}, 8,000 characters`] = { path: decide(`${origin}${longPath(8_000)}`, 'x') };
    cases[`GET decide, ${name}, 100 agents`] = Array.from({ length: 100 }, (_, index) => ({
      path: decide(`${origin}/a`, `Bot${word(index)}`),
    }));
    cases[`lines, ${name}, 2,000 unknown agents`] = lines(2_000, (index) => ({
      url: `${origin}/${index}`,
      agent: `Bot-${word(index)}`,
    }));
    cases[`lines, ${name}, 2,000 named agents`] = lines(2_000, (index) => ({
      url: `${origin}/${index}`,
      agent: word(index),
    }));
    cases[`lines, ${name}, 2,000 unions`] = lines(2_000, (index) => ({
      url: `${origin}/${index}`,
      agents: [word(index), word(index * 3 + 1), word(index * 7 + 2)],
    }));
    cases[`lines, ${name}, 15 URLs of 64,000 characters`] = lines(15, (index) => ({
      url: `${origin}${longPath(63_000)}${index}`,
    }));
    cases[`POST decide, ${name}, 15 URLs of 64,000 characters`] = post(
      '/v1/decide',
      JSON.stringify({
        agent: 'x',
        urls: Array.from({ length: 15 }, (_, index) => `${origin}${longPath(63_000)}${index}`),
      }),
    );
    cases[`GET robots, ${name}`] = { path: `/v1/robots?origin=${encodeURIComponent(origin)}` };
  }
  cases['POST decide, 100,000 URLs'] = post(
    '/v1/decide',
    JSON.stringify({
      agent: 'x',
      urls: Array.from({ length: 100_000 }, (_, index) => `${getOrigin('plain')}/${index}`),
    }),
  );
  cases['POST decide, 100,000 strings that are no URLs'] = post(
    '/v1/decide',
    JSON.stringify({ agent: 'x', urls: Array.from({ length: 100_000 }, () => 'nourl') }),
  );
  cases['lines, 100,000 that are no JSON'] = post('/v1/decide?agent=x', '{\n'.repeat(100_000), LINES_TYPE);
  cases['lines, 8 of 128 KiB of brackets'] = post(
    '/v1/decide?agent=x',
    `${'['.repeat(131_000)}\n`.repeat(8),
    LINES_TYPE,
  );
  for (const [name, text] of Object.entries({
    'brackets, 1 MiB': '['.repeat(MEBIBYTE),
    'brackets, 8 MiB': '['.repeat(8 * MEBIBYTE),
    'lists, 8 MiB': `[${'[],'.repeat(2_796_000)}0]`,
    'one string, 8 MiB': JSON.stringify({ robots: '\u20ac\n'.repeat(1_000_000) }).slice(0, 8 * MEBIBYTE),
  }))
    for (const path of ['/v1/decide', '/v1/parse', '/v1/watch/sites'])
      cases[`POST ${path}, ${name}`] = post(path, text);
  const colons = ':\n'.repeat(255_000);
  for (const [name, text] of Object.entries({ colons, ...FILES }))
    for (const path of ['/v1/parse', '/v1/lint'])
      cases[`POST ${path}, ${name}`] = post(path, JSON.stringify({ robots: text }));
  for (const name of ['stars', 'combinations', 'plain'])
    cases[`POST /v1/diff, ${name}`] = post(
      '/v1/diff',
      JSON.stringify({ before: FILES[name], after: FILES[name].replaceAll('x', 'y') }),
    );
  for (const path of [
    '/v1/watch/sites',
    '/v1/watch/events',
    '/v1/watch/site?origin=http://127.0.0.1',
    '/audits/',
    '/openapi.json',
    '/metrics',
    '/readyz',
    '/',
  ])
    cases[`GET ${path}, 200 times`] = Array.from({ length: 200 }, () => ({ path }));
  return cases;
}

/** Incomplete requests, and invalid HTTP. */
async function sendHalves({ address }) {
  const { port } = new URL(address);
  const sockets = Array.from({ length: 400 }, (_, index) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.write(
      [
        '\0\0\r\n\r\n',
        'GET / HT',
        'POST /v1/parse HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{',
      ][index % 3],
    );
    return socket;
  });
  await sleep(500);
  for (const socket of sockets) socket.destroy();
}

/** Pipelined requests (RFC 9112 section 9.3.2), all sent before the first response is read. */
const BURSTS = {
  'pipelined, 90 x 100, no route': [90, 100, 'GET /none HTTP/1.1\r\nhost: localhost\r\n\r\n'],
  'pipelined, 90 x 32, no route': [90, 32, 'GET /none HTTP/1.1\r\nhost: localhost\r\n\r\n'],
  'pipelined, 1 x 9,000, wrong host': [1, 9_000, 'GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n'],
  'pipelined, 90 x 100, wrong host': [90, 100, 'GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n'],
  'pipelined, 90 x 100, wrong host again': [90, 100, 'GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n'],
  'pipelined, 90 x 1,000, /healthz': [90, 1_000, 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'],
};

async function sendBurst({ address }, [connections, requests, request]) {
  const { port } = new URL(address);
  const bytes = request.repeat(requests);
  let received = 0;
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.on('data', (chunk) => {
        received += chunk.length;
      });
      await once(socket, 'connect');
      return socket;
    }),
  );
  for (const socket of sockets) socket.write(bytes);
  await sleep(1_000);
  for (const socket of sockets) socket.destroy();
  return `${received} bytes`;
}

async function send({ address }, { path, init }, dispatcher) {
  try {
    const response = await fetch(address + path, {
      ...init,
      dispatcher,
      signal: AbortSignal.timeout(DEADLINE),
    });
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { status: response.status, bytes };
  } catch (error) {
    return { status: error.name, bytes: 0 };
  }
}

async function report(service, name, run) {
  await measure(service);
  const start = performance.now();
  let isDone = false;
  let slowest = 0;
  // The delay of other clients, measured on another connection.
  const others = (async () => {
    while (!isDone) {
      const from = performance.now();
      await (await fetch(`${service.address}/healthz`)).text();
      slowest = Math.max(slowest, performance.now() - from);
      await sleep(5);
    }
  })();
  const result = await run();
  isDone = true;
  await others;
  const { longest, busiest, rss } = await measure(service);
  const mark = (busiest || longest) > TARGET ? '!' : '';
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  console.log(
    `${mark.padEnd(1)} ${busiest.toFixed(0).padStart(5)} ms ${longest.toFixed(0).padStart(5)} ms ${slowest.toFixed(0).padStart(6)} ms ${(rss / MEBIBYTE).toFixed(0).padStart(6)} MiB ${seconds.padStart(7)} s  ${name}: ${result}`,
  );
  return busiest || longest;
}

if (process.argv[2] === 'sites') serveSites();
else {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-worst-'));
  const sites = fork(fileURLToPath(import.meta.url), ['sites']);
  const [port] = await once(sites, 'message');
  const service = await startService(folder);
  const getOrigin = (name) => `http://127.0.0.${Object.keys(FILES).indexOf(name) + 1}:${port}`;
  console.log(
    'longest processor time, longest delay, longest wait for /healthz, memory, time, input: status and bytes of the (last) response',
  );
  let worst = 0;
  let clients = 1;
  try {
    for (const [name, requests] of Object.entries(getCases(getOrigin))) {
      if (!name.includes(process.argv[2] ?? '')) continue;
      // Each input comes from another client, because the work of one client in a minute is limited.
      const dispatcher = new Agent({ localAddress: `127.1.${clients >> 8}.${clients++ & 255}` });
      const longest = await report(service, name, async () => {
        const sent = [requests].flat().map((request) => send(service, request, dispatcher));
        const results = await Promise.all(sent);
        const { status, bytes } = results.at(-1);
        return `${status}, ${bytes} bytes`;
      });
      worst = Math.max(worst, longest);
    }
    for (const [name, burst] of Object.entries(BURSTS))
      if (name.includes(process.argv[2] ?? ''))
        worst = Math.max(worst, await report(service, name, () => sendBurst(service, burst)));
    if (process.argv[2] === undefined)
      worst = Math.max(
        worst,
        await report(service, 'half-sent requests', async () => (await sendHalves(service)) ?? 'closed'),
      );
    console.log(`worst: ${worst.toFixed(0)} ms`);
  } finally {
    sites.kill();
    service.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}
