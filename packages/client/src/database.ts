/**
 * `@maycrawl/client/database`: the optional drivers of SQLite and PostgreSQL, and files that only their owner can read.
 *
 * @module
 */
export { loadBetterSqlite, loadPostgres } from './store/optional-drivers.ts';
export { makePrivateDatabase } from './store/private-file.ts';
