// Logs of real servers: a polite crawler has no violation, and one that ignores robots.txt has exactly those that it made.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RobotsClient } from '@maycrawl/client';
import { createRobotsFetch, ForbiddenUrlError } from '@maycrawl/client/fetch';
import { afterAll, describe, expect, test } from 'vitest';
import type { LogSummary } from '../../src/logs/summary/log-summary.ts';
import { runHere } from '../support/run-here.ts';

const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-servers-'));
// Apache serves files as another user.
chmodSync(scratch, 0o755);
const root = join(scratch, 'site');
const ROBOTS = 'User-agent: *\nDisallow: /private/\nDisallow: /*?\n';
/** Pages, each with links to all others; six of them are disallowed. */
const PATHS = [
  ...Array.from({ length: 10 }, (_, page) => `/pages/${page}.html`),
  ...Array.from({ length: 5 }, (_, page) => `/private/${page}.html`),
  '/pages/0.html?sort=price',
];

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function writeSite(): void {
  const links = PATHS.map((path) => `<a href="${path}">${path}</a>`).join('\n');
  for (const folder of ['pages', 'private']) mkdirSync(join(root, folder), { recursive: true });
  for (const path of ['/index.html', ...PATHS.filter((each) => !each.includes('?'))])
    writeFileSync(join(root, path), `<!doctype html><title>${path}</title>${links}`);
  writeFileSync(join(root, 'robots.txt'), ROBOTS);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A server: its program, its configuration, and how it is started and reads all of it. */
interface Server {
  readonly program: string;
  readonly configure: (port: number, folder: string) => string;
  readonly args: (configuration: string, folder: string) => readonly string[];
}

const SERVERS: Readonly<Record<string, Server>> = {
  nginx: {
    program: '/usr/sbin/nginx',
    configure: (
      port,
      folder,
    ) => `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events {}
http {
  types { text/html html; text/plain txt; } access_log ${folder}/access.log combined;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; root ${root}; }
}`,
    args: (configuration) => ['-e', 'stderr', '-c', configuration],
  },
  apache2: {
    program: '/usr/sbin/apache2',
    configure: (port, folder) => `ServerRoot ${folder}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
TypesConfig /etc/mime.types
DirectoryIndex index.html
User www-data
Group www-data
LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
CustomLog ${folder}/access.log combined
DocumentRoot ${root}`,
    args: (configuration) => ['-X', '-f', configuration],
  },
  caddy: {
    program: '/usr/bin/caddy',
    configure: (port, folder) => `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  root * ${root}
  file_server
  log {
    output file ${folder}/access.log
    format json
  }
}`,
    args: (configuration) => ['run', '--adapter', 'caddyfile', '--config', configuration],
  },
};

/** Starts a server, runs work, and stops it, so that its log is complete. @returns the path of the log. */
async function withServer(
  name: string,
  work: (origin: string) => Promise<void>,
): Promise<{ log: string; origin: string }> {
  const { program, configure, args } = SERVERS[name] as Server;
  const folder = join(scratch, name);
  mkdirSync(folder);
  const port = await findFreePort();
  const configuration = join(folder, 'server.conf');
  writeFileSync(configuration, configure(port, folder));
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args(configuration, folder), { stdio: ['ignore', 'ignore', 'ignore'], env });
  const origin = `http://127.0.0.1:${port}`;
  try {
    await expect
      .poll(() =>
        fetch(`${origin}/up`).then(
          () => true,
          () => child.exitCode,
        ),
      )
      .toBe(true);
    await work(origin);
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  return { log: join(folder, 'access.log'), origin };
}

/** Crawls with the client: links are followed as far as robots.txt allows. */
async function crawlPolitely(origin: string): Promise<number> {
  const userAgent = 'PoliteBot/1.0 (+https://polite.example/bot)';
  const client = new RobotsClient({ agent: 'PoliteBot', userAgent, allowPrivateAddresses: true });
  const fetchAllowed = createRobotsFetch(client);
  const waiting = [`${origin}/`];
  const seen = new Set(waiting);
  let refused = 0;
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    try {
      const response = await fetchAllowed(url, { headers: { 'user-agent': userAgent } });
      for (const [, href = ''] of (await response.text()).matchAll(/href="([^"]+)"/g)) {
        const next = new URL(href, url).href;
        if (!seen.has(next)) waiting.push(next);
        seen.add(next);
      }
    } catch (error) {
      if (!(error instanceof ForbiddenUrlError)) throw error;
      refused++;
    }
  }
  return refused;
}

const hasWget = spawnSync('wget', ['--version']).status === 0;

describe('the logs of real servers', () => {
  writeSite();

  for (const [name, { program }] of Object.entries(SERVERS))
    test.skipIf(!hasWget || !existsSync(program))(
      `${name}: the client obeys, and wget without robots.txt breaks exactly the rules that it broke (skipped without ${program} and wget)`,
      async () => {
        let refused = 0;
        const { log, origin } = await withServer(name, async (address) => {
          refused = await crawlPolitely(address);
          const out = join(scratch, `${name}-wget`);
          const args = ['-q', '-r', '-l', '5', '-e', 'robots=off', '-P', out, `${address}/`];
          await promisify(execFile)('wget', args).catch(() => {});
        });
        expect(refused).toBe(6);
        const robots = join(scratch, 'robots.txt');
        writeFileSync(robots, ROBOTS);
        const { stdout, stderr } = await runHere([
          'logs',
          log,
          '--site',
          origin,
          '--robots',
          robots,
          '--json',
        ]);
        expect(stderr, readFileSync(log, 'utf8')).toBe('');
        const { crawlers, lines } = JSON.parse(stdout) as LogSummary;
        expect(lines.unparsed).toBe(0);
        const find = (crawler: string) => crawlers.find((each) => each.crawler === crawler);
        expect(find('PoliteBot')).toMatchObject({
          requests: 12,
          robotsTxt: { fetches: 1, statuses: { 200: 1 } },
          classes: { 'robots-txt': 1, allowed: 11, grace: 0, violation: 0 },
        });
        expect(find('Wget')?.classes).toMatchObject({ allowed: 11, violation: 6 });
        expect(
          find('Wget')
            ?.violations.map(({ url }) => url.slice(origin.length))
            .sort(),
        ).toEqual(PATHS.filter((path) => path.startsWith('/private/') || path.includes('?')).sort());
      },
    );
});
