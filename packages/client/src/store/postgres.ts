// A store in a PostgreSQL database, which the machines of a fleet share.
import { migrate, type Schema } from '../database/migrate.ts';
import { openPostgres } from '../database/postgres.ts';
import { rawSql, type SqlConnection, sql } from '../database/sql.ts';
import { checkStoreOptions, POSTGRES_LIMITS, resolveLimits, type StoreOptions } from './limits.ts';
import { getTables, type StoreDialect, type StoreTables } from './sql-dialect.ts';
import { SqlStore } from './sql-store.ts';
import type { FullStore } from './store.ts';

/** All tables are in a schema of their own. */
const NAMESPACE = 'maycrawl';
/** The advisory lock of the process that evicts. */
const EVICTION_LOCK = 0x6d61797a;
/** The first key of the advisory locks of entries; the second is a part of the key of the entry. */
const ENTRY_LOCKS = 0x6d617965;
/** The rows of `totals`. Two connections whose process ids have the same remainder wait for each other. */
const SHARDS = 64;

/** SQL: after each statement, the rows before or after it are added to the totals or subtracted from them. */
function createTrigger(name: string, event: string, rows: 'OLD' | 'NEW', sign: 1 | -1): string {
  return `CREATE TRIGGER origins_${name} AFTER ${event} ON ${NAMESPACE}.origins REFERENCING ${rows} TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION ${NAMESPACE}.add_to_totals('${sign}');`;
}

/**
 * Size and last use are in a table of their own, as in SQLite. The name of an origin has the order of its bytes, whatever the locale of the
 * database. It can exceed the size limit of an index, which therefore has its start.
 *
 * Leases are not logged: to take one does not wait for the disk. After a server has broken down there are none, which costs at most one
 * more request for each.
 *
 * `totals` has the sums of `origins`, which triggers update: to count a million rows takes a second. All writers would wait for one row
 * of sums, so each connection adds to the row of its server process. The free space of each page is for the versions of its rows that are
 * no longer visible.
 */
const SCHEMA: Schema = {
  component: 'robots-store',
  namespace: NAMESPACE,
  migrations: [
    {
      name: 'origins, histories, leases and totals',
      script: `CREATE TABLE ${NAMESPACE}.origins (
     key BYTEA PRIMARY KEY, origin TEXT COLLATE "C" NOT NULL, is_failing INTEGER NOT NULL, used_at BIGINT NOT NULL, bytes BIGINT NOT NULL
   );
   CREATE INDEX origins_by_name ON ${NAMESPACE}.origins (substr(origin, 1, 200));
   CREATE INDEX origins_by_use ON ${NAMESPACE}.origins (is_failing, used_at);
   CREATE TABLE ${NAMESPACE}.histories (
     key BYTEA PRIMARY KEY, response TEXT, outage TEXT, body BYTEA, events TEXT NOT NULL
   );
   CREATE UNLOGGED TABLE ${NAMESPACE}.leases (key BYTEA PRIMARY KEY, owner TEXT NOT NULL, until BIGINT NOT NULL);
   CREATE TABLE ${NAMESPACE}.totals (
     shard INTEGER PRIMARY KEY, origins BIGINT NOT NULL, bytes BIGINT NOT NULL,
     failing_origins BIGINT NOT NULL, failing_bytes BIGINT NOT NULL
   ) WITH (fillfactor = 10);
   INSERT INTO ${NAMESPACE}.totals SELECT shard, 0, 0, 0, 0 FROM generate_series(0, ${SHARDS - 1}) AS shard;
   CREATE FUNCTION ${NAMESPACE}.add_to_totals() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE ${NAMESPACE}.totals SET
       origins = totals.origins + TG_ARGV[0]::integer * change.origins,
       bytes = totals.bytes + TG_ARGV[0]::integer * change.bytes,
       failing_origins = totals.failing_origins + TG_ARGV[0]::integer * change.failing_origins,
       failing_bytes = totals.failing_bytes + TG_ARGV[0]::integer * change.failing_bytes
     FROM (
       SELECT count(*) AS origins, sum(bytes) AS bytes, sum(is_failing) AS failing_origins,
         sum(is_failing * bytes) AS failing_bytes
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

/** See open-store.ts. */
export async function openPostgresStore(url: string, options: StoreOptions = {}): Promise<FullStore> {
  checkStoreOptions('openPostgresStore', options);
  const limits = resolveLimits(options, POSTGRES_LIMITS);
  const database = await openPostgres(url, { applicationName: 'maycrawl' });
  try {
    await migrate(database, SCHEMA);
    return new SqlStore(database, new PostgresDialect(), limits, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The server cares for the space, and reports what is wrong with the database. */
class PostgresDialect implements StoreDialect {
  readonly schema: Schema = SCHEMA;
  readonly tables: StoreTables = getTables(NAMESPACE);

  async lockEntry(transaction: SqlConnection, key: Buffer): Promise<void> {
    await transaction.get(sql`select pg_advisory_xact_lock(${ENTRY_LOCKS}, ${key.readInt32BE()})`);
  }

  async lockEviction(transaction: SqlConnection, waits: boolean): Promise<boolean> {
    const call = rawSql(
      waits
        ? `pg_advisory_xact_lock(${EVICTION_LOCK}) is not null`
        : `pg_try_advisory_xact_lock(${EVICTION_LOCK})`,
    );
    const row = await transaction.get<{ isMine: boolean }>(sql`select ${call} as "isMine"`);
    return row?.isMine === true;
  }

  check(): void {}

  requireSpace(): void {}

  async makeSpace(): Promise<void> {}

  async returnSpace(): Promise<void> {}
}
