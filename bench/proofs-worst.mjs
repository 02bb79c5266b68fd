// The worst inputs known for lint, minify, diff and verify: the time of each command alone, as its users meet it. The proofs count
// steps, so what they decide does not depend on the machine; only these times do. Arguments choose inputs and commands by name.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bytes of a file that count. */
const LIMIT = 512_000;
const COMMAND = fileURLToPath(new URL('../packages/maycrawl/bin/maycrawl.js', import.meta.url));

/** A file of lines, as many as fit. */
function fill(head, line) {
  const parts = [head];
  let length = head.length;
  for (let index = 0; ; index++) {
    const next = line(index);
    length += next.length;
    if (length > LIMIT) return parts.join('');
    parts.push(next);
  }
}

const all = 'User-agent: *\n';
const name = (index) => index.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[digit]);
const binary = (index, one, zero) =>
  [...index.toString(2)].map((bit) => (bit === '1' ? one : zero)).join('*');
const half = (text) => text.slice(0, text.lastIndexOf('\n', LIMIT / 2) + 1);

/** By their names. Each file is compared with itself in which a letter of every rule is another. */
export const INPUTS = {
  'each agent in a group of its own': fill('', (n) => `User-agent: ${name(n)}\nDisallow: /${n}\n`),
  'each agent with star rules of its own': fill(
    '',
    (n) => `User-agent: ${name(n)}\nDisallow: /*a${n}*b\nAllow: /*c*${n}\n`,
  ),
  'all agents in one group': `${half(fill('', (n) => `User-agent: ${name(n)}\n`))}${half(fill('', (n) => `Disallow: /p${n}\n`))}`,
  'each agent also in one large group': `${half(fill('', (n) => `User-agent: ${name(n)}\nDisallow: /${n}\n`))
    .slice(0, 200_000)
    .replace(/\n[^\n]*$/, '\n')}${fill('', (n) => `User-agent: ${name(n)}\n`)
    .slice(0, 100_000)
    .replace(/\n[^\n]*$/, '\n')}${half(fill('', (n) => `Disallow: /p${n}\n`)).slice(0, 200_000)}`,
  'many groups for one agent': fill('', (n) => `User-agent: a\nDisallow: /${n}\n`),
  'plain rules': fill(all, (n) => `Disallow: /path-${n}/\n`),
  'rules of one letter': fill(all, (n) => `Disallow: /${'a'.repeat(n % 5000)}\n`),
  'nested rules that take turns': fill(
    all,
    (n) => `${n % 2 ? 'Allow' : 'Disallow'}: /${'a/'.repeat(n % 400)}\n`,
  ),
  'rules with stars': fill(all, (n) => `Disallow: /*a${n}*b${n % 7}*c\n`),
  'rules with stars that take turns': fill(
    all,
    (n) => `${n % 2 ? 'Allow' : 'Disallow'}: /*${binary(n, 'a', 'b')}*c\n`,
  ),
  'forty rules with stars': [
    all,
    ...Array.from({ length: 40 }, (_, n) => `${n % 2 ? 'Allow' : 'Disallow'}: /*a${n}*b${n % 7}*c\n`),
  ].join(''),
  'rules with many stars': fill(all, (n) => `Disallow: /${'*a'.repeat(100 + (n % 300))}*b${n}\n`),
  'lines at the limit': fill(all, (n) => `Disallow: /${'*a'.repeat(8300)}${n}\n`),
  'stars at the end': fill(
    all,
    (n) => `Disallow: /${n}${'*'.repeat(n % 2000)}x\nDisallow: /${n}${'*'.repeat(n % 2000)}\n`,
  ),
  'stars at the end in many groups': fill(
    '',
    (n) => `User-agent: ${name(n)}\nDisallow: /a*\nAllow: /a\nDisallow: /b${n}*\n`,
  ),
  dollars: fill(all, (n) => `${n % 3 ? 'Allow' : 'Disallow'}: /*${n % 97}$\n`),
  'rules that are all the same': fill(all, () => 'Disallow: /a\n'),
  'names like known ones': `${fill('', (n) => `User-agent: googleb${name(n)}\n`)}Disallow: /\n`,
  'records for many agents': fill(
    '',
    (n) => `User-agent: ${name(n % 9000)}\n${n % 5 ? '' : `Crawl-delay: ${n}\n`}`,
  ),
  'records beside rules': fill(
    all,
    (n) => `Crawl-delay: ${n}\nSitemap: https://h.example/${n}.xml\nClean-param: a${n}\n`,
  ),
  'line ends': '\r'.repeat(LIMIT),
  'short rules': fill(all, () => 'allow:\n'),
  comments: fill('', (n) => `#${n}\n`),
  escapes: fill(all, (n) => `Disallow: /%e4%25${n}${'%c3%a4'.repeat(n % 50)}\n`),
  'bytes that are not UTF-8': Buffer.from(
    fill(all, (n) => `Disallow: /\xe4${n}\nSitemap: \xff${n}\n`),
    'latin1',
  ),
  NULs: fill(all, (n) => `Disallow: /${n}\0${n}\n`),
};

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
  for (const [input, text] of Object.entries(INPUTS)) {
    if (!input.includes(wanted)) continue;
    const bytes = Buffer.from(text);
    writeFileSync(file, bytes);
    rmSync(tests, { force: true });
    const times = [];
    for (const [command, argumentsOf] of Object.entries(COMMANDS)) {
      if (!command.includes(only)) continue;
      // Without expectations there is nothing to verify.
      if (command === 'verify' && !existsSync(tests)) continue;
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
