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
 * Replaces a file atomically and keeps its mode. Other than regular files are written in place.
 *
 * @throws {CommandError} if it cannot be written. The old file stays then.
 */
export async function writeFileAtomically(path: string, bytes: Uint8Array): Promise<void> {
  let unfinished: string | undefined;
  try {
    // A link stays, and its target is written.
    const target = await realpath(path).catch(() => path);
    const before = await stat(target).catch(() => undefined);
    if (before === undefined ? await isLink(target) : !before.isFile()) {
      await writeFile(target, bytes);
      return;
    }
    const name = `${target}.${randomUUID()}.tmp`;
    // `wx` never opens an existing file. Only this one is removed after a failure.
    await writeFile(name, '', { flag: 'wx' });
    unfinished = name;
    await writeFile(unfinished, bytes);
    // The mask of the process (umask) limits the mode of a new file.
    if (before !== undefined) await chmod(unfinished, before.mode & 0o7777);
    await rename(unfinished, target);
  } catch (cause) {
    if (unfinished !== undefined) await rm(unfinished, { force: true });
    throw new CommandError(`cannot write ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
}

/** Whether a path is a link to no file, or one of a loop. */
async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true;
}
