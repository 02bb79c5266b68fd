import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toJson } from '../../../src/watch/notifications/messages/bodies.ts';
import { createMessage, deliverTo } from './alerts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-exec-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a target that runs a script in a Node process. */
function createTarget(script: string): string {
  const path = join(folder, 'script.cjs');
  writeFileSync(path, `const fs = require('node:fs');\nconst folder = ${JSON.stringify(folder)};\n${script}`);
  return `exec:'${process.execPath}' '${path}' one 'two words'`;
}

describe('a program', () => {
  test('gets the message on its standard input, its arguments, and an environment without the secrets of maycrawl', async () => {
    const target = createTarget(`
      const { argv, env } = process;
      const input = fs.readFileSync(0, 'utf8');
      fs.writeFileSync(folder + '/got', JSON.stringify({ input, args: argv.slice(2), env }));
      process.stdout.write('x'.repeat(1e6));
    `);
    const environment = {
      ...{ TOKEN: 'theirs', MAYCRAWL_SMTP_URL: 'smtp://h', MAYCRAWL_WEBHOOK_SECRET: 'ours' },
      MAYCRAWL_SECRET_KEY: 'the key of the targets',
    };
    expect(await deliverTo(target, { environment })).toEqual({ kind: 'delivered' });
    const got = JSON.parse(readFileSync(join(folder, 'got'), 'utf8'));
    expect(got).toMatchObject({ input: `${toJson(createMessage({}))}\n`, args: ['one', 'two words'] });
    expect(got.env).toMatchObject({ TOKEN: 'theirs' });
    expect(Object.keys(got.env).filter((name) => name.startsWith('MAYCRAWL'))).toEqual([]);
  });

  test('that fails is reported with the first line of its stderr', async () => {
    const target = createTarget(
      `process.stderr.write('no \\x1b[31mnetwork\\nat line 7\\n'); process.exitCode = 3;`,
    );
    expect(await deliverTo(target)).toEqual({
      kind: 'failed',
      code: 'exec',
      reason: 'the program ended with 3: no \\x1b[31mnetwork',
      retryAt: null,
      isFinal: false,
    });
    expect(await deliverTo(createTarget('process.exitCode = 1;'))).toMatchObject({
      reason: 'the program ended with 1',
    });
    expect(
      await deliverTo(createTarget(`process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`)),
    ).toMatchObject({
      reason: 'the program was killed (SIGTERM)',
    });
  });

  test('that writes too much is neither awaited nor buffered', async () => {
    const target = createTarget(`fs.writeSync(2, 'a'.repeat(5e6)); process.exitCode = 1;`);
    const receipt = await deliverTo(target);
    expect(receipt).toMatchObject({
      code: 'exec',
      reason: expect.stringMatching(/^the program ended with 1: a+…$/),
    });
  });

  test('that does not read its input succeeds', async () => {
    const large = createMessage(
      { details: { list: 'x'.repeat(3000) } },
      ...Array.from({ length: 40 }, (_, i) => ({ id: `${i}` })),
    );
    expect(await deliverTo(createTarget(''), {}, large)).toEqual({ kind: 'delivered' });
  });

  test('that hangs is killed together with its child processes', async () => {
    const target = createTarget(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      fs.writeFileSync(folder + '/written', process.pid + ' ' + child.pid);
      // The program is killed as soon as the file exists, so it must be complete then.
      fs.renameSync(folder + '/written', folder + '/pids');
      setInterval(() => {}, 1000);
    `);
    const controller = new AbortController();
    const delivering = deliverTo(target, { signal: controller.signal, timeout: 60_000 });
    await expect.poll(() => existsSync(join(folder, 'pids'))).toBe(true);
    controller.abort();
    expect(await delivering).toMatchObject({ code: 'aborted', isFinal: false });
    for (const pid of readFileSync(join(folder, 'pids'), 'utf8').split(' '))
      await expect.poll(() => isRunning(Number(pid))).toBe(false);
    expect(await deliverTo(`exec:sleep 100`, { timeout: 100, environment: process.env })).toMatchObject({
      code: 'timeout',
    });
  });

  test('that has exited with 0 is not kept waiting by a child process that still runs', async () => {
    const target = createTarget(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' });
      fs.writeFileSync(folder + '/pid', String(child.pid));
      child.unref();
    `);
    expect(await deliverTo(target, { timeout: 30_000 })).toEqual({ kind: 'delivered' });
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
  });

  test('that does not exist or is not executable cannot be started', async () => {
    const file = join(folder, 'text');
    writeFileSync(file, 'no program');
    for (const [target, code] of [
      ['exec:/no/such/program', 'ENOENT'],
      [`exec:${file}`, 'EACCES'],
    ] as const)
      expect(await deliverTo(target)).toMatchObject({
        code: 'exec',
        reason: `the program cannot be started: ${code}`,
      });
  });

  test('may be a shell', async () => {
    const target = `exec:/bin/sh -c 'cat > "$PLACE"; echo failed >&2; exit 75'`;
    const environment = { PLACE: join(folder, 'got'), PATH: process.env['PATH'] };
    expect(await deliverTo(target, { environment })).toMatchObject({
      reason: 'the program ended with 75: failed',
    });
    expect(JSON.parse(readFileSync(join(folder, 'got'), 'utf8'))).toMatchObject({ id: 'message-1' });
  });
});

/** A zombie process counts as ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/stat`;
  return !(existsSync(status) && /\) Z /.test(readFileSync(status, 'utf8')));
}
