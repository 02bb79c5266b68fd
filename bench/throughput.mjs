// The command on long inputs: `batch` with another file in each line, and with 100 files, beside a plain loop of readline, JSON.parse, `decide`
// and JSON.stringify; and `check --urls`. Inputs are files; the output is discarded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { decide } from '@maycrawl/core';
import { makeDistinctQuestions, makeQuestions, readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';

/** Lines with another file in each, and lines with 100 files in turn. */
const FILES = [1_000, 41_000];
const LINES = [1_000, 41_000, 1_000_000];
const URLS = Number(process.env.BENCH_URLS ?? 3_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SELF = fileURLToPath(import.meta.url);
const BIN = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));

async function writeLines(name, count, createLine) {
  const path = join(folder, name);
  const output = createWriteStream(path);
  let text = '';
  for (let index = 0; index < count; index++) {
    text += createLine(index);
    if (text.length < 1 << 20) continue;
    if (!output.write(text)) await once(output, 'drain');
    text = '';
  }
  output.end(text);
  await once(output, 'finish');
  return path;
}

/** Runs a program with a file as its input. @returns seconds, and what {@link readUsage} returns at its end. */
async function run(args, input) {
  const descriptor = openSync(input, 'r');
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: [descriptor, 'ignore', 'pipe'] });
  child.stderr.resume();
  let usage = { processor: 0, megabytes: 0 };
  const timer = setInterval(() => {
    usage = readUsage(child.pid) ?? usage;
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  closeSync(descriptor);
  if (code > 1) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - start) / 1000, ...usage };
}

/** Reads the seconds of processor time and the peak memory in MB of a process with all its threads, on systems with /proc. */
function readUsage(pid) {
  const folder = `/proc/${pid}`;
  if (!existsSync(`${folder}/stat`)) return undefined;
  // After the name of the program: its state, ten numbers, and the times in its own code and in the system in 1/100 s.
  const [, user, system] =
    /\) \w(?: -?\d+){10} (\d+) (\d+)/.exec(readFileSync(`${folder}/stat`, 'utf8')) ?? [];
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`${folder}/status`, 'utf8')) ?? [];
  // The memory of a process that has just ended is gone.
  if (kilobytes === undefined) return undefined;
  return {
    processor: (Number(user) + Number(system)) / 100,
    megabytes: Math.round(Number(kilobytes) / 1000),
  };
}

function describe(title, rates, unit) {
  const [low, median, high] = [0, 0.5, 1].map((q) => Math.round(quantile(rates, q)).toLocaleString('en-US'));
  return `${title}: ${median} ${unit} a second (${low} to ${high})`;
}

function describeProcessor(seconds, count) {
  return `${((quantile(seconds, 0.5) / count) * 1e6).toFixed(1)} µs of processor time each`;
}

/** Measures the command. With `hasPeer` each round also measures the plain loop before it. */
async function report(title, count, args, input, hasPeer = false) {
  const [own, others] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    if (hasPeer) others.push(await run([SELF, 'plain'], input));
    own.push(await run([BIN, ...args], input));
  }
  const size = Math.round(statSync(input).size / count);
  console.log(`${title}, ${size} bytes a line`);
  printRuns('maycrawl', own, count);
  if (!hasPeer) return;
  printRuns('plain loop', others, count);
  const [time, peerTime] = [own, others].map((runs) => getMedian(runs, 'seconds'));
  console.log(`  the command takes ${(time / peerTime).toFixed(2)} of the time of the plain loop`);
}

const getMedian = (runs, name) =>
  quantile(
    runs.map((each) => each[name]),
    0.5,
  );

function printRuns(name, runs, count) {
  const rates = runs.map(({ seconds }) => count / seconds);
  const processor = describeProcessor(
    runs.map((each) => each.processor),
    count,
  );
  const megabytes = Math.max(...runs.map((each) => each.megabytes));
  const time = `${getMedian(runs, 'seconds').toFixed(2)} s`;
  console.log(`  ${describe(name, rates, 'lines')}, ${time}; ${processor}, at most ${megabytes} MB`);
}

/** The loop that `batch` is compared with. */
async function runPlainLoop() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, robots, robotsBase64, agent, url } = JSON.parse(line);
    const verdict = decide(robots ?? Buffer.from(robotsBase64, 'base64'), agent, url);
    const { allowed, rule, groupKind } = verdict;
    const result = { id, allowed, line: verdict.line, rule: rule?.text ?? null, kind: rule?.kind ?? null };
    process.stdout.write(`${JSON.stringify({ ...result, group: groupKind })}\n`);
  }
}

if (process.argv[2] === 'plain') {
  await runPlainLoop();
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));
try {
  console.log(`Throughput of the command, ${availableParallelism()} processors, ${ROUNDS} rounds\n`);
  const { files } = readCorpus();
  for (const count of FILES) {
    for (const form of ['text', 'base64']) {
      const question = makeDistinctQuestions(files);
      const distinct = await writeLines('distinct.jsonl', count, (id) => {
        const { bytes, agent, url } = question(id);
        const file =
          form === 'text' ? { robots: bytes.toString() } : { robotsBase64: bytes.toString('base64') };
        return `${JSON.stringify({ id, ...file, agent, url })}\n`;
      });
      await report(
        `batch, ${count} lines, each with another file as ${form}`,
        count,
        ['batch'],
        distinct,
        true,
      );
      rmSync(distinct);
    }
  }
  const selected = files.filter(({ length }) => length > 200 && length < 6_000).slice(0, 100);
  const questions = makeQuestions(selected, 10_000).map(({ url }) => JSON.stringify(url));
  const written = selected.map((bytes) => JSON.stringify(bytes.toString('utf8')));
  for (const count of LINES) {
    const inTurn = await writeLines(
      'in-turn.jsonl',
      count,
      (id) =>
        `{"id":${id},"robots":${written[id % 100]},"agent":"Googlebot","url":${questions[id % 10_000]}}\n`,
    );
    await report(`batch, ${count} lines, 100 files in turn`, count, ['batch'], inTurn, true);
    rmSync(inTurn);
  }

  const robots = join(folder, 'robots.txt');
  writeFileSync(robots, [...files].sort((a, b) => a.length - b.length)[Math.floor(files.length * 0.9)]);
  const plain = makeQuestions(files, 10_000).map(({ url }) => url);
  const list = await writeLines('urls', URLS, (index) => `${plain[index % 10_000]}/${index}\n`);
  const check = ['check', '--robots', robots, '--urls', '-'];
  await report(`check --urls, ${URLS} URLs`, URLS, check, list);
  await report(`check --urls --json, ${URLS} URLs`, URLS, [...check, '--json'], list);
} finally {
  rmSync(folder, { recursive: true });
}
