#!/usr/bin/env node
import { main } from '../dist/cli/main.js';

// A reader that has seen enough closes the pipe; that is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await main(process.argv.slice(2));
