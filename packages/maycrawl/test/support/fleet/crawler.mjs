// A crawler of the simulation: it decides URLs at a bounded rate, and requests the pages that are allowed. It uses a RobotsClient with a
// store that others share, or a service. For each decision it writes a line into a file:
//   time site path verdict reason milliseconds label
// For each failure of the store it writes a line into another file: the time, and the message.
// Each second it sends what it has counted, and the next site that only this crawler starts with.
import { openSync, writeSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { openPostgresStore, RobotsClient } from '@maycrawl/client';
import { RedisStore } from '@maycrawl/client/redis';
import { createRedisClient, REDIS_PACKAGES } from '../../../../client/test/support/redis-clients.mjs';
import { AGENT, getHost, PATHS } from './sites.mjs';

const options = JSON.parse(process.argv[2]);
const { name, place, member, members, every, count, port, rate, startedAt, duration, log, storeLog } =
  options;
const output = openSync(log, 'a');
const failures = openSync(storeLog, 'a');
const userAgent = `${AGENT}/1.0 (${name})`;
/** Decisions and requests that this process may have open. */
const MOST_OPEN = 32;
/** The share of decisions about a site that another crawler starts with now. The others are about sites that were visited before. */
const CONCURRENT_SHARE = 0.3;
/** Milliseconds without a byte after which a request fails: longer than the 45 s in which the service responds in any case. */
const LONGEST_WAIT = 60_000;
/** Milliseconds until a failed decision is repeated. */
const REPEAT_PAUSE = 1_000;

/** Requests by GET. @returns the status and the text. */
function request(url, agent) {
  return new Promise((resolve, reject) => {
    const options = { agent, headers: { 'user-agent': userAgent }, timeout: LONGEST_WAIT };
    const outgoing = get(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', reject);
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(Object.assign(new Error('no response'), { code: 'timeout' })),
    );
    outgoing.on('error', reject);
  });
}

const counts = {};
const increment = (key) => {
  counts[key] = (counts[key] ?? 0) + 1;
};

/** A client that decides with a store. */
async function openClient() {
  const redis = place.startsWith('redis:')
    ? await createRedisClient(REDIS_PACKAGES[member % REDIS_PACKAGES.length], place)
    : undefined;
  const store = redis === undefined ? await openPostgresStore(place) : new RedisStore(redis.client);
  const client = new RobotsClient({
    ...{ agent: AGENT, userAgent, store, timeout: 5_000, allowPrivateAddresses: true },
    onEvent: ({ kind, error }) => {
      increment(kind);
      if (kind === 'store-failed') writeSync(failures, `${Date.now()} ${error?.message}\n`);
    },
  });
  return {
    decide: async (url) => {
      const verdict = await client.decide(url);
      return [verdict.kind, verdict.reason];
    },
    close: async () => {
      await client.idle();
      await store.close();
      await redis?.close();
    },
  };
}

/** A client of the service. */
function openServiceClient() {
  const agent = new Agent({ keepAlive: true });
  return {
    decide: async (url) => {
      const query = new URLSearchParams({ url, agent: AGENT });
      const { status, text } = await request(`${place}/v1/decide?${query}`, agent);
      if (status !== 200) throw Object.assign(new Error(text), { code: `status-${status}` });
      const { allowed, reason } = JSON.parse(text);
      if (typeof allowed !== 'boolean') throw Object.assign(new Error(text), { code: 'no-verdict' });
      return [allowed ? 'allowed' : 'disallowed', reason];
    },
    close: async () => agent.destroy(),
  };
}

const client = place.startsWith('http:') ? openServiceClient() : await openClient();
const pages = new Agent({ keepAlive: false });
const open = new Set();

/** Decides a URL, and requests the page if it is allowed. */
async function visit(site, label) {
  const path = PATHS[Math.floor(Math.random() * PATHS.length)];
  const url = `http://${getHost(site, port)}${path}`;
  const since = performance.now();
  let result;
  try {
    result = await client.decide(url);
  } catch (error) {
    result = ['failed', error.code ?? error.name];
    setTimeout(() => again.push(site), REPEAT_PAUSE);
  }
  const [verdict, reason] = result;
  const took = (performance.now() - since).toFixed(1);
  writeSync(output, `${Date.now()} ${site} ${path} ${verdict} ${reason} ${took} ${label}\n`);
  increment(verdict);
  if (verdict !== 'allowed') return;
  try {
    await request(url, pages);
    increment('pages');
  } catch {
    increment('failed-pages');
  }
}

function start(site, label) {
  const visiting = visit(site, label);
  open.add(visiting);
  visiting.finally(() => open.delete(visiting));
}

/** Sites whose decision has failed. */
const again = [];
/** The number of the next site, among those of all members, that this member starts with. */
let next = options.next;
const getFront = () => Math.min(((Date.now() - startedAt) / duration) * count, count - 1);

function visitNext() {
  if (open.size >= MOST_OPEN) {
    increment('delayed');
    return;
  }
  const front = Math.floor(getFront() / every);
  if (again.length > 0) start(again.shift(), 'again');
  else if (next <= front) {
    start(next * every, 'first');
    next += members;
  } else if (Math.random() < CONCURRENT_SHARE)
    start(Math.max(front - Math.floor(Math.random() * members), 0) * every, 'concurrent');
  else start(Math.floor(Math.random() * (front + 1)) * every, 'later');
}

const timer = setInterval(visitNext, 1000 / rate);
const reports = setInterval(() => process.send({ next, counts }), 1_000);
process.on('message', async (message) => {
  if (message !== 'stop') {
    for (const site of message) start(site, 'handed-over');
    return;
  }
  clearInterval(timer);
  while (open.size > 0) await Promise.allSettled(open);
  clearInterval(reports);
  await client.close();
  pages.destroy();
  process.send({ next, counts }, () => process.disconnect());
});
process.on('disconnect', () => process.exit());
process.send({ next, counts });
