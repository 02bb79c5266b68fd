import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from '@maycrawl/core';
import { describe, expect, test, vi } from 'vitest';
import { FORMATS } from '../../src/cli/commands/lint/finding-formats.ts';
import { CHECK_FORMATS } from '../../src/cli/commands/verify/verify-formats.ts';
import { printMessage } from '../../src/cli/output/terminal.ts';
import { BIN, ROOT, run, runShell } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const NAME = 'a\x1b[31m,b:c.txt';
const SHOWN = 'file=a\\x1b[31m%2Cb%3Ac.txt';

test('control characters in file names are escaped in GitHub annotations and cannot end their properties', () => {
  const { github } = FORMATS;
  if (!('each' in github)) throw new Error('it writes all as one document');
  const finding = {
    ...{ code: 'empty-rule', severity: 'info', message: 'm', line: 1, column: 1, length: 1 },
  } as never;
  expect(github.each({ name: NAME, robots: parse(''), findings: [finding] }, 0)).toContain(`${SHOWN},line=1`);
  const checked = {
    agent: 'a',
    expected: 'allow',
    target: '/%',
    passed: false,
    message: 'm',
    isInvalid: false,
  } as const;
  expect(CHECK_FORMATS.github('r.txt', NAME, [checked])).toBe(`::error ${SHOWN}::a: allow /%25 (m)\n`);
});

test('the middle of a long message is omitted', () => {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    printMessage(`start${'x'.repeat(100_000)}end`);
    const [text] = spy.mock.calls[0] as [string];
    expect(text).toMatch(/^maycrawl: startx+… x+end\n$/);
    expect(text.length).toBeLessThan(2_100);
  } finally {
    spy.mockRestore();
  }
});

describe('unconnected standard input is an error, because an empty file would allow everything', () => {
  test.each(['<&-', '</dev/null'])('%s', async (redirection) => {
    for (const args of [
      'check --robots - /a',
      'check --robots README.md --urls -',
      'batch',
      'audit http://127.0.0.1:2/ --robots -',
    ])
      expect(await runShell(`${args} ${redirection}`)).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: 'maycrawl: cannot read standard input: nothing is connected to it (/dev/null)\n',
      });
  });
});

test('audit reads no more of a robots.txt from standard input than it uses', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-messages-'));
  const file = join(folder, 'robots.txt');
  writeFileSync(file, Buffer.alloc(8 * 2 ** 20, 'Disallow: /\n'));
  const audit = `"${process.execPath}" "${BIN}" audit http://127.0.0.1:2/ --robots - --database "${folder}/none/run"`;
  // The processes share the position in the file.
  const output = execFileSync('sh', ['-c', `{ ${audit} 2>&1; wc -c; } <"${file}"`], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const [, message, left] = /^maycrawl: (.*)\n\s*(\d+)\n$/.exec(output) ?? [];
  expect(message).toContain('/none/run');
  expect(Number(left)).toBeGreaterThan(6 * 2 ** 20);
});

test.skipIf(process.platform === 'win32')(
  'a file of tokens that other users can read or write is refused',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maycrawl-messages-'));
    const file = join(folder, 'tokens');
    writeFileSync(file, 'token\n');
    const results = [];
    for (const mode of [0o600, 0o640, 0o400, 0o644, 0o602, 0o660, 0o604]) {
      chmodSync(file, mode);
      const args = ['--token-file', file, '--host', '192.0.2.1', '--port', '0', '--database', 'none'];
      const { code, stderr } = await runHere(['serve', ...args]);
      results.push([mode.toString(8), code, stderr.replace(file, 'FILE')]);
    }
    // The address is of another machine: the service ends after it has read the file.
    const used = expect.stringContaining('cannot listen on 192.0.2.1');
    const refused =
      'maycrawl: cannot use FILE: other users can read or write it; set its mode to 0600 or 0640\n';
    expect(results).toEqual([
      ...['600', '640', '400'].map((mode) => [mode, 2, used]),
      ...['644', '602', '660', '604'].map((mode) => [mode, 2, refused]),
    ]);
    rmSync(folder, { recursive: true });
  },
);

test('a file of tokens has a size limit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-messages-'));
  const file = join(folder, 'tokens');
  const serve = () =>
    runHere(['serve', '--token-file', file, '--host', '192.0.2.1', '--port', '0', '--database', 'none']);
  writeFileSync(file, `token\n${'#'.repeat(2 ** 20 - 6)}`, { mode: 0o600 });
  // The address is of another machine: the service ends after it has read the file.
  expect((await serve()).stderr).toContain('cannot listen on 192.0.2.1');
  writeFileSync(file, `token\n${'#'.repeat(2 ** 20 - 5)}`);
  expect(await serve()).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: `maycrawl: cannot read ${file}: it has more than 1048576 bytes\n`,
  });
  rmSync(folder, { recursive: true });
});

test('two uses of standard input are an error, because the second would be empty', async () => {
  const { code, stderr } = await run(
    ['diff', '-', 'README.md', '--urls', '-'],
    'User-agent: *\nDisallow: /a',
  );
  expect(stderr).toBe('maycrawl: only one file can be standard input\n');
  expect(code).toBe(2);
});

test('an invalid crawler name is the result of its expectation, and the exit code is 2', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-messages-'));
  const tests = join(folder, 'tests.yaml');
  writeFileSync(tests, '- agent: a\n  allow: [/]\n- agent: "bot!"\n  allow: [/]\n');
  const { code, stdout } = await run(['verify', '-', '--tests', tests], 'User-agent: *');
  rmSync(folder, { recursive: true });
  expect(stdout).toMatch(/^met +a: allow \/\n.* bot!: allow \/ \(no user-agent line can name "bot!"/);
  expect(code).toBe(2);
});

test('a closed output pipe is not a success, because not all URLs were decided', async () => {
  const child = spawn(process.execPath, [BIN, 'check', '--robots', 'README.md', '--urls', '-'], {
    cwd: ROOT,
  });
  child.stdin.on('error', () => {});
  child.stdin.write('/a\n');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const write = setInterval(() => child.stdin.write('/a\n'.repeat(10_000)), 20);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(write);
  expect(code).toBe(2);
});
