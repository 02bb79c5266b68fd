import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BIN, ownCache } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('serve --watch-database serves the pages of the monitor, and stops while a client reads the event stream', async () => {
  const args = [
    'serve',
    '--port',
    '0',
    '--database',
    'none',
    '--drain-time',
    '0s',
    '--watch-database',
    join(folder, 'watch.sqlite'),
  ];
  const child = spawn(process.execPath, [BIN, ...args], { env: ownCache() });
  child.stderr.setEncoding('utf8');
  let output = '';
  for await (const chunk of child.stderr) {
    output += chunk;
    if (output.includes('\n')) break;
  }
  const [, page = ''] = / (http:\S+\/watch\.html);/.exec(output) ?? [];
  const response = await fetch(page);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).toContain('<meta name="maycrawl-watch" content="v1">');
  const live = await fetch(new URL('/v1/watch/live', page));
  const stream = live.text();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await stream).toContain('event: hello');
});

test.each([
  [['--host', '0.0.0.0', '--watch-database', join(folder, 'watch.sqlite')], /give a --token-file, or listen/],
  [['--watch-database', ''], /--watch-database is empty/],
  [['--watch-database', folder], /cannot use/],
  [['--watch-database', 'postgres://user:sesame@127.0.0.1:1/none'], /cannot use the database: (?!.*sesame)/],
])('serve %j fails with exit code 2 and the reason', async (args, message) => {
  const { code, stderr } = await runHere(['serve', '--port', '0', '--database', 'none', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test('a target cannot be sealed if the key file of existing targets is lost: one line, exit code 2', async () => {
  const database = join(folder, 'sealed.sqlite');
  const add = ['watch', 'add', '--database', database, '--notify', 'https://hooks.example/x'];
  expect((await runHere([...add, 'https://a.example'])).code).toBe(0);
  rmSync(`${database}.key`);
  const { code, stderr } = await runHere([...add, 'https://b.example']);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^maycrawl: the targets in \S+ are sealed, and the key file \S+ is missing: [^\n]+\n$/,
  );
});
