// Queries of reports: lists of sites, the versions of a site, and recent events and checks.
import { rawSql, sql } from '@maycrawl/client/internal';
import type { WatchDatabase } from './database.ts';
import { toSqlList } from './rows.ts';
import type { EventRow, SiteRow, VersionRow } from './tables.ts';

/** The columns of a summary of an event. */
export type EventSummaryRow = Pick<EventRow, 'id' | 'at' | 'kind' | 'severity' | 'title' | 'throttled'>;

/** An event without its text. */
export type RecentEventRow = Pick<EventRow, 'id' | 'origin' | 'at' | 'kind' | 'severity'>;

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

/** A site with its current version and its last event, if there are such. */
export interface ListedRow
  extends Pick<SiteRow, 'origin' | 'policy' | 'checked_at' | 'due_at' | 'checks'>,
    Nullable<Pick<VersionRow, 'facts' | 'first_seen'>>,
    Nullable<EventSummaryRow> {
  readonly last: number;
  readonly result: VersionRow['kind'] | null;
}

/** The columns by which sites are filtered. */
export interface FilterRow {
  readonly origin: string;
  readonly policy?: string;
  readonly severity?: string | null;
}

/** A version with the size of its file and the first version with the same file; `null` without a file. */
export type SizedVersionRow = VersionRow & { readonly bytes: number | null; readonly same_as: number | null };

/** Some of the versions of a site. */
export interface VersionRange {
  /** @defaultValue all */
  readonly limit?: number;
  /** A number: only earlier versions. @defaultValue all */
  readonly before?: number;
}

/** The largest value of the type `integer`. */
const MAX_INTEGER = 2 ** 31 - 1;

/** The last event that says something about a site: a comment may change each hour. */
const LAST_EVENT = `watch_events where watch_events.origin = watch_sites.origin
  and not (kind = 'formatting' and severity = 'info') order by at desc limit 1`;

/**
 * Reads sites by origin, those after `after`.
 *
 * @param columns - further columns: `origin` alone is in an index.
 */
export function readFilterRows(
  { db }: WatchDatabase,
  after: string,
  columns: { readonly policy: boolean; readonly severity: boolean },
  limit: number,
): Promise<FilterRow[]> {
  const selected = rawSql(
    `origin${columns.policy ? ', policy' : ''}${columns.severity ? `, (select severity from ${LAST_EVENT}) as severity` : ''}`,
  );
  return db.all<FilterRow>(
    sql`select ${selected} from watch_sites where origin > ${after} order by origin limit ${limit}`,
  );
}

/** Reads sites for a list, by origin. */
export async function readListedRows(
  { db }: WatchDatabase,
  origins: readonly string[],
): Promise<ListedRow[]> {
  if (origins.length === 0) return [];
  return db.all<ListedRow>(
    sql`select watch_sites.origin as origin, policy, watch_sites.version as last, checked_at, due_at,
          watch_sites.checks as checks, version.kind as result, facts, first_seen,
          event.id as id, event.at as at, event.kind as kind, severity, title, throttled
        from watch_sites
        left join watch_versions as version on version.origin = watch_sites.origin and number = watch_sites.version
        left join watch_events as event on event.id = (select id from ${rawSql(LAST_EVENT)})
        where watch_sites.origin in ${toSqlList(origins)} order by watch_sites.origin`,
  );
}

/** Reads events after a time in milliseconds since 1970, the oldest first. */
export function readRecentEvents(
  { db }: WatchDatabase,
  since: number,
  limit: number,
): Promise<RecentEventRow[]> {
  return db.all<RecentEventRow>(
    sql`select id, origin, at, kind, severity from watch_events where at > ${since} order by at limit ${limit}`,
  );
}

/** Reads checks after a time in milliseconds since 1970, the newest first. */
export function readRecentChecks(
  { db }: WatchDatabase,
  since: number,
  limit: number,
): Promise<Pick<SiteRow, 'origin' | 'checked_at'>[]> {
  return db.all<Pick<SiteRow, 'origin' | 'checked_at'>>(
    sql`select origin, checked_at from watch_sites where checked_at > ${since} order by checked_at desc limit ${limit}`,
  );
}

/** Reads the versions of a site, the newest first. */
export function readVersions(
  { db }: WatchDatabase,
  origin: string,
  { limit = MAX_INTEGER, before = MAX_INTEGER }: VersionRange = {},
): Promise<SizedVersionRow[]> {
  return db.all<SizedVersionRow>(
    sql`select version.*, octet_length(bytes) as bytes,
          (select min(number) from watch_versions as same
           where same.hash = version.hash and same.origin = version.origin) as same_as
        from watch_versions as version left join watch_contents as content on content.hash = version.hash
        where origin = ${origin} and number < ${before} order by number desc limit ${limit}`,
  );
}
