// The decision service under load, with a token and a rate limit, compared with an empty route of the same framework. Sites, service and
// load are separate processes; the load takes one core, the service the other.
//   node serve.mjs           requests a second, processor time, and memory after numbers of sites (BENCH_ORIGINS, with commas between them)
//   node serve.mjs latency   latency at fixed rates (BENCH_RATES), in turn with the empty route
//   node serve.mjs memory    only the memory
//   node serve.mjs soak      memory after each of twelve parts of SOAK_REQUESTS requests
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import fastify from 'fastify';
import { Pool, request } from 'undici';
import { readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const WARM_ORIGINS = 1_000;
const ORIGINS = (process.env.BENCH_ORIGINS ?? '10000,100000').split(',').map(Number);
const RATES = (process.env.BENCH_RATES ?? '100,500,1000,2000,4000').split(',').map(Number);
const SOAK_REQUESTS = Number(process.env.SOAK_REQUESTS ?? 1_800_000);
const CONNECTIONS = 50;
const MEBIBYTE = 2 ** 20;
const TOKEN = 'token-of-the-benchmark';
const HEADERS = { authorization: `Bearer ${TOKEN}` };
/** The store: a database as for `maycrawl serve`. */
const DATABASE = process.env.BENCH_DATABASE ?? 'none';
const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));

/** Responds for all sites with real files. */
function serveSites() {
  const { files } = readCorpus();
  const server = createServer(({ headers }, response) => {
    const parts = headers.host.split(/[.:]/).map(Number);
    response.end(files[(parts[2] * 256 + parts[3]) % files.length]);
  });
  server.listen(0, '0.0.0.0', () => process.send(server.address().port));
}

/** A route with the same query, and a response of the same length. */
async function serveBare() {
  const app = fastify();
  const query = {
    type: 'object',
    required: ['url', 'agent'],
    properties: { url: { type: 'string' }, agent: { type: 'string' } },
  };
  const answer = { url: 'x'.repeat(250), allowed: true };
  const response = {
    200: { type: 'object', properties: { url: { type: 'string' }, allowed: { type: 'boolean' } } },
  };
  app.get('/bare', { schema: { querystring: query, response } }, async () => answer);
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send(app.server.address().port);
}

/** Starts the command. */
async function startService(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));
  const tokens = join(folder, 'tokens');
  writeFileSync(tokens, TOKEN, { mode: 0o600 });
  const options = ['serve', '--port', '0', '--allow-private', '--database', DATABASE, '--token-file', tokens];
  options.push('--rate-limit', '1000000000', ...args);
  const child = spawn(process.execPath, [COMMAND, ...options], { stdio: ['ignore', 'inherit', 'pipe'] });
  for await (const chunk of child.stderr) {
    const address = /page: (http:\S+)\/,/.exec(chunk)?.[1];
    if (address === undefined) continue;
    // The service reads the file again when it changes.
    child.once('exit', () => rmSync(folder, { recursive: true }));
    return { child, address };
  }
  throw new Error('the service did not start');
}

const getOrigin = (index, port) =>
  `http://127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:${port}`;

/** Sends requests. @returns the result of autocannon, and the processor time of a request in the process with an id, in microseconds. */
async function load(pid, url, options = {}) {
  const before = readProcessorTime(pid);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    // On a busy machine a request can wait for more than the ten seconds of the default.
    timeout: 60,
    headers: HEADERS,
    ...options,
  });
  const microseconds = ((readProcessorTime(pid) - before) * 1e6) / result.requests.total;
  return { ...result, microseconds };
}

/** Reads the processor time of a process in seconds, on systems with /proc. */
function readProcessorTime(pid) {
  // After the name of the program: its state, ten numbers, and the times in its own code and in the system in 1/100 s.
  const [, user, system] =
    /\) \w(?: -?\d+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return (Number(user) + Number(system)) / 100;
}

async function post(address, urls) {
  const body = JSON.stringify({ agent: 'Googlebot', urls });
  const { statusCode, body: answer } = await request(`${address}/v1/decide`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body,
  });
  const { decisions } = await answer.json();
  if (statusCode !== 200 || decisions.length !== urls.length) throw new Error(`status ${statusCode}`);
  return decisions;
}

async function readMemory(address) {
  const { body } = await request(`${address}/metrics`, { headers: HEADERS });
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(await body.text())[1]) / MEBIBYTE;
}

const describe = (values, digits = 0) => {
  const at = (q) => quantile(values, q).toLocaleString('en', { maximumFractionDigits: digits });
  return `${at(0.5)} (${at(0)} to ${at(1)})`;
};

/** Fetches the robots.txt of some sites. @returns requests about them, and the same for the empty route. */
async function warmUp(sites, address) {
  const agent = encodeURIComponent('Googlebot');
  const requests = Array.from({ length: WARM_ORIGINS }, (_, index) => {
    const url = encodeURIComponent(`${getOrigin(index, sites)}/some/path/${index}?q=1`);
    return { path: `/v1/decide?url=${url}&agent=${agent}` };
  });
  const bareRequests = requests.map(({ path }) => ({ path: path.replace('/v1/decide', '/bare') }));
  for (let from = 0; from < WARM_ORIGINS; from += 100)
    await post(
      address,
      Array.from({ length: 100 }, (_, index) => `${getOrigin(from + index, sites)}/`),
    );
  return { requests, bareRequests };
}

/** Sends a request and reads its response. */
async function get(pool, path) {
  const { statusCode, body } = await pool.request({ path, method: 'GET', headers: HEADERS });
  await body.dump();
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
}

/**
 * Sends requests at a fixed rate, whether or not earlier ones have their responses. (autocannon sends those of a second at its start.)
 *
 * @returns for each, the milliseconds from the time at which it was due to the end of its response.
 */
async function loadAtRate(base, requests, rate) {
  const pool = new Pool(base, { connections: CONNECTIONS });
  const count = rate * SECONDS;
  const start = performance.now();
  const running = [];
  while (running.length < count) {
    const due = Math.min(count, ((performance.now() - start) * rate) / 1000);
    while (running.length < due) {
      const dueAt = start + (running.length * 1000) / rate;
      const { path } = requests[running.length % requests.length];
      running.push(get(pool, path).then(() => performance.now() - dueAt));
    }
    // A timer has a millisecond, which would count as latency.
    await setImmediate();
  }
  const latencies = await Promise.all(running);
  await pool.close();
  return latencies;
}

/** Prints the latency at fixed rates, and the processor time of a request. */
async function measureLatency(sites, bare, { address, child: { pid } }) {
  const { requests, bareRequests } = await warmUp(sites, address);
  const services = [
    { title: 'bare route', pid: bare.pid, base: `http://127.0.0.1:${bare.port}`, requests: bareRequests },
    { title: 'GET /v1/decide', pid, base: address, requests },
  ];
  // Without it, the first rate would have the compilation of the code.
  for (const { base, requests: some } of services) await loadAtRate(base, some, 1_000);
  for (const rate of RATES) {
    const results = services.map(() => ({ medians: [], late: [], times: [] }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, { pid: process, base, requests: some }] of services.entries()) {
        const before = readProcessorTime(process);
        const latencies = await loadAtRate(base, some, rate);
        const { medians, late, times } = results[index];
        times.push(((readProcessorTime(process) - before) * 1e6) / latencies.length);
        medians.push(quantile(latencies, 0.5));
        late.push(quantile(latencies, 0.99));
      }
    }
    for (const [index, { medians, late, times }] of results.entries())
      console.log(
        `${rate} requests/s, ${services[index].title}: latency: median ${describe(medians, 2)} ms, 99 % ${describe(late, 2)} ms; processor time ${describe(times)} µs`,
      );
  }
}

async function measure(sites, bare, { address, child: { pid } }) {
  const { requests, bareRequests } = await warmUp(sites, address);
  const urls = Array.from(
    { length: 10_000 },
    (_, index) => `${getOrigin(index % 100, sites)}/a/${index}/b?c=${index}`,
  );
  const results = { bare: [], get: [], post: [] };
  const body = JSON.stringify({ agent: 'Googlebot', urls });
  const headers = { ...HEADERS, 'content-type': 'application/json' };
  for (let round = 0; round < ROUNDS; round++) {
    results.bare.push(await load(bare.pid, `http://127.0.0.1:${bare.port}`, { requests: bareRequests }));
    results.get.push(await load(pid, address, { requests }));
    results.post.push(
      await load(pid, `${address}/v1/decide`, { method: 'POST', headers, body, connections: 4 }),
    );
  }
  for (const result of Object.values(results).flat())
    if (result.non2xx + result.errors > 0) throw new Error('not all requests were answered');
  const rates = (name) => results[name].map((result) => result.requests.average);
  const processor = (name) => describe(results[name].map(({ microseconds }) => microseconds));
  const late = (name) => results[name].map((result) => result.latency.p99);
  for (const [name, title] of [
    ['bare', 'bare route'],
    ['get', 'GET /v1/decide'],
  ]) {
    console.log(`${title}: ${describe(rates(name))} requests/s, p99 ${describe(late(name), 1)} ms`);
    console.log(`  processor time of a request: ${processor(name)} µs`);
  }
  const shares = rates('get').map((rate, round) => (100 * rate) / rates('bare')[round]);
  console.log(`  of the bare route: ${describe(shares)} %`);
  const decisions = rates('post').map((rate) => rate * urls.length);
  console.log(
    `POST /v1/decide, ${urls.length} URLs each: ${describe(decisions)} decisions/s, p99 ${describe(late('post'))} ms`,
  );
}

async function measureMemory(sites, { address }) {
  console.log(`memory before: ${(await readMemory(address)).toFixed(0)} MiB`);
  const step = 200;
  let from = 0;
  for (const count of ORIGINS) {
    const [first, start] = [from, performance.now()];
    for (; from < count; from += step) {
      const urls = Array.from(
        { length: Math.min(step, count - from) },
        (_, index) => `${getOrigin(from + index, sites)}/a`,
      );
      const answers = await post(address, urls);
      if (answers.some(({ policy }) => policy.kind !== 'rules')) throw new Error('a site was not reached');
    }
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `memory after ${count} sites: ${(await readMemory(address)).toFixed(0)} MiB; ${((count - first) / seconds).toFixed(0)} sites/s`,
    );
  }
}

async function soak(sites, { address }) {
  const requests = Array.from({ length: WARM_ORIGINS }, (_, index) => ({
    path: `/v1/decide?url=${encodeURIComponent(`${getOrigin(index, sites)}/${index}`)}&agent=bot${'abcdefghij'[index % 10]}`,
  }));
  const parts = 12;
  for (let part = 0; part < parts; part++) {
    const {
      non2xx,
      errors,
      requests: sent,
    } = await autocannon({
      url: address,
      connections: CONNECTIONS,
      requests,
      headers: HEADERS,
      amount: Math.ceil(SOAK_REQUESTS / parts),
    });
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
    console.log(`${sent.total} requests, ${(await readMemory(address)).toFixed(0)} MiB`);
  }
}

if (process.argv[2] === 'sites') serveSites();
else if (process.argv[2] === 'bare') await serveBare();
else {
  const self = fileURLToPath(import.meta.url);
  const [sitesProcess, bareProcess] = [fork(self, ['sites']), fork(self, ['bare'])];
  const [[sites], [bare]] = await Promise.all([once(sitesProcess, 'message'), once(bareProcess, 'message')]);
  const service = await startService('--log-level', 'warn');
  try {
    const bareServer = { port: bare, pid: bareProcess.pid };
    if (process.argv[2] === 'soak') await soak(sites, service);
    else if (process.argv[2] === 'latency') await measureLatency(sites, bareServer, service);
    else {
      if (process.argv[2] !== 'memory') await measure(sites, bareServer, service);
      await measureMemory(sites, service);
    }
  } finally {
    for (const child of [sitesProcess, bareProcess]) child.kill();
    service.child.kill('SIGINT');
    await once(service.child, 'exit');
  }
}
