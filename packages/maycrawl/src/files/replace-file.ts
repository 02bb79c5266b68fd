// Replaces files atomically.
import { chmod, lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createTemporaryName } from './temporary-name.ts';

/**
 * Replaces a file, or creates it: it has the old or the new content at each moment. The mode of the old file stays. Other than regular
 * files are written in place.
 *
 * @throws {Error} of the system if it cannot be written. The old file stays then.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  // A link stays, and its target is written.
  const target = await realpath(path).catch(() => path);
  const before = await stat(target).catch(() => undefined);
  if (before === undefined ? await isLink(target) : !before.isFile()) {
    await writeFile(target, content);
    return;
  }
  const unfinished = createTemporaryName(target);
  // `wx` never opens an existing file. Only this one is removed after a failure. Users who may not read the old content must not read the new one.
  const mode = before === undefined ? 0o666 : before.mode & 0o777;
  await writeFile(unfinished, '', { flag: 'wx', mode });
  try {
    // Written to the disk before the rename: else a crash could leave an empty file.
    await writeFile(unfinished, content, { flush: true });
    // The mask of the process (umask) limits the mode of a new file.
    if (before !== undefined) await chmod(unfinished, before.mode & 0o7777);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Whether a path is a link to no file, or one of a loop. */
async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true;
}
