// What an error of PostgreSQL means (PostgreSQL, appendix A: Error Codes).
import { DatabaseError, type DatabaseErrorCode } from './database-error.ts';

/** Transactions that the server gave up because of others: the same transaction may succeed later. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

const CODES: ReadonlyMap<string, readonly [DatabaseErrorCode, string]> = new Map([
  [
    '53100',
    [
      'database-full',
      'no space is left for the database; what it has stays, and it can be written to when there is space',
    ],
  ],
  ['25006', ['database-read-only', 'the database cannot be written to']],
  ['42P01', ['database-replaced', 'the tables are gone; restart the program']],
  ['3F000', ['database-replaced', 'the schema is gone; restart the program']],
  ['3D000', ['database-replaced', 'the database is gone']],
]);

/** Messages of `pg` about its deadline for a connection. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated due to connection timeout',
]);
/** Messages of `pg` about its deadlines. */
const LATE: ReadonlySet<string> = new Set([...NOT_CONNECTED, 'Query read timeout']);

function getCode(error: unknown): string {
  return (error as { readonly code?: string } | undefined)?.code ?? '';
}

/** Whether a transaction failed only because of others at the same time. */
export function isPostgresConflict(error: unknown): boolean {
  return error instanceof DatabaseError && CONFLICTS.has(getCode(error.cause));
}

/** Whether there was no connection in time. Nothing was executed. */
export function isConnectTimeout(error: unknown): boolean {
  return (
    error instanceof DatabaseError && NOT_CONNECTED.has((error.cause as Error | undefined)?.message ?? '')
  );
}

/** Describes what the driver threw. The URL of a database may contain a password; a message of the driver does not. */
export function toPostgresError(cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const [code, text] = CODES.get(getCode(cause)) ?? ['database-unavailable', 'cannot use the database'];
  const { message } = cause as { readonly message?: string };
  if (message !== undefined && LATE.has(message))
    return new DatabaseError('database-unavailable', 'the database did not respond in time', { cause });
  // A failed connection to a name with several addresses has no message.
  return new DatabaseError(code, `${text}: ${message || getCode(cause) || String(cause)}`, { cause });
}
