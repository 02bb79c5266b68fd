/**
 * Writing files.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { chmod, lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { visible } from '../../text/printable.ts';
import { CommandError, describeFileError } from './errors.ts';

/**
 * Writes all of a file or nothing; to what is no regular file it is just written. A file that is replaced keeps its mode.
 *
 * @throws {CommandError} if it cannot be written; then what was there stays.
 */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  let unfinished: string | undefined;
  try {
    // A link stays one, and what it leads to is written.
    const target = await realpath(path).catch(() => path);
    const before = await stat(target).catch(() => undefined);
    if (before === undefined ? await isLink(target) : !before.isFile()) {
      await writeFile(target, bytes);
      return;
    }
    const name = `${target}.${randomUUID()}.tmp`;
    // A new file, never one that was put there. Only this one is removed if something fails.
    await writeFile(name, '', { flag: 'wx' });
    unfinished = name;
    await writeFile(unfinished, bytes);
    // The mode of a new file would lose what the process's mask (umask) forbids.
    if (before !== undefined) await chmod(unfinished, before.mode & 0o7777);
    await rename(unfinished, target);
  } catch (cause) {
    if (unfinished !== undefined) await rm(unfinished, { force: true });
    throw new CommandError(`cannot write ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
}

/** Whether there is a link that leads nowhere, or in a circle. */
async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true;
}
