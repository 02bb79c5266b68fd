// What decisions and the pace of requests cost: `decide` from memory against the bare rules, the fetch adapter against fetch, the interceptor
// against undici, memory for many origins, and the intervals that requests keep. Times are processor time of this process, because other
// programs change it least. One server on loopback, in a separate process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Pacer, parse, RobotsClient } from '@maycrawl/client';
import { createRobotsFetch } from '@maycrawl/client/fetch';
import { robots } from '@maycrawl/client/undici';
import { Agent, request } from 'undici';
import { formatTime, quantile } from './measure.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
const REQUESTS = 100;
const DECISIONS = 20_000;
const ORIGINS = 1_000_000;
const FILE = 'User-agent: *\nDisallow: /private\nDisallow: /*?sort=\nAllow: /private/open\n';

function serve() {
  const server = createServer(({ url }, response) => response.end(url === '/robots.txt' ? FILE : 'page'));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

/** Nanoseconds of all threads of this process. */
function getProcessorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

/** Runs programs in turn, and prints the median time of each for one step, with the 10th and 90th percentile. */
async function compare(title, steps, programs) {
  const times = new Map(Object.keys(programs).map((name) => [name, []]));
  for (let round = -5; round < ROUNDS; round++) {
    // In turn forwards and backwards, so that none is always behind another.
    const entries = Object.entries(programs);
    for (const [name, run] of round % 2 === 0 ? entries : entries.reverse()) {
      const start = getProcessorTime();
      await run();
      if (round >= 0) times.get(name).push((getProcessorTime() - start) / steps);
    }
  }
  console.log(`\n${title} (${steps} a round, ${ROUNDS} rounds)`);
  const [[, base]] = times;
  for (const [name, each] of times) {
    const [low, median, high] = [0.1, 0.5, 0.9].map((q) => formatTime(quantile(each, q)));
    const more = [0.1, 0.5].map((q) => formatTime(quantile(each, q) - quantile(base, q)));
    console.log(
      `${name}: ${median} (${low} to ${high}), ${more[1]} (${more[0]} at the 10th percentile) more`,
    );
  }
}

async function measure() {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  try {
    const [port] = await once(child, 'message');
    const origin = `http://127.0.0.1:${port}`;
    const options = { agent: 'MyBot', userAgent: 'MyBot/1.0', allowPrivateAddresses: true };
    const client = new RobotsClient(options);
    const urls = Array.from({ length: REQUESTS }, (_, index) => `${origin}/page/${index}`);
    const ruleset = parse(FILE, { url: `${origin}/robots.txt` }).ruleset('MyBot');
    await client.decide(urls[0]);
    await compare('decisions from memory', DECISIONS, {
      'ruleset.decide': () => {
        for (let index = 0; index < DECISIONS; index++) ruleset.decide(urls[index % REQUESTS]);
      },
      'client.decide': async () => {
        for (let index = 0; index < DECISIONS; index++) await client.decide(urls[index % REQUESTS]);
      },
      'client.pace with an empty function': async () => {
        for (let index = 0; index < DECISIONS; index++) await client.pace(urls[index % REQUESTS], () => {});
      },
    });
    const robotsFetch = createRobotsFetch(client);
    const headers = { 'user-agent': client.userAgent };
    const fetchAll = async (fetch) => {
      for (const url of urls) await (await fetch(url, { headers })).text();
    };
    await compare('requests one after another', REQUESTS, {
      fetch: () => fetchAll(fetch),
      'fetch adapter': () => fetchAll(robotsFetch),
    });
    const plain = new Agent();
    const composed = new Agent().compose(robots(client));
    const requestAll = async (dispatcher) => {
      for (const url of urls) await (await request(url, { dispatcher, headers })).body.text();
    };
    await compare('requests one after another', REQUESTS, {
      'undici request': () => requestAll(plain),
      'with the interceptor': () => requestAll(composed),
    });
    await measureIntervals(new RobotsClient({ ...options, pace: { spacing: 100 } }), urls.slice(0, 100));
    await measureMemory();
    await Promise.all([plain.close(), composed.close()]);
  } finally {
    child.kill();
  }
}

/** Prints how far requests are apart whose pace has a spacing of 100 ms. */
async function measureIntervals(client, urls) {
  const starts = [];
  await Promise.all(urls.map((url) => client.pace(url, () => starts.push(performance.now()))));
  const gaps = starts.slice(1).map((start, index) => start - starts[index]);
  const bounds = [100, 101, 102, 105, 110, 120, Number.POSITIVE_INFINITY];
  console.log(`\nintervals of ${urls.length} requests with a spacing of 100 ms`);
  console.log(`below 100 ms: ${gaps.filter((gap) => gap < 100).length}`);
  for (const [index, bound] of bounds.slice(0, -1).entries()) {
    const count = gaps.filter((gap) => gap >= bound && gap < bounds[index + 1]).length;
    console.log(`${bound} to ${bounds[index + 1]} ms: ${count}`);
  }
}

/** Prints the memory for origins that were requested once, and for as many as may pause. */
async function measureMemory() {
  const pacer = new Pacer();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  for (let index = 0; index < ORIGINS; index++) (await pacer.take(`https://${index}.example`)).end();
  const time = ((performance.now() - start) * 1e6) / ORIGINS;
  globalThis.gc?.();
  console.log(
    `\n${ORIGINS} origins, a turn each: ${formatTime(time)} a turn, ${pacer.origins} origins stored, ${toMegabytes(process.memoryUsage().heapUsed - before)} MB`,
  );
  const pausing = new Pacer();
  let refused = 0;
  for (let index = 0; index < ORIGINS / 5; index++)
    await pausing.take(`https://${index}.example`).then(
      (turn) => turn.end({ status: 503, retryAfter: '3600' }),
      () => refused++,
    );
  globalThis.gc?.();
  console.log(
    `${ORIGINS / 5} origins that pause: ${pausing.origins} stored, ${refused} refused, ${toMegabytes(process.memoryUsage().heapUsed - before)} MB`,
  );
}

const toMegabytes = (bytes) => Math.round(bytes / 1e6);

if (process.argv[2] === 'serve') serve();
else await measure();
