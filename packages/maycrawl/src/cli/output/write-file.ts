/**
 * Writing files.
 *
 * @module
 */
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { CommandError, describeFileError } from './errors.ts';
import { visible } from './terminal.ts';

/**
 * Writes all of a file or nothing; to what is no regular file it is just written.
 *
 * @throws {CommandError} if it cannot be written; then what was there stays.
 */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  let unfinished: string | undefined;
  try {
    // A link stays one, and what it leads to is written.
    const target = await realpath(path).catch(() => path);
    const before = await stat(target).catch(() => undefined);
    if (before !== undefined && !before.isFile()) {
      await writeFile(target, bytes);
      return;
    }
    unfinished = `${target}.${process.pid}.tmp`;
    await writeFile(unfinished, bytes, before && { mode: before.mode });
    await rename(unfinished, target);
  } catch (cause) {
    if (unfinished !== undefined) await rm(unfinished, { force: true });
    throw new CommandError(`cannot write ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
}
