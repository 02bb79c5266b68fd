/**
 * The tables of a store in a PostgreSQL database.
 *
 * @module
 */
import { hasTable, type Schema } from '../database/migrate.ts';
import { rawSql } from '../database/sql.ts';

/** All tables are in a schema of their own. */
export const SCHEMA = 'maycrawl';
/**
 * The name of an origin is stored as bytes: the order of a text depends on the database's locale. Rows of version 1 have no size: the
 * queries compute it.
 */
export const POSTGRES_STORE: Schema = {
  component: 'robots-store',
  namespace: SCHEMA,
  migrations: [
    {
      name: 'origins, events and leases',
      script: `CREATE TABLE ${SCHEMA}.origins (key BYTEA PRIMARY KEY, origin BYTEA NOT NULL, answer TEXT, outage TEXT, body BYTEA);
   CREATE TABLE ${SCHEMA}.events (
     id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key BYTEA NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, status INTEGER, code TEXT, hash TEXT, bytes INTEGER NOT NULL
   );
   CREATE INDEX events_by_key ON ${SCHEMA}.events (key, id);
   CREATE TABLE ${SCHEMA}.leases (key BYTEA PRIMARY KEY, owner TEXT NOT NULL, until BIGINT NOT NULL);`,
    },
    {
      name: 'versions, sizes and last uses',
      script: `ALTER TABLE ${SCHEMA}.origins
     ADD COLUMN version BIGINT NOT NULL DEFAULT 0,
     ADD COLUMN used_at BIGINT NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
     ADD COLUMN bytes INTEGER;
   CREATE INDEX origins_by_use ON ${SCHEMA}.origins ((outage IS NOT NULL), used_at);
   DELETE FROM ${SCHEMA}.leases;`,
    },
    // Releases before this one read the version there, and refuse the database.
    {
      name: 'versions in the table of migrations',
      script: `CREATE TABLE IF NOT EXISTS ${SCHEMA}.version (version INTEGER NOT NULL);
        DELETE FROM ${SCHEMA}.version;
        INSERT INTO ${SCHEMA}.version VALUES (3)`,
    },
  ],
  getReleasedVersion: async (connection) => {
    if (!(await hasTable(connection, 'version', SCHEMA))) return 0;
    const row = await connection.get<{ version: number }>(rawSql(`select version from ${SCHEMA}.version`));
    return row?.version ?? 0;
  },
};
