import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite.ts';

/** How often the process is killed; the soak run does it more often. */
const CRASHES = Number(process.env['CRASHES'] ?? 2);

test('a process that is killed while it writes loses nothing that was acknowledged, and locks no other process out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-crash-'));
  const path = join(folder, 'cache.sqlite');
  const script = new URL('../support/writing-process.mjs', import.meta.url);
  let acknowledged = 0;
  for (let crash = 0; crash < CRASHES; crash++) {
    const child = fork(script, [path, String(acknowledged + 1)], { execArgv: [] });
    const enough = acknowledged + 20 + ((crash * 37) % 200);
    child.on('message', (number: number) => {
      acknowledged = number;
      // In the midst of the next writes, at no particular place.
      if (number === enough) child.kill('SIGKILL');
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');

    const store = await openSqliteStore(path);
    for (let number = 1; number <= acknowledged; number++) {
      const history = await store.get(`http://${number}.example`);
      expect(Buffer.from(history?.response?.bytes ?? []).toString()).toBe(
        `# ${number}\n`.repeat(1 + (number % 200)),
      );
    }
    const failing = await store.get('http://failing.example');
    expect(failing?.outage?.failures).toBeGreaterThanOrEqual(acknowledged);
    // The lease of the process that was killed expires by itself.
    await expect.poll(() => store.lease('http://leased.example', 'next', 1)).toBe(true);
    await store.release('http://leased.example', 'next');
    await store.close();
  }
  rmSync(folder, { recursive: true });
  expect(acknowledged).toBeGreaterThan(CRASHES * 20);
}, 600_000);
