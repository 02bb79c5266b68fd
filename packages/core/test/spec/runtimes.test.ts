import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../../../conformance/runtimes/run.mjs', import.meta.url));
const ROW = {
  id: 'a',
  robots: 'User-agent: *\nDisallow: /a%5Eb\n',
  agents: ['FooBot'],
  url: '/a^b',
  allowed: false,
  line: 2,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-vectors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes vectors, and a manifest that names ids. */
function writeVectors(rows: readonly object[], ids: readonly string[]): void {
  writeFileSync(join(folder, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const files = { 'rows.jsonl': { form: 'decision', ids }, 'others.jsonl': { form: 'fetching', ids: ['c'] } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files }));
}

/** Runs the script with vectors, without installed runtimes. */
function run(...rows: readonly (typeof ROW)[]): {
  readonly status: number | null;
  readonly output: string;
} {
  writeVectors(
    rows,
    rows.map(({ id }) => id),
  );
  const args = [SCRIPT, '--vectors', folder, '--modules', join(folder, 'none')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('the runtime check counts passing rows, and reports missing runtimes', () => {
  const { status, output } = run(ROW, { ...ROW, id: 'b' });
  expect(output).toMatch(/^this Node v[\d.]+: 2 of 2 \(/m);
  const isInstalled = process.platform === 'linux' && process.arch === 'x64';
  for (const name of ['another Node', 'Deno', 'Bun', 'workerd'])
    expect(output).toMatch(isInstalled ? new RegExp(`^${name} did not run`, 'm') : /^Not checked: .+ only/m);
  expect(status).toBe(isInstalled ? 1 : 0);
});

test('the runtime check fails for a row with an unexpected verdict', () => {
  const { status, output } = run(ROW, { ...ROW, id: 'b', allowed: true, line: 0 });
  expect(output).toMatch(/^this Node failed \(exit code 1\)/m);
  expect(output).toContain('b: expected [true,0], got [false,2] [false,2]');
  expect(output).toContain('1 of 2');
  expect(status).toBe(1);
});

test('the runtime check fails if a file has another number of rows than the manifest names', () => {
  const args = [SCRIPT, '--vectors', folder, '--modules', folder];
  writeVectors([ROW], ['a-001..002']);
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toContain('the number of rows of rows.jsonl is 1, and 2 in the manifest');
  expect(status).toBe(1);
});

test('the runtime check fails without vectors', () => {
  rmSync(folder, { recursive: true });
  const args = [SCRIPT, '--vectors', folder, '--modules', folder];
  expect(spawnSync(process.execPath, args).status).toBe(1);
});
