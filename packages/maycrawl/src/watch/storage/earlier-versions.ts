// Reads the earlier versions of a site with which a new response is compared.
import { sql } from '@maycrawl/client/internal';
import { getWorstSeverity } from '../../reports/severities.ts';
import type { EarlierVersion, EarlierVersions } from '../analysis/earlier-versions.ts';
import type { Severity } from '../site.ts';
import { findContents, hashContent, hashRecords } from './contents.ts';
import type { WatchDatabase } from './database.ts';
import { readFacts, readKind } from './stored-rows.ts';
import type { VersionRow } from './tables.ts';

/** Versions that are searched for the last one with a readable file. */
const MAX_SEARCHED = 50;
/** Versions with other records that are compared with a new file. */
const MAX_SIMILAR = 5;

/** Reads earlier versions. @param file - the new file; `null`: no file. */
export async function readEarlierVersions(
  database: WatchDatabase,
  origin: string,
  file: Uint8Array | null,
): Promise<EarlierVersions> {
  const { db } = database;
  const rows = await db.all<
    Pick<VersionRow, 'number' | 'kind' | 'hash' | 'records_hash' | 'facts' | 'first_seen'>
  >(
    sql`select number, kind, hash, records_hash, facts, first_seen from watch_versions
        where origin = ${origin} order by number desc limit ${MAX_SEARCHED}`,
  );
  const at = rows.findIndex(isReadable);
  const last = rows[at];
  const [content] = last === undefined ? [] : await findContents(db, [last.hash ?? '']);
  const first = last?.hash == null ? null : await findSame(database, origin, last.hash);
  const same = file === null ? null : await findSame(database, origin, hashContent(file));
  return {
    same,
    similar:
      file === null || same !== null
        ? []
        : await findSimilar(database, origin, file, last?.records_hash ?? null),
    regular:
      last === undefined || content === undefined
        ? null
        : { number: first?.number ?? last.number, bytes: content.bytes },
    failingSince: (at < 0 ? rows.at(-1) : rows[at - 1])?.first_seen ?? null,
  };
}

/** Whether crawlers could read the file of a version. */
function isReadable({ kind, facts }: Pick<VersionRow, 'kind' | 'facts'>): boolean {
  return readKind(kind) === 'successful' && readFacts({ facts }).condition === 'text';
}

/** The first and the last version of some with the same file. */
interface VersionSpan {
  readonly first: number | null;
  readonly last: number | null;
  readonly until: number | null;
}

async function findSame(
  database: WatchDatabase,
  origin: string,
  hash: string,
): Promise<EarlierVersions['same']> {
  const found = await database.db.get<VersionSpan>(
    sql`select min(number) as first, max(number) as last, max(last_seen) as until from watch_versions
        where origin = ${origin} and hash = ${hash}`,
  );
  return found === undefined ? null : readEarlierVersion(database, origin, found);
}

/**
 * Finds versions that may have the same effect as a new file: first the one with the same records, such as one with another comment, then
 * the latest ones with other records than the current file.
 *
 * @param current - the hash of the records of the current file.
 */
async function findSimilar(
  database: WatchDatabase,
  origin: string,
  file: Uint8Array,
  current: string | null,
): Promise<EarlierVersions['similar']> {
  const { db } = database;
  const own = hashRecords(file);
  const spans = await db.all<VersionSpan & { readonly records_hash: string }>(
    sql`select records_hash, min(number) as first, max(number) as last, max(last_seen) as until from watch_versions
        where origin = ${origin} and records_hash is not null and records_hash <> ${current ?? ''}
        group by records_hash
        order by case when records_hash = ${own} then 0 else 1 end, max(number) desc limit ${MAX_SIMILAR}`,
  );
  const versions: EarlierVersions['similar'][number][] = [];
  for (const span of spans) {
    const version = await readEarlierVersion(database, origin, span);
    const row = await db.get<Pick<VersionRow, 'hash'>>(
      sql`select hash from watch_versions where origin = ${origin} and number = ${span.first}`,
    );
    const [content] = await findContents(db, [row?.hash ?? '']);
    if (version !== null && content !== undefined) versions.push({ ...version, bytes: content.bytes });
  }
  return versions;
}

async function readEarlierVersion(
  { db }: WatchDatabase,
  origin: string,
  { first, last, until }: VersionSpan,
): Promise<EarlierVersion | null> {
  if (first === null || last === null) return null;
  const next = await db.get<Pick<VersionRow, 'first_seen'>>(
    sql`select first_seen from watch_versions
        where origin = ${origin} and number > ${last} order by number limit 1`,
  );
  const events = await db.all<{ severity: Severity }>(
    sql`select severity from watch_events where origin = ${origin} and version = ${first}`,
  );
  return {
    number: first,
    until: next?.first_seen ?? until ?? 0,
    severity: getWorstSeverity(events.map(({ severity }) => severity)),
  };
}
