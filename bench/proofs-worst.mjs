// The worst inputs known for lint, minify, diff and verify: the time of each command alone, as its users meet it. The proofs count
// steps, so what they decide does not depend on the machine; only these times do. Arguments choose inputs and commands by name.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILES } from './worst-files.mjs';

const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));

const COMMANDS = {
  lint: (file) => ['lint', file, '--format', 'json'],
  'lint --fix': (_file, copy) => ['lint', '--fix', copy, '--format', 'json'],
  minify: (file) => ['minify', file],
  diff: (file, copy) => ['diff', file, copy, '--json'],
  'verify --init': (file, _copy, tests) => ['verify', file, '--tests', tests, '--init'],
  verify: (file, _copy, tests) => ['verify', file, '--tests', tests, '--format', 'json'],
};

const [wanted = '', only = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-worst-'));
const [file, copy, tests] = ['robots.txt', 'copy.txt', 'tests.yaml'].map((each) => join(folder, each));
let worst = 0;
for (const profile of ['google', 'rfc9309']) {
  for (const [input, text] of Object.entries(FILES)) {
    if (!input.includes(wanted)) continue;
    const bytes = Buffer.from(text);
    writeFileSync(file, bytes);
    rmSync(tests, { force: true });
    const times = [];
    for (const [command, argumentsOf] of Object.entries(COMMANDS)) {
      if (!command.includes(only)) continue;
      // Without expectations there is nothing to verify.
      if (command === 'verify' && !existsSync(tests)) continue;
      // A letter of every rule is another.
      const changed =
        command === 'diff' ? bytes.toString('latin1').replace(/^(.*low: \/.*)/gm, '$1z') : bytes;
      writeFileSync(copy, changed, 'latin1');
      const start = performance.now();
      const { status, signal, stderr } = spawnSync(
        process.execPath,
        [COMMAND, ...argumentsOf(file, copy, tests), '--profile', profile],
        { timeout: 60_000, maxBuffer: 2 ** 30 },
      );
      const took = performance.now() - start;
      worst = Math.max(worst, took);
      const failed = status === null || /\n\s+at /.test(stderr) ? ` (${signal ?? 'crashed'})` : '';
      times.push(`${command} ${(took / 1000).toFixed(2)} s${failed}`);
    }
    console.log(`${profile}, ${input}: ${times.join(', ')}`);
  }
}
rmSync(folder, { recursive: true });
console.log(`longest: ${(worst / 1000).toFixed(2)} s`);
