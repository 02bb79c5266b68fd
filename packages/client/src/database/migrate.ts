// The migrator: numbered migrations, recorded in one table, under one lock. Each component of the program (a store, the monitor, audits) has migrations of its own; several may share a database.
import { DatabaseError } from './database-error.ts';
import { rawSql, type Sql, type SqlConnection, type SqlDatabase, sql } from './sql.ts';

/** One step from a version of the tables to the next. */
export interface Migration {
  readonly name: string;
  readonly script: string;
}

/**
 * The tables of one component. The version of the tables is the number of the last migration. The names of migrations show whether tables are
 * of another build.
 */
export interface Schema {
  readonly component: string;
  readonly migrations: readonly Migration[];
  /**
   * The PostgreSQL schema that the tables are in.
   *
   * @defaultValue the one of `search_path` that has them, else its first one
   */
  readonly namespace?: string;
}

const TABLE = 'maycrawl_migrations';
/** One process at a time migrates a PostgreSQL database: the key of an advisory lock. */
const LOCK = 0x6d617963;

/**
 * Brings the tables of a component to the newest version, in one transaction: if a migration fails, none of them has an effect.
 *
 * @param now - milliseconds since 1970. @defaultValue the current time
 * @throws {DatabaseError} `schema-too-new` if another build created the tables, and the error of a migration.
 */
export async function migrate(
  database: SqlDatabase,
  described: Schema,
  now: number = Date.now(),
): Promise<void> {
  // A role that may use the tables need not be one that may create them.
  if ((await requireReadable(database, described)) === described.migrations.length) return;
  await database.transaction(async (transaction) => {
    await lock(transaction);
    const schema = await locate(transaction, described);
    const version = await requireReadable(transaction, schema);
    await createTable(transaction, schema);
    // The scripts of a component without a namespace create tables beside those that it has.
    if (schema !== described)
      await transaction.get(
        sql`select set_config('search_path', ${quote(schema.namespace as string)}, true)`,
      );
    for (const [index, { name, script }] of schema.migrations.entries()) {
      if (index < version) continue;
      await transaction.exec(script);
      await transaction.run(
        sql`insert into ${tableOf(schema)} (component, number, name, applied_at)
            values (${schema.component}, ${index + 1}, ${name}, ${now})`,
      );
    }
  });
}

/**
 * Checks that the tables are those of this program, of this version or of an earlier one.
 *
 * @throws {DatabaseError} `schema-too-new` if they are not.
 * @returns the version; 0 if there are no tables.
 */
export async function requireReadable(connection: SqlConnection, described: Schema): Promise<number> {
  const schema = await locate(connection, described);
  if (!(await hasTable(connection, TABLE, schema.namespace))) return 0;
  for (let version = 0; ; version++) {
    const row = await connection.get<{ readonly name: string }>(
      sql`select name from ${tableOf(schema)} where component = ${schema.component} and number = ${version + 1}`,
    );
    if (row === undefined) return version;
    if (row.name !== schema.migrations[version]?.name)
      throw new DatabaseError(
        'schema-too-new',
        'the database was written by another build of maycrawl; update maycrawl, or use another database',
      );
  }
}

/** Whether the tables are there, of the newest version, and can be written to. @throws {DatabaseError} if they cannot. */
export async function checkWritable(connection: SqlConnection, schema: Schema): Promise<boolean> {
  const number = schema.migrations.length;
  const changed = await connection.run(
    sql`update ${tableOf(schema)} set number = number where component = ${schema.component} and number = ${number}`,
  );
  return changed === 1;
}

/** Whether a table exists. @param namespace - the PostgreSQL schema. @defaultValue those of `search_path` */
export async function hasTable(
  connection: SqlConnection,
  name: string,
  namespace?: string,
): Promise<boolean> {
  // Not to_regclass, which may read a cache from before another process created the table.
  const query =
    connection.kind === 'sqlite'
      ? sql`select 1 as found from sqlite_schema where type = 'table' and name = ${name}`
      : sql`select 1 as found from pg_catalog.pg_tables where tablename = ${name}
            and schemaname = any(${namespace === undefined ? rawSql('current_schemas(false)') : sql`array[${namespace}]`})`;
  return (await connection.get(query)) !== undefined;
}

/**
 * Finds the tables of a component whose namespace is not given. They need not be in the first schema of `search_path`: its default begins
 * with the schema that has the name of the role, so tables of the role `maycrawl` were in `public` until a store created the schema
 * `maycrawl`.
 */
async function locate(connection: SqlConnection, schema: Schema): Promise<Schema> {
  if (connection.kind === 'sqlite' || schema.namespace !== undefined) return schema;
  const namespaces = await connection.all<{ readonly namespace: string }>(
    sql`select schemaname as namespace from pg_catalog.pg_tables
        where tablename = ${TABLE} and schemaname = any(current_schemas(false))
        order by array_position(current_schemas(false), schemaname)`,
  );
  for (const { namespace } of namespaces) {
    const located = { ...schema, namespace };
    const found = await connection.get(
      sql`select 1 as found from ${tableOf(located)} where component = ${schema.component}`,
    );
    if (found !== undefined) return located;
  }
  return schema;
}

async function lock(transaction: SqlConnection): Promise<void> {
  // In SQLite a transaction is alone.
  if (transaction.kind === 'sqlite') return;
  await transaction.get(sql`select pg_advisory_xact_lock(${LOCK})`);
  // A large table takes longer than a statement of every day may.
  await transaction.exec('set local statement_timeout = 0');
}

async function createTable(transaction: SqlConnection, schema: Schema): Promise<void> {
  const { namespace } = schema;
  if (transaction.kind === 'postgres' && namespace !== undefined) {
    // An administrator may have created the schema for a role that must not create any.
    const found = await transaction.get(
      sql`select 1 as found from pg_catalog.pg_namespace where nspname = ${namespace}`,
    );
    if (found === undefined) await transaction.exec(`create schema ${quote(namespace)}`);
  }
  await transaction.exec(
    `create table if not exists ${qualify(schema, TABLE)} (
       component text not null, number integer not null, name text not null, applied_at bigint not null,
       primary key (component, number)
     )`,
  );
}

function qualify({ namespace }: Schema, table: string): string {
  return namespace === undefined ? table : `${quote(namespace)}.${table}`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function tableOf(schema: Schema): Sql {
  return rawSql(qualify(schema, TABLE));
}
