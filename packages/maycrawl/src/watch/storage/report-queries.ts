/**
 * Queries of reports: lists of sites, and recent events and checks.
 *
 * @module
 */
import { rawSql, sql } from '@maycrawl/client/database';
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

const LAST_EVENT = 'watch_events where watch_events.origin = watch_sites.origin order by at desc limit 1';

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
