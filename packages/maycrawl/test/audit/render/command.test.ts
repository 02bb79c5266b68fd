import { expect, test } from 'vitest';
import { run } from '../../support/run.ts';

const WITHOUT = new URL('../../support/without-drivers.mjs', import.meta.url).href;
const START = 'http://127.0.0.1:9/';

test('without playwright-core the command says in one line what to install', async () => {
  const env = { ...process.env, NODE_OPTIONS: `--import=${WITHOUT}` };
  expect(await run(['audit', START, '--render'], '', { env })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'maycrawl: --render needs the package playwright-core: npm install playwright-core\n',
  });
});

test('a path without Chromium is refused in one line', async () => {
  expect(await run(['audit', START, '--render', '--chromium', '/nowhere/chromium'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'maycrawl: --chromium /nowhere/chromium is no program that can be started\n',
  });
});

test.skipIf(process.platform !== 'linux')(
  'without Chromium in PATH the command says in one line what to do (Linux)',
  async () => {
    const env = { ...process.env, PATH: '/nowhere' };
    expect(await run(['audit', START, '--render'], '', { env })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'maycrawl: --render needs Chromium or Chrome, which was not found: install it, or give its path with --chromium PATH\n',
    });
  },
);

test('a program that is not Chromium is refused in one line', async () => {
  const { code, stderr } = await run([
    ...['audit', START, '--render', '--render-without-sandbox', '--chromium', process.execPath],
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^maycrawl: .* could not be started: [^\n]*\n$/);
});

test.skipIf(process.geteuid?.() !== 0)('root needs --render-without-sandbox (needs root)', async () => {
  // Any program will do: it is not started.
  const { code, stderr } = await run(['audit', START, '--render', '--chromium', process.execPath]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    'maycrawl: Chromium has no sandbox when root runs it: run the audit as another user, or give --render-without-sandbox if you trust the pages\n',
  );
});
