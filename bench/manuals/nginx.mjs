// Serves a folder with nginx on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts nginx.
 *
 * @param scratch - a folder for its files, and for those that `rules` name.
 * @param core - the processor that it runs on.
 * @param rules - further lines for the server block.
 * @returns its origin, and a function that stops it.
 */
export async function serveFolder(folder, { scratch, core = '0', port, rules = '' }) {
  port ??= await findFreePort();
  const configuration = join(scratch, `nginx-${port}.conf`);
  writeFileSync(
    configuration,
    `daemon off; worker_processes 1; pid ${scratch}/nginx-${port}.pid; error_log stderr crit;
     events {}
     http {
       include /etc/nginx/mime.types; access_log off; keepalive_requests 100000;
       ${TEMPORARY.map((name) => `${name}_temp_path ${scratch};`).join(' ')}
       server { listen 127.0.0.1:${port}; root ${folder}; absolute_redirect off; ${rules} }
     }`,
  );
  const child = spawn('taskset', ['-c', core, 'nginx', '-e', 'stderr', '-c', configuration], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () => fetch(origin, { redirect: 'manual' }).then(Boolean, () => false);
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { origin, stop: () => child.kill('SIGQUIT') };
}
