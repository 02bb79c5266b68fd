// Start-up time of the command and the libraries, relative to an empty process of Node: all in turn, medians and spread.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const bin = at('../packages/maycrawl/bin/maycrawl.js');

const runImport = (entry) => ['--input-type=module', '--eval', `import ${JSON.stringify(at(entry))}`];

const COMMANDS = [
  ['node -e 0', ['-e', '0']],
  ['maycrawl --help', [bin, '--help']],
  ['maycrawl check --robots FILE PATH', [bin, 'check', '--robots', at('../examples/robots.txt'), '/about']],
  ["import '@maycrawl/core'", runImport('../packages/core/dist/index.js')],
  ["import '@maycrawl/client'", runImport('../packages/client/dist/index.js')],
];

const times = COMMANDS.map(() => []);
for (let round = -2; round < ROUNDS; round++) {
  for (const [index, [name, args]] of COMMANDS.entries()) {
    const start = process.hrtime.bigint();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    // The first rounds fill the file cache.
    if (round >= 0) times[index].push(Number(process.hrtime.bigint() - start) / 1e6);
  }
}

const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.round((values.length - 1) * q)];
const base = quantile(times[0], 0.5);
console.log(`Start-up, ${ROUNDS} rounds, median (10th to 90th percentile):\n`);
for (const [index, [name]] of COMMANDS.entries()) {
  const [low, median, high] = [0.1, 0.5, 0.9].map((q) => quantile(times[index], q).toFixed(1));
  console.log(`${name.padEnd(36)} ${median} ms (${low} to ${high})  ${(median / base).toFixed(2)} x node`);
}
console.log();
