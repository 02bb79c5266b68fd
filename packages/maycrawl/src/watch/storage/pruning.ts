/**
 * Deleting what is older than somebody wants to keep it, while workers run: a few hundred rows in a transaction.
 *
 * What is there now is never deleted, nor the last file that a site had, nor what a message that is still to be told speaks of. A version
 * is as old as the one that took its place, so that those between which an event that is kept has happened are kept too. Contents go when
 * nothing refers to them: whoever is about to refer to one keeps it first (contents.ts), and what was kept of late stays.
 *
 * @module
 */
import { joinSql, rawSql, type Sql, type SqlConnection, sql } from '@maycrawl/client/database';
import { lockDeleting, type WatchDatabase } from './database.ts';
import { listOf } from './rows.ts';

/** What is deleted. */
export interface PruneOptions {
  /** What ended before this time, in milliseconds since 1970; with 0 only contents that nothing refers to. */
  readonly before: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Only count it. */
  readonly isDryRun?: boolean;
  /** Its abort ends it after the rows that it is at. */
  readonly signal?: AbortSignal;
}

/** How much was deleted. */
export interface Pruned {
  /** Of the outbox: delivered, or given up. */
  readonly messages: number;
  readonly events: number;
  readonly versions: number;
  readonly contents: number;
  /** Of these contents. */
  readonly bytes: number;
}

/** Rows of one transaction. */
const BATCH = 500;
/**
 * A content that was kept within this time may be about to be referred to; clocks of workers may be wrong by as much. Milliseconds.
 */
const GRACE = 86_400_000;

/** Deletes what is old, and contents that nothing refers to. */
export async function prune(database: WatchDatabase, options: PruneOptions): Promise<Pruned> {
  const messages = await pruneRows(
    database,
    options,
    sql`watch_outbox`,
    sql`event, target`,
    sql`${settledAt} < ${options.before}`,
  );
  const events = await pruneRows(database, options, sql`watch_events`, sql`id`, isOldEvent(options));
  const versions = await pruneVersions(database, options);
  return { messages, events, versions, ...(await pruneContents(database, options)) };
}

/** When a message was delivered or given up; nothing if it is still to be told. */
const settledAt = sql`coalesce(watch_outbox.delivered_at, watch_outbox.dropped_at)`;

function isOldEvent({ before }: PruneOptions): Sql {
  return sql`at < ${before} and not exists (
    select 1 from watch_outbox where event = id and (${settledAt} is null or ${settledAt} >= ${before})
  )`;
}

/** For rows `v` of versions. The last one of a site has none that took its place. */
function isOldVersion({ before }: PruneOptions): Sql {
  const later = sql`select 1 from watch_versions as l where l.origin = v.origin and l.number > v.number`;
  const told = sql`from watch_outbox join watch_events on id = event where delivered_at is null and dropped_at is null`;
  return sql`v.last_seen < ${before} and exists (${later} and l.first_seen < ${before})
    and (v.kind <> 'found' or exists (${later} and l.kind = 'found'))
    and (v.origin, v.number) not in (select origin, version ${told} union select origin, version - 1 ${told})`;
}

/** @returns how many rows there were. */
async function pruneRows(
  database: WatchDatabase,
  { isDryRun, signal }: PruneOptions,
  table: Sql,
  key: Sql,
  isOld: Sql,
): Promise<number> {
  if (isDryRun) {
    const row = await database.db.get<{ count: number }>(
      sql`select count(*) as count from ${table} where ${isOld}`,
    );
    return row?.count ?? 0;
  }
  return inBatches(database, signal, async (transaction) => {
    const old = sql`select ${key} from ${table} where ${isOld} limit ${BATCH}`;
    const count = await transaction.run(sql`delete from ${table} where (${key}) in (${old})`);
    return { count, isLast: count < BATCH };
  });
}

/** Goes through the versions in their order, so that those that stay are looked at once. @returns how many were old. */
async function pruneVersions(database: WatchDatabase, options: PruneOptions): Promise<number> {
  let after = { origin: '', number: 0 };
  return inBatches(database, options.signal, async (transaction) => {
    const rows = await transaction.all<typeof after>(sql`
      select v.origin, v.number from watch_versions as v
      where (v.origin, v.number) > (${after.origin}, ${after.number}) and ${isOldVersion(options)}
      order by v.origin, v.number limit ${BATCH}`);
    if (rows.length > 0 && !options.isDryRun) {
      const keys = joinSql(rows.map(({ origin, number }) => sql`(${origin}, cast(${number} as integer))`));
      await transaction.run(
        sql`delete from watch_versions where last_seen < ${options.before} and (origin, number) in (values ${keys})`,
      );
    }
    const onCommit = (): void => {
      after = rows.at(-1) ?? after;
    };
    return { count: rows.length, isLast: rows.length < BATCH, onCommit };
  });
}

/** Goes through the contents in their order. */
async function pruneContents(
  database: WatchDatabase,
  options: PruneOptions,
): Promise<Pick<Pruned, 'contents' | 'bytes'>> {
  const { now, isDryRun, signal } = options;
  const keptBefore = now - GRACE;
  let after = '';
  let bytes = 0;
  let texts: ReadonlySet<string> | undefined;
  const contents = await inBatches(database, signal, async (transaction) => {
    const rows = await transaction.all<{ hash: string; size: number }>(sql`
      select hash, length(bytes) as size from watch_contents
      where hash > ${after} and kept_at < ${keptBefore} order by hash limit ${BATCH}`);
    const isLast = rows.length < BATCH;
    const hashes = rows.map(({ hash }) => hash);
    const used = await usedOf(transaction, hashes, options);
    let unused = hashes.filter((hash) => !used.has(hash));
    if (unused.length > 0) texts ??= await textsOfSettings(transaction);
    unused = unused.filter((hash) => !texts?.has(hash));
    if (unused.length > 0 && !isDryRun) {
      // The time is compared once more when the row is locked: another process may have stored it again meanwhile.
      const deleted = await transaction.all<{ hash: string }>(
        sql`delete from watch_contents where hash in ${listOf(unused)} and kept_at < ${keptBefore} returning hash`,
      );
      unused = deleted.map(({ hash }) => hash);
    }
    const gone = new Set(unused);
    const onCommit = (): void => {
      after = rows.at(-1)?.hash ?? after;
      for (const { hash, size } of rows) if (gone.has(hash)) bytes += size;
    };
    return { count: gone.size, isLast, onCommit };
  });
  return { contents, bytes };
}

/** Those of some contents that are files of sites, and will be when old versions are gone. */
async function usedOf(
  transaction: SqlConnection,
  hashes: readonly string[],
  options: PruneOptions,
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const some = listOf(hashes);
  const rows = await transaction.all<{ hash: string }>(sql`
    select v.hash from watch_versions as v where v.hash in ${some} and not (${isOldVersion(options)})
    union select hash from watch_sites where hash in ${some}`);
  return new Set(rows.map(({ hash }) => hash));
}

/** The texts that settings of sites refer to. */
async function textsOfSettings(transaction: SqlConnection): Promise<Set<string>> {
  const hashOf = (name: string): Sql =>
    rawSql(
      transaction.kind === 'postgres'
        ? `settings::json -> '${name}' ->> 'hash'`
        : `json_extract(settings, '$.${name}.hash')`,
    );
  const rows = await transaction.all<{ hash: string | null }>(
    sql`select ${hashOf('urls')} as hash from watch_sites union select ${hashOf('tests')} from watch_sites`,
  );
  return new Set(rows.flatMap(({ hash }) => hash ?? []));
}

/** What a transaction did. */
interface Batch {
  readonly count: number;
  readonly isLast: boolean;
  /** Remembers what was done. The transaction may run several times before it is committed. */
  readonly onCommit?: () => void;
}

/** Works in transactions until one is the last. @returns the sum of their counts. */
async function inBatches(
  database: WatchDatabase,
  signal: AbortSignal | undefined,
  work: (transaction: SqlConnection) => Promise<Batch>,
): Promise<number> {
  for (let sum = 0; ; ) {
    if (signal?.aborted) return sum;
    const { count, isLast, onCommit } = await database.db.transaction(async (transaction) => {
      await lockDeleting(transaction);
      // Compiling such statements takes PostgreSQL half a second, running them some milliseconds.
      if (transaction.kind === 'postgres') await transaction.exec('set local jit = off');
      return work(transaction);
    });
    onCommit?.();
    sum += count;
    if (isLast) return sum;
  }
}
