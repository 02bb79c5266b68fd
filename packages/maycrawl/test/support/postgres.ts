import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server of its own, on loopback, until it is stopped for good. */
export interface TestDatabase {
  readonly url: string;
  /** Makes an empty database. */
  create(name: string): string;
  /** Stops the server at once, as if it had been killed; `start` starts it again with what it had. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes all that it had. */
  destroy(): Promise<void>;
}

/** Where the system has PostgreSQL's programs; `undefined` if it has none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** The server refuses to run as root: then it runs as the user that its package made. */
const AS_USER: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];

/** Starts a server with an empty data folder. */
export async function startPostgres(programs: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-postgres-'));
  if (AS_USER.length > 0) {
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    chownSync(folder, id('-u'), id('-g'));
  }
  const run = (name: string, args: readonly string[]): string => {
    const [command, ...rest] = [...AS_USER, join(programs, name), ...args] as [string, ...string[]];
    return execFileSync(command, rest, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const data = join(folder, 'data');
  run('initdb', ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N']);
  const port = await freePort();
  const options = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'fsync=off',
  ];
  let server: ReturnType<typeof spawn> | undefined;
  const isReady = (): boolean => {
    try {
      run('pg_isready', ['-h', '127.0.0.1', '-p', String(port), '-U', 'test', '-d', 'postgres']);
      return true;
    } catch {
      return false;
    }
  };
  const start = async (): Promise<void> => {
    const [command, ...rest] = [...AS_USER, join(programs, 'postgres'), ...options] as [string, ...string[]];
    server = spawn(command, rest, { cwd: folder, stdio: 'ignore' });
    for (let tries = 0; !isReady(); tries++) {
      if (tries === 200) throw new Error('PostgreSQL does not start');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const stop = async (): Promise<void> => {
    if (server?.exitCode !== null || server === undefined) return;
    const closed = once(server, 'close');
    server.kill('SIGQUIT');
    await closed;
  };
  await start();
  const url = `postgres://test@127.0.0.1:${port}/postgres`;
  return {
    url,
    create(name) {
      run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'test', name]);
      return url.replace(/postgres$/, name);
    },
    start,
    stop,
    async destroy() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
