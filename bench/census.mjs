// The census on archives of the shape of Common Crawl's, and what a crawl of 75 million responses would take at the same rate. Beside it in the
// same run: gunzip alone, the reader alone, and warcio.js on a tenth of the responses.
// node bench/census.mjs [--responses 40000] [--kinds repeated,distinct] [--threads 1,2] [--json FILE]
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { CRAWLERS } from '@maycrawl/core';
import { findInputs, InputTotals, readInput } from 'maycrawl/census';
import { WARCParser } from 'warcio';
import { createArchives } from './census/archives.mjs';
import { measureCommand } from './census/measure-command.mjs';
import { measureStages } from './census/stages.mjs';
import { readCorpus } from './corpus.mjs';

const { values } = parseArgs({
  options: {
    responses: { type: 'string', default: '40000' },
    kinds: { type: 'string', default: 'repeated,distinct' },
    threads: { type: 'string', default: [...new Set([1, availableParallelism()])].join(',') },
    json: { type: 'string' },
  },
});
const RESPONSES = Number(values.responses);
const THREADS = values.threads.split(',').map(Number);
/** The responses of a crawl, about those of Common Crawl in December 2023. */
const CRAWL = 75_000_000;
/** Archives of a profile: a profile of more would not differ. */
const MAX_PROFILED = 25;
const AGENTS = CRAWLERS.slice(0, 30).map(({ name }) => name);
const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-census-bench-'));

const formatNumber = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

function print(name, { seconds, responses }, note = '') {
  const each = formatNumber((1e6 * seconds) / responses, 1).padStart(8);
  const rate = formatNumber(responses / seconds).padStart(9);
  console.log(`${name.padEnd(34)}${each} µs a response ${rate} a second${note}`);
}

/** Measures the wall and processor time of work in this process. `work` returns the number of responses. */
async function measure(work) {
  const start = performance.now();
  const before = process.cpuUsage();
  const responses = await work();
  const { user, system } = process.cpuUsage(before);
  return { responses, seconds: (performance.now() - start) / 1_000, cpuSeconds: (user + system) / 1e6 };
}

async function gunzip(paths) {
  for (const path of paths) {
    let bytes = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: 262_144 }).pipe(createGunzip()))
      bytes += chunk.length;
    if (bytes === 0) throw new Error(`${path} is empty`);
  }
  return RESPONSES;
}

async function read(paths) {
  const totals = new InputTotals();
  let responses = 0;
  for (const input of await findInputs(paths))
    for await (const batch of readInput(input, totals)) responses += batch.length;
  return responses;
}

async function readWithWarcio(paths) {
  let responses = 0;
  for (const path of paths.slice(0, Math.ceil(paths.length / 10)))
    for await (const record of new WARCParser(createReadStream(path))) {
      if (record.warcType !== 'response') continue;
      await record.readFully(true);
      responses++;
    }
  return responses;
}

/** Runs the command. */
async function judge(kind, threads) {
  const out = join(folder, `${kind}-${threads}`);
  const args = [COMMAND, 'census', 'judge', join(folder, kind), '--agents', AGENTS.join(','), '--out', out];
  const result = await measureCommand([...args, '--threads', String(threads)]);
  const { files, tables } = JSON.parse(readFileSync(join(out, 'census.json'), 'utf8'));
  const bytes = {
    captures: tables.captures.bytes,
    files: tables.files.bytes,
    json: statSync(join(out, 'census.json')).size,
  };
  return { threads, responses: RESPONSES, files, ...result, bytes };
}

/** Runs the merge of the census of `judge`, which is the only part: each row is read and written. */
async function merge(kind, threads) {
  const args = [
    'census',
    'merge',
    join(folder, `${kind}-${threads}`),
    '--out',
    join(folder, `${kind}-merged`),
  ];
  return { responses: RESPONSES, ...(await measureCommand([COMMAND, ...args])) };
}

/**
 * What a crawl would take. Time and disk are in proportion. The memory is computed: that of the run, a digest of at most 64 bytes for each distinct
 * file, and the entries of the archives, which take about four times the bytes of the JSON file. All shares are those of the run.
 */
function extrapolate({ seconds, cpuSeconds, peakMiB, bytes, files }) {
  const factor = CRAWL / RESPONSES;
  return {
    responses: CRAWL,
    files: files * factor,
    hours: (seconds * factor) / 3_600,
    cpuHours: (cpuSeconds * factor) / 3_600,
    tableGB: ((bytes.captures + bytes.files) * factor) / 1e9,
    peakGiB: (peakMiB + ((64 * files + 4 * bytes.json) * factor) / 2 ** 20) / 1024,
  };
}

async function compare(kind) {
  const created = await measure(async () => {
    await createArchives(join(folder, kind), kind, RESPONSES);
    return RESPONSES;
  });
  const paths = (await findInputs([join(folder, kind)])).map(({ path }) => path);
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  console.log(
    `\n${kind}: ${paths.length} archives, ${formatNumber(bytes / 1e6)} MB, ${formatNumber(bytes / RESPONSES)} bytes a response, written in ${formatNumber(created.seconds)} s`,
  );
  const alone = { gunzip: await measure(() => gunzip(paths)), reader: await measure(() => read(paths)) };
  alone.warcio = await measure(() => readWithWarcio(paths));
  print('gunzip alone, one thread', alone.gunzip);
  print('the reader alone, one thread', alone.reader);
  print('warcio.js, one thread', alone.warcio);
  const runs = [];
  for (const threads of THREADS) {
    const run = await judge(kind, threads);
    const tables = `${formatNumber((run.bytes.captures + run.bytes.files) / 1e6, 1)} MB of tables`;
    print(
      `census judge --threads ${threads}`,
      run,
      `, ${formatNumber(run.cpuSeconds, 1)} s of processor time, ${tables}`,
    );
    console.log(
      `  ${formatNumber(run.files)} distinct files; memory: peak ${formatNumber(run.peakMiB)} MiB, at each tenth of the time ${run.rssMiB.map((each) => formatNumber(each)).join(' ')}`,
    );
    runs.push(run);
  }
  const merged = await merge(kind, THREADS.at(-1));
  print(
    'census merge',
    merged,
    `, ${formatNumber(merged.cpuSeconds, 1)} s of processor time, peak ${formatNumber(merged.peakMiB)} MiB`,
  );
  const profiled = paths.slice(0, MAX_PROFILED);
  const stages = await measureStages(profiled, { folder: join(folder, `${kind}-profile`), agents: AGENTS });
  const shares = Object.entries(stages).map(([stage, share]) => `${stage} ${formatNumber(100 * share)} %`);
  console.log(`processor time by stage, one thread: ${shares.join(', ')}`);
  const crawl = extrapolate(runs.at(-1));
  console.log(
    `${formatNumber(CRAWL)} responses at this rate with --threads ${THREADS.at(-1)}: ${formatNumber(crawl.hours, 1)} hours, ${formatNumber(crawl.cpuHours, 1)} hours of processor time, ${formatNumber(crawl.tableGB, 1)} GB of tables, ${formatNumber(crawl.peakGiB, 1)} GiB of memory (computed)`,
  );
  return { kind, archives: paths.length, bytes, created, alone, runs, merged, stages, crawl };
}

const { label } = readCorpus();
const [{ model } = { model: 'unknown' }] = cpus();
const about = {
  ...{
    responses: RESPONSES,
    agents: AGENTS.length,
    bodies: label,
    date: new Date().toISOString().slice(0, 10),
  },
  ...{ node: process.version, processor: model, processors: availableParallelism() },
};
console.log(
  `${formatNumber(RESPONSES)} responses, ${AGENTS.length} agents, bodies from ${label}; Node.js ${process.version}, ${about.processors} x ${model}`,
);
try {
  const kinds = [];
  for (const kind of values.kinds.split(',')) kinds.push(await compare(kind));
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ ...about, kinds }, undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
