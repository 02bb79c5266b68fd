// Checks the declarations of the packed packages as their users do, with `strict` and without `skipLibCheck`, in several versions of
// TypeScript. Each package is installed in an empty folder of its own, without the optional dependencies, so that a declaration which
// needs a package that is not installed is an error. `npm run conformance:typescript` runs this.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');

/** The published packages. Each needs those before it. */
const PACKAGES = ['core', 'client', 'maycrawl'];

/** Programs for Node, with and without a bundler. The second has the types of the DOM, too. */
const RESOLUTIONS = [
  ['--module', 'nodenext', '--lib', 'es2023'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
];

/** The first version that checks what `require` returns of an ES module. */
const FIRST_WITH_REQUIRE = [5, 8];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

function npm(args, cwd) {
  return execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Installs packages from their tarballs, and the types of Node if they need them. */
function install(folder, tarballs, types) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(['install', '--omit=optional', ...tarballs, ...types], folder);
}

/** @returns a program that imports all entries. */
function createProgram(entries) {
  return entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`).join('');
}

/** @returns whether the program has no type errors. */
function checkProgram({ version, tsc }, folder, file, program, args) {
  writeFileSync(join(folder, file), program);
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, ...options, file], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return true;
  console.error(`TypeScript ${version}, ${args.join(' ')}:\n${program}${stdout}${stderr}`);
  process.exitCode = 1;
  return false;
}

function checkPackage({ name, exports }, folder) {
  const entries = Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => name + entry.slice(1));
  for (const compiler of compilers) {
    const isNewest = compiler === compilers.at(-1);
    const programs = RESOLUTIONS.map((args) => ['all.ts', createProgram(entries), args]);
    // No tsconfig.json names the types of Node, which an entry that needs them includes itself.
    if (isNewest) {
      programs.push(...entries.map((entry) => ['one.ts', createProgram([entry]), RESOLUTIONS[1]]));
    }
    if (entries.includes(REQUIRED.entry) && compiler.hasRequire) {
      programs.push(['required.cts', REQUIRED.program, RESOLUTIONS[0]]);
    }
    const results = programs.map(([file, program, args]) =>
      checkProgram(compiler, folder, file, program, args),
    );
    const good = results.filter(Boolean).length;
    console.log(`${name}: TypeScript ${compiler.version}: ${good} of ${results.length} programs`);
  }
}

const REQUIRED = {
  entry: '@maycrawl/client/robots-parser',
  program:
    "import robotsParser = require('@maycrawl/client/robots-parser');\nexport const isAllowed: boolean | undefined = robotsParser('').isAllowed('');\n",
};

npm(['ci'], HERE);
const { dependencies } = readJson(join(HERE, 'package.json'));
const compilers = Object.keys(dependencies)
  .filter((name) => name.startsWith('typescript-'))
  .map((name) => {
    const folder = join(HERE, 'node_modules', name);
    const { version } = readJson(join(folder, 'package.json'));
    const [major, minor] = version.split('.').map(Number);
    const [firstMajor, firstMinor] = FIRST_WITH_REQUIRE;
    const hasRequire = major > firstMajor || (major === firstMajor && minor >= firstMinor);
    return { version, tsc: join(folder, 'bin', 'tsc'), hasRequire };
  });

const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-types-'));
try {
  const tarballs = [];
  for (const directory of PACKAGES) {
    const path = join(ROOT, 'packages', directory);
    const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', scratch], path));
    tarballs.push(join(scratch, filename));
    const folder = mkdtempSync(join(scratch, `${directory}-`));
    // Core runs everywhere.
    install(folder, tarballs, directory === 'core' ? [] : [`@types/node@${dependencies['@types/node']}`]);
    checkPackage(readJson(join(path, 'package.json')), folder);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
