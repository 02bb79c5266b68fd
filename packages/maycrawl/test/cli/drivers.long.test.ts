import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownCache, run } from '../support/run.ts';

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
