/**
 * The sites that are watched, page by page. However many there are, a question reads no more rows than it has time for: what was not
 * looked at yet, the next page does.
 *
 * @module
 */
import { domainToASCII } from 'node:url';
import { rawSql, sql } from '@maycrawl/client/database';
import { timeSlices } from '@maycrawl/client/event-loop';
import type { WatchJson } from '../../api/watch-api.ts';
import type { WatchDatabase } from '../../watch/database.ts';
import { type EventSummaryRow, summariseEvent } from '../../watch/event-report.ts';
import { listOf } from '../../watch/rows.ts';
import type { SiteRow, VersionRow } from '../../watch/tables.ts';

/** Which sites are wanted. */
export interface SitesQuery {
  /** A part of the origin. */
  readonly search?: string;
  /** What holds there now. */
  readonly holds?: string;
  /** How bad the last event was. */
  readonly severity?: string;
  /** Those behind this origin. */
  readonly after?: string;
  readonly limit: number;
}

/** Some sites, and where the next ones begin; `null` if there are no more. */
export type SitesPage = Pick<WatchJson<'Sites'>, 'sites' | 'next'>;

/** Rows that are read at a time: others get their answers in between. */
const CHUNK = 2_000;
/** Milliseconds after which a page is given as it is. */
const TIME = 400;

/** Sites in the order of their origins. */
export async function sitesOf(
  database: WatchDatabase,
  query: SitesQuery,
  signal: AbortSignal,
): Promise<SitesPage> {
  const { limit, search = '' } = query;
  // A part of a name that is all ASCII is no name of its own: "1" would become an address.
  const wanted = (/[^ -~]/.test(search) && domainToASCII(search)) || search.toLowerCase();
  const start = performance.now();
  const origins: string[] = [];
  let next: string | null = query.after ?? '';
  while (next !== null && origins.length < limit) {
    const rows = await chunkOf(database, next, query);
    const last = rows.length < CHUNK ? null : (rows.at(-1)?.origin ?? null);
    const found = rows.filter((row) => isWanted(row, wanted, query)).slice(0, limit - origins.length);
    origins.push(...found.map(({ origin }) => origin));
    // The page may be full before the chunk is at its end.
    next = origins.length === limit ? (origins.at(-1) ?? null) : last;
    if (performance.now() - start > TIME) break;
    // A SQLite database reads in this thread: each chunk gives way.
    await timeSlices.giveWay(signal);
  }
  return { sites: await describe(database, origins), next };
}

interface Candidate {
  readonly origin: string;
  readonly holds?: string;
  readonly severity?: string | null;
}

/** Only what is looked at is read: origins alone are in their index. */
async function chunkOf(
  { db }: WatchDatabase,
  after: string,
  { holds, severity }: SitesQuery,
): Promise<Candidate[]> {
  const columns = [
    'origin',
    ...(holds === undefined ? [] : ['holds']),
    ...(severity === undefined
      ? []
      : [
          `(select severity from watch_events where watch_events.origin = watch_sites.origin
            order by at desc limit 1) as severity`,
        ]),
  ];
  return db.all<Candidate>(
    sql`select ${rawSql(columns.join(', '))} from watch_sites where origin > ${after} order by origin limit ${CHUNK}`,
  );
}

function isWanted({ origin, ...row }: Candidate, search: string, { holds, severity }: SitesQuery): boolean {
  return (
    origin.includes(search) &&
    (holds === undefined || row.holds === holds) &&
    (severity === undefined || row.severity === severity)
  );
}

/** A site with the version that is there now, and its last event, if there are such. */
interface DescribedRow
  extends Pick<SiteRow, 'origin' | 'holds' | 'checked_at' | 'due_at' | 'checks'>,
    OrNull<Pick<VersionRow, 'facts' | 'first_seen'>>,
    OrNull<EventSummaryRow> {
  readonly last: number;
  readonly outcome: VersionRow['kind'] | null;
}

type OrNull<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

async function describe(
  { db }: WatchDatabase,
  origins: readonly string[],
): Promise<WatchJson<'ListedSite'>[]> {
  if (origins.length === 0) return [];
  const rows = await db.all<DescribedRow>(
    sql`select site.origin as origin, holds, site.version as last, checked_at, due_at, site.checks as checks,
          version.kind as outcome, facts, first_seen,
          event.id as id, event.at as at, event.kind as kind, severity, title, damped
        from watch_sites as site
        left join watch_versions as version on version.origin = site.origin and number = site.version
        left join watch_events as event on event.id = (
          select id from watch_events where watch_events.origin = site.origin order by at desc limit 1)
        where site.origin in ${listOf(origins)} order by site.origin`,
  );
  return rows.map(({ origin, holds, last, checks, outcome, ...row }) => {
    const { status = null, reason = null } = row.facts === null ? {} : readFacts(row.facts);
    return {
      ...{ origin, holds: holds as WatchJson<'Policy'>, outcome, status, reason, version: last, checks },
      changedAt: timeOf(row.first_seen),
      checkedAt: timeOf(row.checked_at),
      dueAt: formatTime(row.due_at),
      event: row.id === null ? null : summariseEvent(row as EventSummaryRow),
    };
  });
}

type Facts = Pick<WatchJson<'Version'>, 'status' | 'code' | 'reason' | 'headers' | 'hops'>;

/** The response of a version: status, code, reason, headers and hops. */
export function readFacts(facts: string): Facts {
  return JSON.parse(facts) as Facts;
}

/** A time as a text. @param milliseconds - since 1970. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same; `null` for no time. */
export function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTime(milliseconds);
}
