/**
 * `@maycrawl/client/database`: the only way to SQLite and PostgreSQL.
 *
 * @module
 */
export { isPostgresUrl, openDatabase, toSqlDatabase } from './database/connection.ts';
export { DatabaseError, type DatabaseErrorCode } from './database/database-error.ts';
export type { SqlValue } from './database/drivers.ts';
export { getLeaseTime, isLeasedAt, LeaseRenewal } from './database/lease.ts';
export {
  hasTable,
  type Migration,
  migrate,
  requireReadable,
  type Schema,
} from './database/migrate.ts';
export { openPostgres, type PostgresOptions } from './database/postgres.ts';
export { makeFolder, makePrivateFolder } from './database/private-file.ts';
export {
  joinSql,
  rawSql,
  type Sql,
  type SqlConnection,
  type SqlDatabase,
  type SqlPiece,
  sql,
} from './database/sql.ts';
export { openSqlite, type SqliteDatabase, type SqliteOptions } from './database/sqlite.ts';
export { lockFile } from './database/sqlite-lock.ts';
