// Runs what continuous integration checks beside the tests, two scripts of package.json at a time: most of them use one core.
// A failed one does not keep the others from running. The exit code is 1 if any failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The longest ones come first. */
const CHECKS = [
  'test:without-webassembly',
  'regular-expressions',
  'docs',
  'package-check',
  'conformance:runtimes',
  'kernel:check',
  'unused',
  'conformance:typescript:ends',
  'size',
];
const CONCURRENCY = 2;

const failed = [];

/** Runs a script, and prints its output when it ends, so that the outputs do not mix. */
async function runCheck(name) {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(`\n${name}: ${code === 0 ? 'passed' : `failed (${code})`}\n`);
  process.stdout.write(Buffer.concat(output));
  if (code !== 0) failed.push(name);
}

const waiting = [...CHECKS];
async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await runCheck(name);
}
await Promise.all(Array.from({ length: CONCURRENCY }, work));
if (failed.length > 0) {
  process.stdout.write(`\nfailed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
