import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { BIN, ownCache, run } from '../support/run.ts';

const WITHOUT = new URL('../support/without-drivers.mjs', import.meta.url).href;

test.each([
  ['@photostructure/sqlite', ['watch', 'list', '--database', 'watch.sqlite']],
  ['@photostructure/sqlite', ['serve', '--port', '0', '--watch-database', 'watch.sqlite']],
  ['@photostructure/sqlite', ['audit', 'https://h.example/', '--database', 'run.sqlite']],
  ['@photostructure/sqlite', ['check', '--database', 'store.sqlite', 'https://h.example/']],
  ['pg', ['check', '--database', 'postgres://h.example/x', 'https://h.example/']],
  ['pg', ['watch', 'list', '--database', 'postgres://h.example/x']],
  ['vscode-languageserver', ['lsp']],
  ['pg', ['serve', '--port', '0', '--database', 'postgres://h.example/x']],
])('without %s, a one-line error describes the installation: %j', async (name, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-drivers-'));
  const env = { ...ownCache(), NODE_OPTIONS: `--import=${WITHOUT}` };
  const { code, stderr } = await run(args, '', { env, cwd: folder });
  rmSync(folder, { recursive: true });
  expect(code).toBe(2);
  expect(stderr).toContain(`npm install ${name}`);
  expect(stderr.trim().split('\n').length).toBe(1);
});

test('without @opentelemetry/api, the service prints one line about the installation, and works', async () => {
  // An SDK registers what it has under this symbol, whichever copy of the package it uses.
  const sdk = "globalThis[Symbol.for('opentelemetry.js.api.1')] = { trace: {} }";
  const imports = [WITHOUT, `data:text/javascript,${encodeURIComponent(sdk)}`];
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--database', 'none'], {
    env: { ...ownCache(), NODE_OPTIONS: imports.map((each) => `--import=${each}`).join(' ') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const printed = text(child.stderr);
  // The first line of the log: it listens.
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGINT');
  expect((await ended)[0]).toBe(0);
  expect((await printed).split('\n').filter((line) => line !== '')).toEqual([
    'maycrawl: telemetry needs the package @opentelemetry/api: npm install @opentelemetry/api@1',
    expect.stringMatching(/^maycrawl: page: /),
  ]);
});
