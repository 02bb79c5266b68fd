#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const args = process.argv.slice(2);
// Audits have a bundle of their own, which loads faster (docs/decisions/0031-bundle-of-audits.md).
const { main } =
  args[0] === 'audit'
    ? createRequire(import.meta.url)('../dist/command/audit.cjs')
    : await import('../dist/command/main.js');

// A reader that has seen enough closes the pipe, and wants no message. But where nothing can be written, nothing was answered: exit
// code 0 would claim that all is allowed.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 2);
  try {
    writeSync(2, `maycrawl: cannot write to standard output: ${error.code}\n`);
  } finally {
    process.exit(2);
  }
});
process.stderr.on('error', () => process.exit(2));

process.exitCode = await main(args);
