import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../dist/command/', import.meta.url));
const FILES = ['audit.cjs', 'load-audit.cjs'];

/** Loads the bundle of a folder in a process, prints its version there, and returns whether V8 rejected the cache. */
function load(folder: string): unknown {
  const code = `const { script, main } = require(${JSON.stringify(join(folder, 'load-audit.cjs'))}).loadAudit();
main(['audit', '--help']).then((code) => console.log(JSON.stringify([code, script.cachedDataRejected ?? null])));`;
  const output = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' });
  expect(output).toContain('Usage: maycrawl audit');
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

describe('the code cache of audits', () => {
  const { CODE_CACHE } = createRequire(import.meta.url)(join(COMMAND, 'load-audit.cjs'));
  let folder: string;
  let command: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'maycrawl-cache-'));
    // The bundle finds its files from dist/.
    command = join(folder, 'dist', 'command');
    mkdirSync(command, { recursive: true });
    for (const name of FILES) copyFileSync(join(COMMAND, name), join(command, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is accepted by the version of Node that built the package', () => {
    expect(load(COMMAND)).toEqual([0, false]);
  });

  test('may be missing', () => {
    expect(load(command)).toEqual([0, null]);
  });

  test.each([
    [
      'of another version or damaged',
      (cache: Buffer) => Buffer.concat([Buffer.from('another!'), cache.subarray(8)]),
    ],
    ['cut off', (cache: Buffer) => cache.subarray(0, 1000)],
    ['empty', () => Buffer.alloc(0)],
  ])('is ignored if it is %s', (_, change) => {
    writeFileSync(join(command, basename(CODE_CACHE)), change(readFileSync(CODE_CACHE)));
    expect(load(command)).toEqual([0, true]);
  });
});
