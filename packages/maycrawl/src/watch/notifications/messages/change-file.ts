// Atomic changes of a file that several processes of a machine change, under a lock.
import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { replaceFile } from '../../../files/replace-file.ts';
import { DeliveryError } from '../delivery/receipt.ts';

/**
 * The age of a lock, in milliseconds, after which its process has ended: a change takes milliseconds. Also for times in the future.
 */
const STALE_AFTER = 30_000;
const PAUSE = 10;

/**
 * Changes a file under a lock, which is a file beside it.
 *
 * @param maxBytes - a larger file is not read.
 * @param signal - aborts waiting for the lock.
 * @param change - receives the content, `undefined` without a file, and returns the new content, `undefined` for no change.
 */
export async function changeFile(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
  change: (before: string | undefined) => string | undefined,
): Promise<void> {
  // All names of a file have the same lock.
  const target = await realpath(path).catch(() => path);
  const lock = `${target}.lock`;
  await takeLock(lock, signal);
  try {
    const found = await stat(target).catch(unlessMissing);
    // A read from a pipe without a writer would not end.
    if (found !== undefined && !found.isFile() && !found.isDirectory())
      throw new DeliveryError('feed', 'the path names something that is not a file');
    if (found !== undefined && found.size > maxBytes)
      throw new DeliveryError('feed', `the file has more than ${maxBytes} bytes: move it`);
    const after = change(found && (await readFile(target, 'utf8')));
    if (after !== undefined) await replaceFile(target, after);
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await (await open(lock, 'wx')).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isStale(lock)) await rm(lock, { force: true });
    else await pause(PAUSE, undefined, { signal });
  }
}

async function isStale(lock: string): Promise<boolean> {
  const current = await stat(lock).catch(unlessMissing);
  if (current === undefined) return false;
  const age = Date.now() - current.mtimeMs;
  if (age >= -STALE_AFTER) return age > STALE_AFTER;
  // The clock was set back since then, or the clock of a file server is ahead: compare with the server's own time.
  const probe = `${lock}.${randomUUID()}`;
  await writeFile(probe, '');
  const { mtimeMs: now } = await stat(probe);
  await rm(probe, { force: true });
  return current.mtimeMs - now > STALE_AFTER;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
