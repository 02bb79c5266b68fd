// Checks the declarations of the packed packages as their users do, with `strict` and without `skipLibCheck`, in several versions of
// TypeScript. Each package is installed in an empty folder of its own, without the optional dependencies, so that a declaration which
// needs a package that is not installed is an error. Entries that are about another package are checked after its installation.
// `npm run conformance:typescript` runs this; with --ends it takes the oldest and the newest version only.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');

/** The published packages. Each needs those before it. */
const PACKAGES = ['core', 'client', 'maycrawl'];

/** The entries that are about another package, which they cannot be used without. */
const ABOUT_OTHERS = { '@maycrawl/client/opentelemetry': '@opentelemetry/api' };

/** Programs that use an entry together with a package, which the entry does not need. */
const WITH_OTHERS = [
  {
    entry: 'maycrawl/test',
    other: 'expect',
    program: `import { expect } from 'expect';
import { matchers } from 'maycrawl/test';
expect.extend(matchers);
expect('').toAllow('/', { agent: 'a' }) satisfies void;
expect(new Response()).not.toBeEquivalentTo('') satisfies Promise<void>;
// @ts-expect-error: the compiler must report the missing agent.
expect('').toDisallow('/', {});
`,
  },
];

/** Programs for Node, with and without a bundler. The second has the types of the DOM, too. */
const RESOLUTIONS = [
  ['--module', 'nodenext', '--lib', 'es2023'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
];

/** Programs in CommonJS modules, which `require` the ES modules, and the first versions that accept them (docs/libraries.md). */
const COMMONJS = [
  {
    entry: '@maycrawl/core',
    since: [5, 8],
    program: "import { decide } from '@maycrawl/core';\nexport const { kind } = decide('', 'a', '/');\n",
  },
  {
    entry: '@maycrawl/client',
    since: [5, 8],
    program:
      "import { RobotsClient } from '@maycrawl/client';\nexport const create = (): RobotsClient => new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });\n",
  },
  {
    entry: '@maycrawl/client/robots-parser',
    since: [5, 8],
    program:
      "import robotsParser, { type RobotsParser } from '@maycrawl/client/robots-parser';\nexport const robots: RobotsParser = robotsParser('', '');\n",
  },
  {
    entry: '@maycrawl/client/robots-parser',
    since: [5, 9],
    program:
      "import robotsParser = require('@maycrawl/client/robots-parser');\nexport const isAllowed: boolean | undefined = robotsParser('').isAllowed('');\n",
  },
];

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
  checkEntries(
    name,
    entries.filter((entry) => !(entry in ABOUT_OTHERS)),
    folder,
  );
  for (const entry of entries.filter((each) => each in ABOUT_OTHERS)) {
    installOther(ABOUT_OTHERS[entry], folder);
    checkEntries(entry, [entry], folder, compilers.slice(-1));
  }
  for (const { entry, other, program } of WITH_OTHERS.filter((each) => entries.includes(each.entry))) {
    installOther(other, folder);
    const results = RESOLUTIONS.map((args) =>
      checkProgram(compilers.at(-1), folder, 'one.ts', program, args),
    );
    console.log(`${entry} with ${other}: ${results.filter(Boolean).length} of ${results.length} programs`);
  }
}

/** Installs a package in the version of the workspace. */
function installOther(name, folder) {
  const { version } = readJson(join(ROOT, 'node_modules', name, 'package.json'));
  npm(['install', '--omit=optional', `${name}@${version}`], folder);
}

function checkEntries(name, entries, folder, chosen = compilers) {
  for (const compiler of chosen) {
    const isNewest = compiler === compilers.at(-1);
    // Resolution by bundlers changes little between versions, and a program takes seconds.
    const isOldest = compiler === compilers[0];
    const programs = RESOLUTIONS.slice(0, isNewest || isOldest ? 2 : 1).map((args) => [
      ...['all.ts', createProgram(entries), args],
    ]);
    // No tsconfig.json names the types of Node, which an entry that needs them includes itself.
    if (isNewest) {
      programs.push(...entries.map((entry) => ['one.ts', createProgram([entry]), RESOLUTIONS[1]]));
    }
    for (const { entry, since, program } of COMMONJS) {
      const first = compilers.find(({ version }) => isSince(version, since));
      if (entries.includes(entry) && (isNewest || compiler === first))
        programs.push(['one.cts', program, RESOLUTIONS[0]]);
    }
    const results = programs.map(([file, program, args]) =>
      checkProgram(compiler, folder, file, program, args),
    );
    const good = results.filter(Boolean).length;
    console.log(`${name}: TypeScript ${compiler.version}: ${good} of ${results.length} programs`);
  }
}

/** Whether a version is not before another one. */
function isSince(version, [firstMajor, firstMinor]) {
  const [major, minor] = version.split('.').map(Number);
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

npm(['ci'], HERE);
const { dependencies } = readJson(join(HERE, 'package.json'));
const versions = Object.keys(dependencies)
  .filter((name) => name.startsWith('typescript-'))
  .map((name) => {
    const folder = join(HERE, 'node_modules', name);
    const { version } = readJson(join(folder, 'package.json'));
    return { version, tsc: join(folder, 'bin', 'tsc') };
  });
const compilers = process.argv.includes('--ends') ? [versions.at(0), versions.at(-1)] : versions;

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
