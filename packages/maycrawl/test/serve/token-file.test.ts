import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createTestFolder } from '../support/folder.ts';
import { BIN, ownCache } from '../support/run.ts';
import { startService } from '../support/service.ts';

const folder = createTestFolder('tokens');
const PROTECTED = { mode: 0o600 };

/** Starts the service with a file of tokens. */
async function startWithFile(file: string) {
  const args = ['serve', '--port', '0', '--database', 'none', '--token-file', file];
  const child = spawn(process.execPath, [BIN, ...args], {
    env: ownCache(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines: string[] = [];
  const address = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
  });
  const base = await address;
  return {
    ...{ child, ended },
    /** The log lines, without the one that has the address. */
    log: () => lines.filter((line) => line.startsWith('{')).join('\n'),
    metrics: (token: string) => fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${token}` } }),
  };
}

/** Waits until something is true. */
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('the file of tokens is read again at SIGHUP and when it changes; one that cannot be used changes nothing', {
  timeout: 60_000,
}, async () => {
  const file = join(folder, 'tokens');
  writeFileSync(file, 'first\n', PROTECTED);
  const service = await startWithFile(file);
  const isValid = async (token: string) => (await service.metrics(token)).status === 200;
  expect(await isValid('first')).toBe(true);

  // As editors and containers replace a file.
  writeFileSync(`${file}.new`, 'first\nsecond\n', PROTECTED);
  renameSync(`${file}.new`, file);
  await until(() => isValid('second'));
  expect(await isValid('first')).toBe(true);

  writeFileSync(file, 'second\n', PROTECTED);
  service.child.kill('SIGHUP');
  await until(async () => !(await isValid('first')));

  writeFileSync(file, '# nothing\n', PROTECTED);
  service.child.kill('SIGHUP');
  await until(() => service.log().includes('has no tokens: write one a line'));
  expect(await isValid('first')).toBe(false);
  expect(await (await service.metrics('second')).text()).toContain('\nmaycrawl_tokens_current 0\n');

  writeFileSync(file, 'third\n', PROTECTED);
  service.child.kill('SIGHUP');
  await until(() => isValid('third'));
  expect(await (await service.metrics('third')).text()).toContain('\nmaycrawl_tokens_current 1\n');

  service.child.kill('SIGINT');
  expect(await service.ended).toBe(0);
});

test('a service without tokens cannot get any, and one with tokens cannot lose them', async () => {
  const open = await startService();
  await expect(open.app.replaceTokens(async () => ['a'])).rejects.toThrow('started without tokens');
  await open.app.close();
  const closed = await startService({ tokens: ['a'] });
  await expect(closed.app.replaceTokens(async () => [])).rejects.toThrow('there are no tokens');
  const get = (token: string) =>
    fetch(`${closed.address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect((await get('a')).status).toBe(200);
  await closed.app.replaceTokens(async () => ['b']);
  expect((await get('a')).status).toBe(401);
  expect((await get('b')).status).toBe(200);
  await closed.app.close();
});
