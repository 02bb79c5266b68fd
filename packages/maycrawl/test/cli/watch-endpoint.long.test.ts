// `maycrawl watch run --metrics-port`, as a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { createTestFolder } from '../support/folder.ts';
import { BIN, ownCache, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const database = join(createTestFolder('watch-endpoint'), 'watch.sqlite');
const DATABASE = ['--database', database] as const;

test('a monitor responds while it checks and delivers, and ends at SIGTERM', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a\n'));
  await runHere(['watch', 'add', site.origin, '--notify', 'log', ...DATABASE]);
  const child = spawn(process.execPath, [BIN, 'watch', 'run', '--metrics-port', '0', ...DATABASE], {
    env: ownCache(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stderr });
  const [line] = (await once(lines, 'line')) as [string];
  const [, address] = /^maycrawl: metrics: (http:\/\/127\.0\.0\.1:\d+)\/metrics, health: /.exec(line) ?? [];
  const read = async (path: string): Promise<string> => (await fetch(`${address}${path}`)).text();
  await expect
    .poll(() => read('/metrics'))
    .toMatch(/^maycrawl_watch_deliveries_total\{result="delivered"\} 1$/m);
  const metrics = await read('/metrics');
  expect(metrics).toMatch(/^maycrawl_watch_check_seconds_count\{result="changed"\} 1$/m);
  expect(metrics).toMatch(/^maycrawl_watch_events_total\{kind="first",severity="info"\} 1$/m);
  expect(metrics).not.toContain(new URL(site.origin).host);
  expect(JSON.parse(await read('/healthz'))).toEqual({ status: 'ok' });
  expect(JSON.parse(await read('/readyz'))).toEqual({ status: 'ready' });
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  await site.close();
});

test('a port or a host name that cannot be used is one line with exit code 2; with --once there is no endpoint', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const args = ['watch', 'run', '--metrics-port', String(port), ...DATABASE];
  expect(await run(args)).toMatchObject({
    code: 2,
    stderr: `maycrawl: cannot listen on 127.0.0.1 port ${port}: the port is in use; choose another --metrics-port\n`,
  });
  expect(await run([...args, '--allowed-host', 'a/b'])).toMatchObject({
    code: 2,
    stderr: 'maycrawl: --allowed-host must be a host name or an address, not a/b\n',
  });
  const { code, stderr } = await run([...args, '--once']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^maycrawl: --metrics-port has no effect with --once\n/);
  other.close();
});
