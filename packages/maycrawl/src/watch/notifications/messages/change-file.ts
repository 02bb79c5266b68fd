/**
 * Changing a file that several processes of a machine change: all of it or nothing, and no change is lost.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DeliveryError } from '../delivery/receipt.ts';

/**
 * A lock that is older, or dated so far in the future, was left behind by a process that has ended: a change takes milliseconds.
 */
const STALE_AFTER = 30_000;
const PAUSE = 10;

/**
 * Changes a file under a lock, which is a file beside it.
 *
 * @param maxBytes - a larger file is not read.
 * @param signal - ends waiting for the lock.
 * @param change - gets what is in the file, `undefined` if there is none, and returns what is to be in it, `undefined` for no change.
 */
export async function changeFile(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
  change: (before: string | undefined) => string | undefined,
): Promise<void> {
  // A link stays one, and what it leads to is written.
  const target = await realpath(path).catch(() => path);
  const lock = `${target}.lock`;
  await takeLock(lock, signal);
  const unfinished = `${target}.${process.pid}.tmp`;
  try {
    const found = await stat(target).catch(unlessMissing);
    // A pipe without a writer would be read for ever.
    if (found !== undefined && !found.isFile() && !found.isDirectory())
      throw new DeliveryError('feed', 'the path names something that is not a file');
    if (found !== undefined && found.size > maxBytes)
      throw new DeliveryError('feed', `the file has more than ${maxBytes} bytes: move it away`);
    const after = change(found && (await readFile(target, 'utf8')));
    if (after === undefined) return;
    // On the disk before it takes the other's place: else a crash could leave an empty file.
    await writeFile(unfinished, after, { flush: true, ...(found && { mode: found.mode }) });
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { force: true });
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
  const held = await stat(lock).catch(unlessMissing);
  if (held === undefined) return false;
  const age = Date.now() - held.mtimeMs;
  if (age >= -STALE_AFTER) return age > STALE_AFTER;
  // The clock was set back since then, or that of a file server is ahead: only its own time tells.
  const probe = `${lock}.${randomUUID()}`;
  await writeFile(probe, '');
  const { mtimeMs: now } = await stat(probe);
  await rm(probe, { force: true });
  return held.mtimeMs - now > STALE_AFTER;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
