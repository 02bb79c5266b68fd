/**
 * The error of a store that cannot be used.
 *
 * @module
 */
import { CodedError } from '../coded-error.ts';
import { DatabaseError, type DatabaseErrorCode } from '../database/database-error.ts';

/** Why a store cannot be used. */
export type StoreErrorCode =
  | 'store-unavailable'
  | 'store-from-the-future'
  | 'store-unreadable'
  /** No space is left. What was stored before can still be read. */
  | 'store-full'
  | 'store-read-only'
  /** The file was deleted, or another one is in its place. */
  | 'store-replaced';

/** A store cannot be used. The `code` is stable, the `cause` is what was thrown. */
export class StoreError extends CodedError<StoreErrorCode> {
  override readonly name = 'StoreError';
}

const CODES: Readonly<Record<DatabaseErrorCode, StoreErrorCode>> = {
  'database-unavailable': 'store-unavailable',
  'database-unreadable': 'store-unreadable',
  'schema-too-new': 'store-from-the-future',
  'database-full': 'store-full',
  'database-read-only': 'store-read-only',
  'database-replaced': 'store-replaced',
  'database-damaged': 'store-unavailable',
  'database-busy': 'store-unavailable',
};

/** Converts a database error to a store error. Returns other errors unchanged. */
export function toStoreError(cause: unknown): unknown {
  if (!(cause instanceof DatabaseError)) return cause;
  return new StoreError(CODES[cause.code], cause.message, { cause });
}
