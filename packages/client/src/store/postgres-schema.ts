/**
 * The tables of a store in a PostgreSQL database.
 *
 * @module
 */
import type { Schema } from '../database/migrate.ts';

/** All tables are in a schema of their own. */
export const SCHEMA = 'maycrawl';

/** SQL: the start of an origin that the index has. @param origin - SQL of the origin. */
export function getOriginStart(origin: string): string {
  return `substring(${origin} FROM 1 FOR 200)`;
}

/** The rows of `totals`. Two connections whose process ids have the same remainder wait for each other. */
const SHARDS = 64;

/** SQL: after each statement, the rows before or after it are added to the totals or subtracted from them. */
function createTrigger(name: string, event: string, rows: 'OLD' | 'NEW', sign: 1 | -1): string {
  return `CREATE TRIGGER origins_${name} AFTER ${event} ON ${SCHEMA}.origins REFERENCING ${rows} TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.add_to_totals('${sign}');`;
}

/**
 * The name of an origin is stored as bytes: the order of a text depends on the database's locale. It can exceed the size limit of an
 * index, which therefore has its start ({@link getOriginStart}).
 *
 * `totals` has the sums of `origins`, which triggers update: to count a million rows takes a second. All writers would wait for one row
 * of sums, so each connection adds to the row of its server process. The free space of each page is for the versions of its rows that are
 * no longer visible.
 */
export const POSTGRES_STORE: Schema = {
  component: 'robots-store',
  namespace: SCHEMA,
  migrations: [
    {
      name: 'origins, events, leases and totals',
      script: `CREATE TABLE ${SCHEMA}.origins (
     key BYTEA PRIMARY KEY, origin BYTEA NOT NULL, answer TEXT, outage TEXT, body BYTEA,
     version BIGINT NOT NULL, used_at BIGINT NOT NULL, bytes INTEGER NOT NULL
   );
   CREATE INDEX origins_by_name ON ${SCHEMA}.origins (${getOriginStart('origin')});
   CREATE INDEX good_origins_by_use ON ${SCHEMA}.origins (used_at) WHERE outage IS NULL;
   CREATE INDEX failing_origins_by_use ON ${SCHEMA}.origins (used_at) WHERE outage IS NOT NULL;
   CREATE TABLE ${SCHEMA}.events (
     id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key BYTEA NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, status INTEGER, code TEXT, hash TEXT, bytes INTEGER NOT NULL
   );
   CREATE INDEX events_by_key ON ${SCHEMA}.events (key, id);
   CREATE TABLE ${SCHEMA}.leases (key BYTEA PRIMARY KEY, owner TEXT NOT NULL, until BIGINT NOT NULL);
   CREATE TABLE ${SCHEMA}.totals (
     shard INTEGER PRIMARY KEY, origins BIGINT NOT NULL, bytes BIGINT NOT NULL,
     failing_origins BIGINT NOT NULL, failing_bytes BIGINT NOT NULL
   ) WITH (fillfactor = 10);
   INSERT INTO ${SCHEMA}.totals SELECT shard, 0, 0, 0, 0 FROM generate_series(0, ${SHARDS - 1}) AS shard;
   CREATE FUNCTION ${SCHEMA}.add_to_totals() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE ${SCHEMA}.totals SET
       origins = totals.origins + TG_ARGV[0]::integer * change.origins,
       bytes = totals.bytes + TG_ARGV[0]::integer * change.bytes,
       failing_origins = totals.failing_origins + TG_ARGV[0]::integer * change.failing_origins,
       failing_bytes = totals.failing_bytes + TG_ARGV[0]::integer * change.failing_bytes
     FROM (
       SELECT count(*) AS origins, sum(bytes) AS bytes, count(outage) AS failing_origins,
         coalesce(sum(bytes) FILTER (WHERE outage IS NOT NULL), 0) AS failing_bytes
       FROM changed
     ) AS change
     WHERE shard = pg_backend_pid() % ${SHARDS} AND change.origins > 0;
     RETURN NULL;
   END $$;
   ${createTrigger('added', 'INSERT', 'NEW', 1)}
   ${createTrigger('removed', 'DELETE', 'OLD', -1)}
   ${createTrigger('replaced', 'UPDATE', 'OLD', -1)}
   ${createTrigger('replacing', 'UPDATE', 'NEW', 1)}`,
    },
  ],
};
