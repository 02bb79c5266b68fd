// Deletes old data while workers run, some hundred rows in each transaction.
//
// The current version of a site, its last file, and the versions of events with waiting notifications stay. The age of a version is that
// of the next one, so that both versions of a stored event stay. Contents are deleted when nothing refers to them: a transaction that
// refers to one stores it first (contents.ts), and recently stored ones stay.
import { joinSql, rawSql, type Sql, type SqlConnection, sql } from '@maycrawl/client/internal';
import { lockDeleting, type WatchDatabase } from './database.ts';
import { toSqlList } from './rows.ts';

export interface PruneOptions {
  /** Older data is deleted, in milliseconds since 1970; with 0 only contents without a reference. */
  readonly before: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether rows are only counted. */
  readonly isDryRun?: boolean;
  /** Its abort ends it after the current transaction. */
  readonly signal?: AbortSignal;
}

/** The numbers of deleted rows. */
export interface Pruned {
  /** Notifications that were delivered or given up. */
  readonly messages: number;
  readonly events: number;
  readonly versions: number;
  readonly contents: number;
  /** The bytes of these contents. */
  readonly bytes: number;
}

/** Rows of one transaction. */
const BATCH = 500;
/**
 * A content that was stored within this time may get a reference. Clocks of workers may differ by as much. Milliseconds.
 */
const GRACE = 86_400_000;

/** Deletes old rows, and contents without a reference. */
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

/** When a notification was delivered or given up; null while it waits. */
const settledAt = sql`coalesce(watch_outbox.delivered_at, watch_outbox.dropped_at)`;

function isOldEvent({ before }: PruneOptions): Sql {
  return sql`at < ${before} and not exists (
    select 1 from watch_outbox where event = id and (${settledAt} is null or ${settledAt} >= ${before})
  )`;
}

/** Returns a condition for rows `v` of versions. The current version of a site has no later one. */
function isOldVersion({ before }: PruneOptions): Sql {
  const later = sql`select 1 from watch_versions as l where l.origin = v.origin and l.number > v.number`;
  const waiting = sql`from watch_outbox join watch_events on id = event where delivered_at is null and dropped_at is null`;
  return sql`v.last_seen < ${before} and exists (${later} and l.first_seen < ${before})
    and (v.kind <> 'successful' or exists (${later} and l.kind = 'successful'))
    and (v.origin, v.number) not in (select origin, version ${waiting} union select origin, version - 1 ${waiting})`;
}

/** Deletes rows of one table. @returns their number. */
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
  return runBatches(database, signal, async (transaction) => {
    const old = sql`select ${key} from ${table} where ${isOld} limit ${BATCH}`;
    const count = await transaction.run(sql`delete from ${table} where (${key}) in (${old})`);
    return { count, isLast: count < BATCH };
  });
}

/** Deletes old versions in the order of their keys, so that each is read once. @returns their number. */
async function pruneVersions(database: WatchDatabase, options: PruneOptions): Promise<number> {
  let after = { origin: '', number: 0 };
  return runBatches(database, options.signal, async (transaction) => {
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

/** Deletes contents in the order of their hashes. */
async function pruneContents(
  database: WatchDatabase,
  options: PruneOptions,
): Promise<Pick<Pruned, 'contents' | 'bytes'>> {
  const { now, isDryRun, signal } = options;
  const storedBefore = now - GRACE;
  let after = '';
  let bytes = 0;
  let texts: ReadonlySet<string> | undefined;
  const contents = await runBatches(database, signal, async (transaction) => {
    const rows = await transaction.all<{ hash: string; size: number }>(sql`
      select hash, length(bytes) as size from watch_contents
      where hash > ${after} and stored_at < ${storedBefore} order by hash limit ${BATCH}`);
    const isLast = rows.length < BATCH;
    const hashes = rows.map(({ hash }) => hash);
    const used = await findUsedContents(transaction, hashes, options);
    let unused = hashes.filter((hash) => !used.has(hash));
    if (unused.length > 0) texts ??= await findTextsOfSettings(transaction);
    unused = unused.filter((hash) => !texts?.has(hash));
    if (unused.length > 0 && !isDryRun) {
      // Compares the time again under the lock of the row: another process may have stored it meanwhile.
      const removed = await transaction.all<{ hash: string }>(
        sql`delete from watch_contents where hash in ${toSqlList(unused)} and stored_at < ${storedBefore} returning hash`,
      );
      unused = removed.map(({ hash }) => hash);
    }
    const deleted = new Set(unused);
    const onCommit = (): void => {
      after = rows.at(-1)?.hash ?? after;
      for (const { hash, size } of rows) if (deleted.has(hash)) bytes += size;
    };
    return { count: deleted.size, isLast, onCommit };
  });
  return { contents, bytes };
}

/** Finds the contents that are files of sites or of versions that stay. */
async function findUsedContents(
  transaction: SqlConnection,
  hashes: readonly string[],
  options: PruneOptions,
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const some = toSqlList(hashes);
  const rows = await transaction.all<{ hash: string }>(sql`
    select v.hash from watch_versions as v where v.hash in ${some} and not (${isOldVersion(options)})
    union select hash from watch_sites where hash in ${some}`);
  return new Set(rows.map(({ hash }) => hash));
}

/** Finds the texts of the settings of all sites. */
async function findTextsOfSettings(transaction: SqlConnection): Promise<Set<string>> {
  const selectHash = (name: string): Sql =>
    rawSql(
      transaction.kind === 'postgres'
        ? `settings::json -> '${name}' ->> 'hash'`
        : `json_extract(settings, '$.${name}.hash')`,
    );
  const rows = await transaction.all<{ hash: string | null }>(
    sql`select ${selectHash('urls')} as hash from watch_sites union select ${selectHash('tests')} from watch_sites`,
  );
  return new Set(rows.flatMap(({ hash }) => hash ?? []));
}

/** The result of a transaction. */
interface Batch {
  readonly count: number;
  readonly isLast: boolean;
  /** Called after the commit: the transaction may run several times before. */
  readonly onCommit?: () => void;
}

/** Runs transactions until one is the last. @returns the sum of their counts. */
async function runBatches(
  database: WatchDatabase,
  signal: AbortSignal | undefined,
  work: (transaction: SqlConnection) => Promise<Batch>,
): Promise<number> {
  for (let sum = 0; ; ) {
    if (signal?.aborted) return sum;
    const { count, isLast, onCommit } = await database.db.transaction(async (transaction) => {
      await lockDeleting(transaction);
      // PostgreSQL would compile such statements for half a second, and run them for some milliseconds.
      if (transaction.kind === 'postgres') await transaction.exec('set local jit = off');
      return work(transaction);
    });
    onCommit?.();
    sum += count;
    if (isLast) return sum;
  }
}

/** Deletes sites by one statement for each table. @returns their number. */
export async function deleteSites(transaction: SqlConnection, origins: readonly string[]): Promise<number> {
  const some = toSqlList(origins);
  // The sites first: a check in progress is either recorded before, or finds no site.
  const count = await transaction.run(sql`delete from watch_sites where origin in ${some}`);
  await transaction.run(sql`delete from watch_audits where origin in ${some}`);
  await transaction.run(sql`delete from watch_logs where origin in ${some}`);
  await transaction.run(
    sql`delete from watch_outbox where event in (select id from watch_events where origin in ${some})`,
  );
  await transaction.run(sql`delete from watch_events where origin in ${some}`);
  await transaction.run(sql`delete from watch_versions where origin in ${some}`);
  return count;
}
