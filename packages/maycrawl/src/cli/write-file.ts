/**
 * Writing files.
 *
 * @module
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { CommandError, describeFileError } from './errors.ts';
import { visible } from './terminal.ts';

/**
 * Writes all of a file or nothing.
 *
 * @throws {CommandError} if it cannot be written; then what was there stays.
 */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new CommandError(`cannot write ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
}
