// Crawls installed documentation, served by nginx on one core, with the audit, wget and Crawlee in turn on the other: wall time,
// processor time and peak memory, with start and exit. Debian: apt-get install nginx-light wget time postgresql-doc-15 python3-doc
// apache2-doc. A manual that is not installed is skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveFolder } from './manuals/nginx.mjs';
import { quantile } from './measure.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const [SERVER_CORE, CRAWLER_CORE] = ['0', '1'];
const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const CRAWLEE = fileURLToPath(new URL('./crawlee-crawl.mjs', import.meta.url));

const MANUALS = [
  { name: 'PostgreSQL 15', folder: '/usr/share/doc/postgresql-doc-15/html', path: '/' },
  { name: 'Python 3', folder: '/usr/share/doc/python3-doc/html', path: '/' },
  { name: 'Apache 2.4, English', folder: '/usr/share/doc/apache2-doc/manual', path: '/en/' },
];

const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-manuals-'));

/** Runs a program on one core. @returns seconds, processor seconds, and peak memory in MiB. */
function measure(command, args) {
  const cwd = mkdtempSync(join(scratch, 'run-'));
  const log = join(cwd, 'time');
  const timed = ['/usr/bin/time', '-q', '-o', log, '-f', '%e %U %S %M', command, ...args];
  const { status, stderr } = spawnSync('taskset', ['-c', CRAWLER_CORE, ...timed], { cwd, encoding: 'utf8' });
  // wget exits with 8 if a page was not found.
  if (status !== 0 && status !== 8) throw new Error(`${command} ended with ${status}: ${stderr}`);
  const [seconds, user, system, kilobytes] = readFileSync(log, 'utf8').trim().split(' ').map(Number);
  rmSync(cwd, { recursive: true });
  return { seconds, processor: user + system, memory: kilobytes / 1024 };
}

function describe(results, key, digits) {
  const at = (q) =>
    quantile(
      results.map((each) => each[key]),
      q,
    ).toFixed(digits);
  return `${at(0.5)} (${at(0)} to ${at(1)})`;
}

function compare({ name, path }, origin) {
  const start = `${origin}${path}`;
  const audit = [COMMAND, 'audit', start, '--out', 'out'];
  const programs = [
    ['wget -r', 'wget', ['-q', '-r', '-l', 'inf', '--delete-after', start], ROUNDS],
    ['maycrawl audit, with reports', process.execPath, audit, ROUNDS],
    ['maycrawl audit, one page', process.execPath, [...audit, '--max-pages', '1'], ROUNDS],
    ['node -e 0', process.execPath, ['-e', '0'], ROUNDS],
    ['Crawlee, title and links', process.execPath, [CRAWLEE, start, '1000000', '8'], 1],
  ];
  const results = programs.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, command, args, rounds]] of programs.entries())
      if (round < rounds) results[index].push(measure(command, args));
  console.log(`\n${name}, ${ROUNDS} rounds: median (least to most)`);
  for (const [index, [title]] of programs.entries()) {
    const [wall, processor] = ['seconds', 'processor'].map((key) => describe(results[index], key, 2));
    const memory = describe(results[index], 'memory', 0);
    console.log(`${title.padEnd(30)} ${wall} s, processor ${processor} s, ${memory} MiB`);
  }
}

const missing = ['nginx', 'wget', '/usr/bin/time', 'taskset'].filter(
  (program) => spawnSync('which', [program], { stdio: 'ignore' }).status !== 0,
);
try {
  if (missing.length > 0) console.log(`Documentation: skipped, not installed: ${missing.join(', ')}`);
  else
    for (const manual of MANUALS) {
      if (!existsSync(manual.folder)) {
        console.log(`${manual.name}: skipped, ${manual.folder} is not installed`);
        continue;
      }
      const server = await serveFolder(manual.folder, { scratch, core: SERVER_CORE });
      try {
        compare(manual, server.origin);
      } finally {
        server.stop();
      }
    }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
