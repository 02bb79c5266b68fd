// The error of a database that cannot be used.
import { CodedError } from '../coded-error.ts';

/** Why a database cannot be used. */
export type DatabaseErrorCode =
  /** No connection, no file, no driver, or an error that no other code describes. */
  | 'database-unavailable'
  /** The file is no database of this program. */
  | 'database-unreadable'
  /** Another build of this program, such as a later version, created the tables. */
  | 'schema-too-new'
  /** No space is left. What was stored before can still be read. */
  | 'database-full'
  | 'database-read-only'
  /** The file or the tables were deleted or replaced. */
  | 'database-replaced'
  /** The file is damaged. */
  | 'database-damaged'
  /** Another process uses it. */
  | 'database-busy';

/** A database cannot be used. The `code` is stable, the `cause` is what the driver threw. */
export class DatabaseError extends CodedError<DatabaseErrorCode> {
  override readonly name = 'DatabaseError';
}
