// Ends a PostgreSQL server, and deletes its folder, when the process at the other end of standard input has ended, in whatever way.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const [folder] = process.argv.slice(2);
const pidFile = join(folder, 'data', 'postmaster.pid');

for await (const _ of process.stdin);
try {
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT');
} catch {
  // The server has not started, or has ended.
}
for (let tries = 0; tries < 100 && existsSync(pidFile); tries++) await setTimeout(50);
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
