// What the channels of `node:diagnostics_channel` cost a decision from memory: without a subscriber, after one has left, and with subscribers.
// Each measurement has a process of its own, because a subscriber changes how the code is compiled. Processes take turns.
import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { fileURLToPath } from 'node:url';
import { RobotsClient } from '@maycrawl/client';
import { formatTime, quantile } from './measure.mjs';

const PROCESSES = Number(process.env.BENCH_PROCESSES ?? 16);
const ROUNDS = 30;
const DECISIONS = 50_000;
const FILE = 'User-agent: *\nDisallow: /private\nDisallow: /*?sort=\nAllow: /private/open\n';
const DECISION = 'maycrawl:robots:decision';
const CACHE = 'maycrawl:robots:cache';
/** The channels with a subscriber during the measurement, and those that had one before it. */
const CASES = {
  'no subscriber': { during: [], before: [] },
  'a subscriber that has left': { during: [], before: [DECISION, CACHE] },
  'a subscriber of decisions': { during: [DECISION], before: [] },
  'subscribers of decisions and reads': { during: [DECISION, CACHE], before: [] },
};

/** Prints the median processor time of a decision in nanoseconds. */
async function measureOnce({ during, before }) {
  const fetcher = async (url) => ({
    ...{ kind: 'successful', bytes: Buffer.from(FILE), headers: null },
    ...{ hops: [{ url, status: 200 }], timings: { total: 1 } },
  });
  const client = new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0', fetcher });
  const urls = Array.from({ length: 100 }, (_, index) => `https://site.example/page/${index}`);
  let received = 0;
  const listen = () => received++;
  for (const name of [...before, ...during]) subscribe(name, listen);
  await client.decide(urls[0]);
  for (const name of before) unsubscribe(name, listen);
  const times = [];
  for (let round = -10; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let index = 0; index < DECISIONS; index++) await client.decide(urls[index % urls.length]);
    const { user, system } = process.cpuUsage(start);
    if (round >= 0) times.push(((user + system) * 1000) / DECISIONS);
  }
  const expected = (during.length || before.length) + during.length * DECISIONS * (ROUNDS + 10);
  if (received !== expected) throw new Error(`${received} messages, not ${expected}`);
  console.log(quantile(times, 0.5));
}

function measure() {
  const times = new Map(Object.keys(CASES).map((name) => [name, []]));
  for (let index = 0; index < PROCESSES; index++)
    for (const [name, each] of times)
      each.push(Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), name])));
  console.log(`decisions from memory, ${PROCESSES} processes each`);
  for (const [name, each] of times) {
    const [least, lower, median, upper] = [0, 0.25, 0.5, 0.75].map((q) => formatTime(quantile(each, q)));
    console.log(`${name}: ${median} (quartiles ${lower} and ${upper}, least ${least})`);
  }
}

if (process.argv[2] === undefined) measure();
else await measureOnce(CASES[process.argv[2]]);
