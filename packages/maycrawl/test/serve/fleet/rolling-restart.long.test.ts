// Three instances behind nginx, as docs/operations.md describes them, are restarted one after another while clients send requests.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { createTestFolder } from '../../support/folder.ts';
import { BIN, ownCache, ROOT } from '../../support/run.ts';
import { getDecisionPath } from '../../support/service.ts';

const NGINX = '/usr/sbin/nginx';
const SITES = 5;
const CLIENTS = 4;
/** Milliseconds between two requests of a client. */
const PAUSE = 5;
const folder = createTestFolder('fleet');

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  for (const server of servers) server.close();
  return ports;
}

/** The configuration of the document, with other ports. */
function configureNginx(port: number, instances: readonly number[]): string {
  const document = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const documented = /```nginx\n(upstream maycrawl[\s\S]*?)```/.exec(document)?.[1] as string;
  let servers = documented.replace('listen 8080;', `listen 127.0.0.1:${port};`);
  for (const [index, instance] of instances.entries())
    servers = servers.replace(`127.0.0.1:${8081 + index}`, `127.0.0.1:${instance}`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  );
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${folders.join(' ')}
${servers}
}`;
}

/** An instance, which can be restarted. */
class Instance {
  readonly #port: number;
  #process: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async start(): Promise<void> {
    const database = join(folder, 'robots.sqlite');
    const args = [
      '--port',
      String(this.#port),
      '--database',
      database,
      '--allow-private',
      '--drain-time',
      '1s',
    ];
    const proxy = ['--trust-proxy', '127.0.0.1', '--allowed-host', 'maycrawl', '--log-level', 'silent'];
    this.#process = spawn(process.execPath, [BIN, 'serve', ...args, ...proxy], {
      env: ownCache(),
      stdio: 'ignore',
    });
    const isReady = async (): Promise<boolean> => {
      const response = await fetch(`http://127.0.0.1:${this.#port}/readyz`).catch(() => undefined);
      await response?.arrayBuffer();
      return response?.status === 200;
    };
    while (!(await isReady())) await sleep(50);
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** Sends requests, one after another, until it is stopped. */
class Client {
  readonly failures: string[] = [];
  count = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(address: string, paths: readonly string[]) {
    this.#done = this.#run(address, paths);
  }

  async #run(address: string, paths: readonly string[]): Promise<void> {
    while (!this.#isOver) {
      const path = paths[this.count++ % paths.length] as string;
      try {
        const response = await fetch(address + path);
        const text = await response.text();
        if (response.status !== 200 || !text.includes('"allowed":false'))
          this.failures.push(`${response.status} ${text}`);
      } catch (error) {
        this.failures.push(String((error as Error).cause ?? error));
      }
      await sleep(PAUSE);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }
}

test.skipIf(!existsSync(NGINX))(
  'no request fails while instances restart, and each site is fetched once (skipped without /usr/sbin/nginx)',
  { timeout: 180_000 },
  async () => {
    const sites: TestServer[] = [];
    for (let index = 0; index < SITES; index++)
      sites.push(
        await serve(
          (_request, response) => response.end('User-agent: *\nDisallow: /a\n'),
          `127.0.1.${index + 1}`,
        ),
      );
    const [port = 0, ...ports] = await findFreePorts(4);
    writeFileSync(join(folder, 'nginx.conf'), configureNginx(port, ports));
    const instances = ports.map((each) => new Instance(each));
    const nginx = spawn(NGINX, ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
    const clients: Client[] = [];
    try {
      await Promise.all(instances.map((each) => each.start()));
      const paths = sites.map(({ origin }) => getDecisionPath(`${origin}/a`));
      for (let index = 0; index < CLIENTS; index++)
        clients.push(new Client(`http://127.0.0.1:${port}`, paths));
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        for (const instance of signal === 'SIGKILL' ? instances.slice(0, 1) : instances) {
          await instance.stop(signal);
          await instance.start();
        }
      }
      await Promise.all(clients.map((each) => each.stop()));
      expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
      // Enough that all instances were used during each restart.
      expect(clients.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(200);
      expect(sites.map(({ requests }) => requests)).toEqual(sites.map(() => ['/robots.txt']));
    } finally {
      await Promise.all(clients.map((each) => each.stop()));
      await Promise.all(instances.map((each) => each.stop('SIGKILL')));
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
      await Promise.all(sites.map((site) => site.close()));
    }
  },
);
