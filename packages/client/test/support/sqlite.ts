import { loadSqlite } from '../../src/database/drivers.ts';

/** The driver for SQLite, with which tests damage files and look into them. */
export const Sqlite = await loadSqlite();
