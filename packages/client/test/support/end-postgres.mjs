// Ends a PostgreSQL server, and deletes its folder, when the process at the other end of standard input has ended, in whatever way.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const [pid, folder] = process.argv.slice(2);

for await (const _ of process.stdin);
try {
  process.kill(Number(pid), 'SIGQUIT');
} catch {
  // The server has ended.
}
for (let tries = 0; tries < 100 && existsSync(join(folder, 'data', 'postmaster.pid')); tries++)
  await setTimeout(50);
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
