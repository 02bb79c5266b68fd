// Reads the earlier versions of a site with which a new response is compared.
import { sql } from '@maycrawl/client/internal';
import type { EarlierVersions } from '../analysis/earlier-versions.ts';
import { getWorstSeverity, type Severity } from '../site.ts';
import { findContents } from './contents.ts';
import type { WatchDatabase } from './database.ts';
import { readFacts, readKind } from './stored-rows.ts';
import type { VersionRow } from './tables.ts';

/** Versions that are searched for the last one with a readable file. */
const MAX_SEARCHED = 50;

/** Reads earlier versions. @param hash - of the new file; `null`: no file. */
export async function readEarlierVersions(
  database: WatchDatabase,
  origin: string,
  hash: string | null,
): Promise<EarlierVersions> {
  const { db } = database;
  const rows = await db.all<Pick<VersionRow, 'number' | 'kind' | 'hash' | 'facts' | 'first_seen'>>(
    sql`select number, kind, hash, facts, first_seen from watch_versions
        where origin = ${origin} order by number desc limit ${MAX_SEARCHED}`,
  );
  const at = rows.findIndex(isReadable);
  const last = rows[at];
  const [content] = last === undefined ? [] : await findContents(db, [last.hash ?? '']);
  const first = last?.hash == null ? null : await findSame(database, origin, last.hash);
  return {
    same: hash === null ? null : await findSame(database, origin, hash),
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

async function findSame(
  { db }: WatchDatabase,
  origin: string,
  hash: string,
): Promise<EarlierVersions['same']> {
  const found = await db.get<{ first: number | null; last: number | null; until: number | null }>(
    sql`select min(number) as first, max(number) as last, max(last_seen) as until from watch_versions
        where origin = ${origin} and hash = ${hash}`,
  );
  if (found === undefined || found.first === null || found.last === null) return null;
  const next = await db.get<Pick<VersionRow, 'first_seen'>>(
    sql`select first_seen from watch_versions
        where origin = ${origin} and number > ${found.last} order by number limit 1`,
  );
  const events = await db.all<{ severity: Severity }>(
    sql`select severity from watch_events where origin = ${origin} and version = ${found.first}`,
  );
  return {
    number: found.first,
    until: next?.first_seen ?? found.until ?? 0,
    severity: getWorstSeverity(events.map(({ severity }) => severity)),
  };
}
