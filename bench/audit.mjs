// Crawls a site with the audit, Crawlee and wget: the site on one core, the crawlers in turn on the other.
// `node audit.mjs million` crawls 1,000,000 small pages (BENCH_MILLION: another number), writes the reports, and measures memory and speed.
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from './measure.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PAGES = Number(process.env.BENCH_PAGES ?? 20_000);
const CRAWLEE_PAGES = Number(process.env.BENCH_CRAWLEE_PAGES ?? PAGES);
const MILLION = Number(process.env.BENCH_MILLION ?? 1_000_000);
const [BYTES, LINKS] = [8_500, 40];
const CONCURRENCY = '32';
const MEBIBYTE = 2 ** 20;
const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const CRAWLEE = fileURLToPath(new URL('./crawlee-crawl.mjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));

/** Binds a process to one core if the system supports it. */
function pin(child, core) {
  try {
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(child.pid)], { stdio: 'ignore' });
  } catch {}
  return child;
}

async function startSite(pages, bytes, links) {
  const child = fork(fileURLToPath(new URL('./audited-site.mjs', import.meta.url)), [pages, bytes, links]);
  const [{ port }] = await once(child, 'message');
  pin(child, 0);
  const requested = async () => {
    child.send('requested');
    return (await once(child, 'message'))[0].requested;
  };
  return { child, requested, start: `http://127.0.0.1:${port}/` };
}

/** Runs a crawler. @returns seconds, and the number of pages that it requested. */
async function time(site, command, args) {
  const before = await site.requested();
  const started = performance.now();
  const child = spawn('taskset', ['-c', '1', command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - started) / 1000;
  const pages = (await site.requested()) - before;
  // wget exits with 8 if a page was not found.
  if (code !== 0 && code !== 8) throw new Error(`${command} ended with ${code}: ${output}`);
  return { seconds, rate: pages / seconds, pages };
}

const describe = (values, digits = 0) => {
  const at = (q) => quantile(values, q).toLocaleString('en', { maximumFractionDigits: digits });
  return `${at(0.5)} (${at(0)} to ${at(1)})`;
};

async function compare() {
  const site = await startSite(PAGES, BYTES, LINKS);
  const results = { maycrawl: [], wget: [], crawlee: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const run = join(folder, `${round}.sqlite`);
      const audit = [COMMAND, 'audit', site.start, '--database', run, '--concurrency', CONCURRENCY];
      results.maycrawl.push(await time(site, process.execPath, audit));
      results.wget.push(
        await time(site, 'wget', ['-q', '-r', '-l', 'inf', '--delete-after', '-P', 'wget', site.start]),
      );
      if (round > 0) continue;
      results.crawlee.push(
        await time(site, process.execPath, [CRAWLEE, site.start, CRAWLEE_PAGES, CONCURRENCY]),
      );
    }
  } finally {
    site.child.kill();
  }
  console.log(`${PAGES} pages of ${BYTES} bytes with ${LINKS} links`);
  for (const [name, all] of Object.entries(results)) {
    const rates = describe(all.map(({ rate }) => rate));
    console.log(
      `${name}: ${rates} pages/s, ${all[0].pages} pages in ${describe(
        all.map(({ seconds }) => seconds),
        1,
      )} s`,
    );
  }
}

/** Resident memory of a process in MiB. */
function readMemory(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return undefined;
  }
}

async function crawlMany() {
  const site = await startSite(MILLION, 400, 4);
  const run = join(folder, 'million.sqlite');
  const child = spawn(
    'taskset',
    [
      '-c',
      '1',
      process.execPath,
      COMMAND,
      'audit',
      site.start,
      '--database',
      run,
      '--concurrency',
      CONCURRENCY,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const started = performance.now();
  const marks = [{ pages: 0, seconds: 0 }];
  let most = 0;
  for (let isOver = false; !isOver; ) {
    isOver = await Promise.race([
      ended.then(() => true),
      new Promise((resolve) => setTimeout(resolve, 1_000, false)),
    ]);
    most = Math.max(most, readMemory(child.pid) ?? 0);
    const pages = await site.requested();
    const seconds = (performance.now() - started) / 1000;
    if (pages - marks.at(-1).pages < MILLION / 20) continue;
    const { pages: from, seconds: since } = marks.at(-1);
    marks.push({ pages, seconds });
    const rate = ((pages - from) / (seconds - since)).toFixed(0);
    console.log(`${pages} pages, ${rate} pages/s, ${(readMemory(child.pid) ?? 0).toFixed(0)} MiB`);
  }
  const seconds = (performance.now() - started) / 1000;
  site.child.kill();
  console.log(
    `${seconds.toFixed(0)} s with judging, at most ${most.toFixed(0)} MiB, file ${(statSync(run).size / MEBIBYTE).toFixed(0)} MiB`,
  );
  await writeReports(run);
}

/** Writes the HTML report and the CSV file of a run. */
async function writeReports(run) {
  for (const [option, name] of [
    ['--out', 'report.html'],
    ['--csv', 'urls.csv'],
  ]) {
    const [path, started] = [join(folder, name), performance.now()];
    const child = spawn(process.execPath, [COMMAND, 'audit', 'report', run, option, path], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, readMemory(child.pid) ?? 0);
    }, 500);
    const [code] = await once(child, 'exit');
    clearInterval(timer);
    if (code !== 0) throw new Error(`the report ended with ${code}`);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `${name}: ${seconds} s, at most ${most.toFixed(0)} MiB, ${(statSync(path).size / MEBIBYTE).toFixed(0)} MiB`,
    );
  }
}

try {
  if (process.argv[2] === 'million') await crawlMany();
  else await compare();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
