// The command on long inputs: `batch` with 100 files, and `check --urls`. Inputs are files; the output is discarded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeQuestions, readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';

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

/** Runs the command with a file as its input. @returns seconds, and the maximum of the sampled memory in bytes. */
async function run(args, input) {
  const descriptor = openSync(input, 'r');
  const start = performance.now();
  const child = spawn(process.execPath, [BIN, ...args], { stdio: [descriptor, 'ignore', 'pipe'] });
  child.stderr.resume();
  const [code] = await once(child, 'exit');
  closeSync(descriptor);
  if (code > 1) throw new Error(`maycrawl ${args[0]} ended with ${code}`);
  return (performance.now() - start) / 1000;
}

async function report(title, count, args, input) {
  const seconds = [];
  for (let round = 0; round < ROUNDS; round++) seconds.push(await run(args, input));
  const rates = seconds.map((each) => Math.round(count / each));
  const [low, median, high] = [0, 0.5, 1].map((q) => quantile(rates, q).toLocaleString('en-US'));
  const size = Math.round(statSync(input).size / count);
  console.log(`${title}: ${median} lines a second (${low} to ${high}), ${size} bytes a line`);
}

try {
  console.log(`Throughput of the command, ${availableParallelism()} processors, ${ROUNDS} rounds\n`);
  const { files } = readCorpus();
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
  await report(`check --urls, ${URLS} URLs`, URLS, ['check', '--robots', robots, '--urls', '-'], list);
} finally {
  rmSync(folder, { recursive: true });
}
