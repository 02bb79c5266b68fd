// The command on long inputs: `batch` with another file in each line, beside `decide` alone on the same files, and with 100 files; and
// `check --urls`. Inputs are files; the output is discarded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decide } from '@maycrawl/core';
import { makeDistinctQuestions, makeQuestions, readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';

const FILES = Number(process.env.BENCH_FILES ?? 40_000);
const LINES = Number(process.env.BENCH_LINES ?? 300_000);
const URLS = Number(process.env.BENCH_URLS ?? 3_000_000);
const ROUNDS = 3;
const BIN = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));

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

/** Runs the command with a file as its input. @returns seconds, and what {@link readUsage} returns at its end. */
async function run(args, input) {
  const descriptor = openSync(input, 'r');
  const start = performance.now();
  const child = spawn(process.execPath, [BIN, ...args], { stdio: [descriptor, 'ignore', 'pipe'] });
  child.stderr.resume();
  let usage = { processor: 0, megabytes: 0 };
  const timer = setInterval(() => {
    usage = readUsage(child.pid) ?? usage;
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  closeSync(descriptor);
  if (code > 1) throw new Error(`maycrawl ${args[0]} ended with ${code}`);
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

/** Measures the command. `peer` is measured in each round before it. */
async function report(title, count, args, input, peer) {
  const [own, others] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    if (peer !== undefined) others.push(peer());
    own.push(await run(args, input));
  }
  const rates = own.map(({ seconds }) => count / seconds);
  const processor = own.map((each) => each.processor);
  const size = Math.round(statSync(input).size / count);
  const megabytes = Math.max(...own.map((each) => each.megabytes));
  console.log(`${describe(title, rates, 'lines')}, ${size} bytes a line`);
  console.log(`  ${describeProcessor(processor, count)}, at most ${megabytes} MB`);
  if (peer === undefined) return;
  const peerRates = others.map(({ seconds }) => count / seconds);
  const peerProcessor = others.map((each) => each.processor);
  const ratio = quantile(rates, 0.5) / quantile(peerRates, 0.5);
  console.log(`  ${describe('decide alone, one thread', peerRates, 'files')}: x ${ratio.toFixed(2)}`);
  console.log(`  ${describeProcessor(peerProcessor, count)}`);
}

/** Number of files in memory at the same time. */
const PART = 10_000;

/** Decides the questions of a file of lines, with their files as bytes in memory. @returns seconds, and those of processor time. */
function decideAlone(input) {
  let seconds = 0;
  let processor = 0;
  let allowed = 0;
  for (const questions of readParts(input)) {
    const before = process.cpuUsage();
    const start = performance.now();
    for (const { bytes, agent, url } of questions) if (decide(bytes, agent, url).allowed) allowed++;
    seconds += (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    processor += (user + system) / 1e6;
  }
  if (allowed === 0) throw new Error('no URL is allowed');
  return { seconds, processor };
}

function* readParts(input) {
  const descriptor = openSync(input, 'r');
  const buffer = Buffer.allocUnsafe(1 << 20);
  let rest = '';
  let questions = [];
  for (let count = readSync(descriptor, buffer); count > 0; count = readSync(descriptor, buffer)) {
    // Latin-1 keeps the bytes of a character that two reads share.
    const lines = (rest + buffer.toString('latin1', 0, count)).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { robots, robotsBase64, agent, url } = JSON.parse(Buffer.from(line, 'latin1').toString());
      const bytes = robots === undefined ? Buffer.from(robotsBase64, 'base64') : Buffer.from(robots);
      questions.push({ bytes, agent, url });
    }
    if (questions.length < PART) continue;
    yield questions;
    questions = [];
  }
  closeSync(descriptor);
  yield questions;
}

try {
  console.log(`Throughput of the command, ${availableParallelism()} processors, ${ROUNDS} rounds\n`);
  const { files } = readCorpus();
  for (const form of ['text', 'base64']) {
    const question = makeDistinctQuestions(files);
    const distinct = await writeLines('distinct.jsonl', FILES, (id) => {
      const { bytes, agent, url } = question(id);
      const file =
        form === 'text' ? { robots: bytes.toString() } : { robotsBase64: bytes.toString('base64') };
      return `${JSON.stringify({ id, ...file, agent, url })}\n`;
    });
    const title = `batch, ${FILES} lines, each with another file as ${form}`;
    await report(title, FILES, ['batch'], distinct, () => decideAlone(distinct));
    rmSync(distinct);
  }
  const selected = files.filter(({ length }) => length > 200 && length < 6_000).slice(0, 100);
  const questions = makeQuestions(selected, 10_000).map(({ url }) => JSON.stringify(url));
  const written = selected.map((bytes) => JSON.stringify(bytes.toString('utf8')));
  const createQuestion = (index, file) =>
    `{"id":${index},"robots":${written[file]},"agent":"Googlebot","url":${questions[index % 10_000]}}\n`;
  const inTurn = await writeLines('in-turn.jsonl', LINES, (index) => createQuestion(index, index % 100));
  await report(`batch, ${LINES} lines, 100 files in turn`, LINES, ['batch'], inTurn);
  rmSync(inTurn);
  const inRuns = await writeLines('in-runs.jsonl', LINES, (index) =>
    createQuestion(index, Math.floor((index * 100) / LINES)),
  );
  await report(`batch, ${LINES} lines, one file after another`, LINES, ['batch'], inRuns);
  rmSync(inRuns);

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
