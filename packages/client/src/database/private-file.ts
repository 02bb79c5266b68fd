// Files and folders that other users of the machine must not read.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What SQLite writes beside a database, by the end of its name. */
const SQLITE_SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;
const OTHERS = 0o007;

/** The header of a SQLite database: what it begins with, its length, and where its application id is (SQLite, Database File Format 1.3). */
const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const APPLICATION_ID_AT = 68;

/** Creates a folder for its owner alone (mode 0700), as {@link makeFolder} does. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/**
 * Creates a folder, and in the same way those that it is in. A folder that exists keeps its mode. (The option `recursive` of `mkdirSync`
 * never ends below /proc.)
 *
 * @param mode - its rights, less those that the process masks (default: all).
 * @throws what the system throws.
 */
export function makeFolder(path: string, mode: number = 0o777): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Prepares the file of a SQLite database before SQLite opens it. A new file is for its owner alone (mode 0600), and SQLite gives the
 * same mode to the files beside it. Of databases that exist, others lose their rights; those of the group stay, which an administrator
 * may have given. A file that is no database keeps its mode: its name was given by mistake, and others may need it.
 *
 * @param applicationId - of the databases in question; those with another keep their mode too. Any if it is omitted.
 * @throws what the system throws, if the file cannot be created.
 */
export function makePrivateDatabase(path: string, applicationId?: number): void {
  if (path === ':memory:' || path === '') return;
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  if (!isDatabase(path, applicationId)) return;
  for (const suffix of SQLITE_SUFFIXES) removeRightsOfOthers(`${path}${suffix}`);
}

/** Whether a file is empty, or a database of that application. */
function isDatabase(path: string, applicationId: number | undefined): boolean {
  // Opening a pipe would wait for its writer.
  if (!statSync(path).isFile()) return false;
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) === 0) return true;
  } finally {
    closeSync(file);
  }
  if (!header.toString('latin1').startsWith(MAGIC)) return false;
  return applicationId === undefined || header.readUInt32BE(APPLICATION_ID_AT) === applicationId;
}

function removeRightsOfOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || (found.mode & OTHERS) === 0) return;
  // The owner of a file decides its mode. To open it is not a reason to fail for another user.
  if (process.getuid !== undefined && ![0, found.uid].includes(process.getuid())) return;
  chmodSync(path, found.mode & 0o7777 & ~OTHERS);
}
