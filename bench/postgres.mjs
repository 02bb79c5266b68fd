// Starts a PostgreSQL server on loopback with an empty data folder and its default settings.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** The folder of the newest version on this system; `undefined` if there is none. */
export function findPostgres() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** The server refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid() !== 0) return {};
  const getId = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: getId('-u'), gid: getId('-g') };
}

/** Starts a server. @returns its URL and version, and a function that stops it and deletes its data. */
export async function startPostgres(programs) {
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-locale'];
  execFileSync(join(programs, 'initdb'), initdb, { cwd: folder, stdio: 'ignore', ...user });
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
  const port = await freePort();
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    { cwd: folder, stdio: 'ignore', ...user },
  );
  // The server must not survive this program.
  process.once('exit', () => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const isReady = () =>
    spawnSync(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0;
  for (let tries = 0; !isReady(); tries++) {
    if (tries === 100) throw new Error('PostgreSQL does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    version,
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    async end() {
      const closed = once(server, 'close');
      server.kill('SIGINT');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
