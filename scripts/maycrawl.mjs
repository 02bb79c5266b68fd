#!/usr/bin/env node
// Runs the command of this checkout, for continuous integration and pre-commit. The first run installs the pinned dependencies of the
// lockfile and builds the command. It never runs a package of a registry by its name: another party may have registered that name.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const COMMAND = join(ROOT, 'packages', 'maycrawl', 'bin', 'maycrawl.js');
const BUNDLE = join(ROOT, 'packages', 'maycrawl', 'dist', 'command', 'main.js');

/** Runs npm in this checkout. Its output goes to standard error, because standard output is that of the command. */
function runNpm(...args) {
  const { status, error } = spawnSync('npm', args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(`maycrawl: npm ${args.join(' ')} failed in ${ROOT}${error ? `: ${error.message}` : ''}`);
  process.exit(2);
}

if (!existsSync(BUNDLE)) {
  // Not `npm ci`: it refuses a lockfile without the optional binaries of other systems, which npm omits from it.
  runNpm('install', '--no-save', '--ignore-scripts');
  runNpm('run', 'build:command');
}
const { status, error } = spawnSync(process.execPath, [COMMAND, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
if (error) console.error(`maycrawl: ${error.message}`);
process.exitCode = status ?? 2;
