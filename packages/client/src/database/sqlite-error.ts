// What an error of SQLite means (SQLite, Result and Error Codes).
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseError, type DatabaseErrorCode } from './database-error.ts';

/**
 * With less space than this a file system counts as full. Bytes. To remove rows SQLite first copies the write-ahead log, 4 MiB and one
 * transaction, into the file, and then writes as much to the log again.
 */
const MIN_FREE_BYTES = 8 * 1024 * 1024;

/** Codes of `node:sqlite`: the database was closed, and an integer that no JavaScript number is. */
const [CLOSED, TOO_LARGE] = ['ERR_INVALID_STATE', 'ERR_OUT_OF_RANGE'] as const;
/** Primary result codes. */
const [BUSY, LOCKED, READ_ONLY, IO_ERROR, CORRUPT, FULL, CANNOT_OPEN, NO_DATABASE] = [
  5, 6, 8, 10, 11, 13, 14, 26,
] as const;

/** The primary result code of an error; `undefined` if it has none. */
function getResultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

export function isSqliteError(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return getResultCode(error) !== undefined || code === CLOSED || isTooLarge(error);
}

/** Whether another process or connection was writing. */
export function isSqliteBusy(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === 'database-busy';
  const code = getResultCode(error);
  return code === BUSY || code === LOCKED;
}

/** Describes what SQLite or the file system threw. */
export function toSqliteError(cause: unknown, path: string): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const [code, text] = describe(cause, path);
  const { message } = cause as Error;
  return new DatabaseError(code, text ?? `cannot use ${path}: ${message}`, { cause });
}

/** Whether an integer of a row is larger than a JavaScript number can be. */
export function isTooLarge(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  // @photostructure/sqlite has no code in `all`.
  return code === TOO_LARGE || /too large to be represented as a JavaScript number/.test(String(message));
}

function describe(cause: unknown, path: string): readonly [DatabaseErrorCode, string?] {
  if (isTooLarge(cause)) return ['database-damaged'];
  switch (getResultCode(cause)) {
    case FULL:
      return ['database-full', describeFull(path)];
    case IO_ERROR:
      // SQLite reports so when it cannot enlarge the file of its shared memory.
      return hasSpace(path) ? ['database-unavailable'] : ['database-full', describeFull(path)];
    case READ_ONLY:
      return ['database-read-only', `${path} cannot be written to: ${(cause as Error).message}`];
    case BUSY:
    case LOCKED:
      return ['database-busy'];
    case CORRUPT:
      return ['database-damaged'];
    case NO_DATABASE:
    case CANNOT_OPEN:
      return ['database-unreadable'];
    default:
      return [isSqliteError(cause) ? 'database-unavailable' : 'database-unreadable'];
  }
}

/** Whether there is space on the file system of a file. */
export function hasSpace(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** The message for a file system without space. */
export function describeFull(path: string): string {
  return `no space is left for ${path}; what it has stays, and it can be written to when there is space again`;
}
