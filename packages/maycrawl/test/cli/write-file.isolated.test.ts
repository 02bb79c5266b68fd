import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fix } from '@maycrawl/core/lint';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lintCommand } from '../../src/cli/commands/lint/lint.ts';
import { writeFileAtomically } from '../../src/cli/output/write-file.ts';
import { run } from '../support/run.ts';

vi.mock('@maycrawl/core/lint', { spy: true });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-write-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('replacing a file preserves its mode, independent of the umask', async () => {
  const path = join(folder, 'robots.txt');
  writeFileSync(path, 'a');
  chmodSync(path, 0o666);
  await writeFileAtomically(path, Buffer.from('b'));
  expect(readFileSync(path, 'utf8')).toBe('b');
  expect(statSync(path).mode & 0o777).toBe(0o666);
  expect(readdirSync(folder)).toEqual(['robots.txt']);
});

test('a symbolic link stays a link, even if its target does not exist yet', async () => {
  symlinkSync('target', join(folder, 'link'));
  await writeFileAtomically(join(folder, 'link'), Buffer.from('b'));
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('b');
});

test('a cycle of symbolic links is an error and is not changed', async () => {
  symlinkSync('two', join(folder, 'one'));
  symlinkSync('one', join(folder, 'two'));
  await expect(writeFileAtomically(join(folder, 'one'), Buffer.from('b'))).rejects.toThrow(
    /its symbolic links form a loop/,
  );
  expect(lstatSync(join(folder, 'one')).isSymbolicLink()).toBe(true);
});

const BAD = 'User-agent: *\nDisalow: /a\n';
const OPTIONS = {
  profile: 'google',
  format: 'json',
  severity: 'info',
  userAgent: 'test',
  timeout: 30_000,
  fix: true,
} as const;

test('--fix refuses anything but a regular file, and does not wait for the reader of a pipe', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  execFileSync('sh', ['-c', 'printf "%s" "$1" > "$2" &', 'sh', BAD, pipe], { stdio: 'ignore' });
  const { code, stderr } = await run(['lint', '--fix', pipe]);
  expect(stderr).toMatch(/^maycrawl: --fix requires regular files: .*pipe is not one\n$/);
  expect(code).toBe(2);
});

test('--fix does not overwrite a concurrent change by another program', async () => {
  const path = join(folder, 'robots.txt');
  writeFileSync(path, BAD);
  const changed = `${BAD}Disallow: /precious\n`;
  const actual = await vi.importActual<typeof import('@maycrawl/core/lint')>('@maycrawl/core/lint');
  vi.mocked(fix).mockImplementationOnce((...args) => {
    writeFileSync(path, changed);
    return actual.fix(...args);
  });
  await expect(lintCommand([path], OPTIONS)).rejects.toThrow(/has changed meanwhile: not fixed/);
  expect(readFileSync(path, 'utf8')).toBe(changed);
});
