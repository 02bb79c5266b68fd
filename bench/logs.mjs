// Reads lines of access logs, on one core: the readers of maycrawl, and a reader with a regular expression. The times are those of
// the processor, so that other programs change them little. The lines have 203 bytes on average; 5 % of them are requests of crawlers.
import { resolveAgent } from '@maycrawl/core';
import { findFormat } from '../packages/maycrawl/dist/logs/formats/find-format.js';
import { formatTime, quantile, ROUNDS } from './measure.mjs';

const LINES = 200_000;
const LF = 0x0a;
const CRAWLERS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
];
const BROWSERS = Array.from(
  { length: 60 },
  (_, index) =>
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${80 + index}.0.0.0 Safari/537.36`,
);
function recognizeCrawler(header) {
  try {
    return resolveAgent(header).name;
  } catch {
    return undefined;
  }
}

let seed = 1;
function random(limit) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return (seed >>> 8) % limit;
}

function createLine(index) {
  const time = new Date(1_795_884_000_000 + index * 150);
  const clock = time.toISOString().slice(11, 19);
  const address = `203.0.113.${random(256)}`;
  const agent = random(20) === 0 ? CRAWLERS[random(CRAWLERS.length)] : BROWSERS[random(BROWSERS.length)];
  const path = `/products/${random(100_000)}/item-${random(1000)}`;
  return `${address} - - [28/Nov/2026:${clock} +0000] "GET ${path} HTTP/1.1" 200 ${random(50_000)} "-" "${agent}"\n`;
}

const text = Array.from({ length: LINES }, (_, index) => createLine(index)).join('');
const block = Buffer.from(text);

function readAll(reader) {
  let crawlers = 0;
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(LF, start);
    if (typeof reader.read(block, start, end) === 'object') crawlers++;
    start = end + 1;
  }
  return crawlers;
}

const LINE =
  /^(\S+) \S+ (.*?) \[([^\]]+)\] "((?:[^"\\]|\\.)*)" (\d{3}|-) (\d+|-) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

/** The last request, so that requests are not optimized away. */
let last;

/** Reads lines as a script would: a regular expression, the runtime's parser of dates, and a cache of headers without a bound. */
function readByExpression() {
  const cache = new Map();
  let crawlers = 0;
  let lastText = '';
  let time = 0;
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(LF, start);
    const match = LINE.exec(block.toString('latin1', start, end));
    start = end + 1;
    if (match === null) continue;
    const [, address, , written, request, status, bytes, , header] = match;
    if (written !== lastText) {
      lastText = written;
      time = Date.parse(written.replace(':', ' '));
    }
    if (!cache.has(header)) cache.set(header, recognizeCrawler(header));
    const crawler = cache.get(header);
    if (crawler === undefined) continue;
    const [method, target] = request.split(' ');
    last = { time, method, target, status: Number(status), bytes: Number(bytes), crawler, address };
    crawlers++;
  }
  return last === undefined ? 0 : crawlers;
}

const programs = {
  'maycrawl, combined': () => readAll(findFormat('combined').createReader({ recognizeCrawler })),
  'maycrawl, the same as a pattern of nginx': () =>
    readAll(
      findFormat(
        '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
      ).createReader({ recognizeCrawler }),
    ),
  'a regular expression': readByExpression,
};

console.log(`${LINES} lines of ${Math.round(block.length / LINES)} bytes, ${ROUNDS} rounds\n`);
const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
for (let round = -2; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(programs)) {
    const start = process.cpuUsage();
    const crawlers = run();
    const { user, system } = process.cpuUsage(start);
    if (crawlers < LINES / 25 || crawlers > LINES / 15) throw new Error(`${name}: ${crawlers} crawlers`);
    if (round >= 0) times[name].push(((user + system) * 1000) / LINES);
  }
}
for (const [name, all] of Object.entries(times)) {
  const median = quantile(all, 0.5);
  console.log(
    `${name.padEnd(42)} ${formatTime(median).padStart(8)} a line  ${Math.round(1e9 / median).toLocaleString('en-US')} lines/s`,
  );
}
