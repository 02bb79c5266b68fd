// Writing files.

import { describeFileError } from '../../files/file-error.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { visible } from '../../text/printable.ts';
import { CommandError } from './errors.ts';

/**
 * Replaces a file atomically and keeps its mode. Other than regular files are written in place.
 *
 * @throws {CommandError} if it cannot be written. The old file stays then.
 */
export async function writeFileAtomically(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await replaceFile(path, bytes);
  } catch (cause) {
    throw new CommandError(`cannot write ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
}
