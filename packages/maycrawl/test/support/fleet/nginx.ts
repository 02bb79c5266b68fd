// nginx in front of instances of the service, with the configuration that docs/operations.md has.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../run.ts';
import { findChildren } from './processes.ts';

const NGINX = '/usr/sbin/nginx';

/** Whether tests can start nginx: Debian's package nginx-light. */
export const HAS_NGINX: boolean = existsSync(NGINX);

/** Finds ports of loopback that no program uses. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  for (const server of servers) server.close();
  return ports;
}

/** The block of nginx configuration in the document that begins with a text. */
function readBlock(document: string, beginning: string): string {
  const block = document.split('```nginx\n').find((each) => each.startsWith(beginning));
  if (block === undefined) throw new Error(`docs/operations.md has no block ${beginning}`);
  return block.slice(0, block.indexOf('```'));
}

/** The configuration of the document, with other ports. */
function configureNginx(folder: string, port: number, instances: readonly number[]): string {
  const document = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  let servers = readBlock(document, 'upstream maycrawl').replace('listen 8080;', `listen 127.0.0.1:${port};`);
  for (const [index, instance] of instances.entries())
    servers = servers.replace(`127.0.0.1:${8081 + index}`, `127.0.0.1:${instance}`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  );
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
${process.getuid?.() === 0 ? 'user root;' : ''}
${readBlock(document, 'events')}
http { access_log off; ${folders.join(' ')}
${servers}
}`;
}

/** An nginx on loopback, which can be killed and started again. */
export class Nginx {
  readonly #configuration: string;
  #process: ChildProcess | undefined;

  constructor(folder: string, port: number, instances: readonly number[]) {
    this.#configuration = join(folder, 'nginx.conf');
    writeFileSync(this.#configuration, configureNginx(folder, port, instances));
  }

  /** The master process. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    this.#process = spawn(NGINX, ['-e', 'stderr', '-c', this.#configuration], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Kills the master process and its workers, which would continue without it. */
  async kill(): Promise<void> {
    const workers = findChildren(this.#process?.pid);
    await this.#end('SIGKILL');
    for (const pid of workers) process.kill(pid, 'SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
