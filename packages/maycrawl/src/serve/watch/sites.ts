/**
 * The list of monitored sites, page by page. A request reads rows for a limited time; the next page continues where it stopped.
 *
 * @module
 */
import { domainToASCII } from 'node:url';
import { rawSql, sql } from '@maycrawl/client/database';
import { timeSlices } from '@maycrawl/client/event-loop';
import { toStoredPolicy } from '@maycrawl/client/origins';
import { getPolicySummary, type PolicyCode } from '@maycrawl/core';
import type { WatchJson } from '../../api/watch-api.ts';
import { formatRequiredTime, formatTime } from '../../reports/policy.ts';
import { type EventSummaryRow, summariseEvent } from '../../watch/event-report.ts';
import type { WatchDatabase } from '../../watch/storage/database.ts';
import { listOf } from '../../watch/storage/rows.ts';
import { readFacts, readKind, readPolicy } from '../../watch/storage/stored-rows.ts';
import type { SiteRow, VersionRow } from '../../watch/storage/tables.ts';

/** Which sites to list. */
export interface SitesQuery {
  /** A part of the origin. */
  readonly search?: string;
  /** The policy now. */
  readonly policy?: PolicyCode;
  /** How bad the last event was. */
  readonly severity?: string;
  /** Sites after this origin. */
  readonly after?: string;
  readonly limit: number;
}

/** A page of the list. `next` is the `after` of the next page, `null` at the end. */
export type SitesPage = Pick<WatchJson<'Sites'>, 'sites' | 'next'>;

/** Rows of one query: other requests are handled in between. */
const CHUNK = 2_000;
/** Milliseconds after which an incomplete page is returned. */
const TIME = 400;

/** Reads sites in the order of their origins. */
export async function readSites(
  database: WatchDatabase,
  query: SitesQuery,
  signal: AbortSignal,
): Promise<SitesPage> {
  const { limit, search = '' } = query;
  // Only other text is converted: `domainToASCII` would turn the part "1" into an address.
  const wanted = (/[^ -~]/.test(search) && domainToASCII(search)) || search.toLowerCase();
  const start = performance.now();
  const origins: string[] = [];
  let next: string | null = query.after ?? '';
  while (next !== null && origins.length < limit) {
    const rows = await readChunk(database, next, query);
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

/** Reads only the columns that the query needs: origins alone are in an index. */
async function readChunk(
  { db }: WatchDatabase,
  after: string,
  { policy, severity }: SitesQuery,
): Promise<Candidate[]> {
  const columns = [
    'origin',
    ...(policy === undefined ? [] : ['holds']),
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

function isWanted({ origin, ...row }: Candidate, search: string, { policy, severity }: SitesQuery): boolean {
  return (
    origin.includes(search) &&
    (policy === undefined || row.holds === toStoredPolicy(getPolicySummary(policy))) &&
    (severity === undefined || row.severity === severity)
  );
}

/** A site with the version that is there now, and its last event, if there are such. */
interface DescribedRow
  extends Pick<SiteRow, 'origin' | 'holds' | 'checked_at' | 'due_at' | 'checks'>,
    OrNull<Pick<VersionRow, 'facts' | 'first_seen'>>,
    OrNull<EventSummaryRow> {
  readonly last: number;
  readonly result: VersionRow['kind'] | null;
}

type OrNull<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

async function describe(
  { db }: WatchDatabase,
  origins: readonly string[],
): Promise<WatchJson<'ListedSite'>[]> {
  if (origins.length === 0) return [];
  const rows = await db.all<DescribedRow>(
    sql`select site.origin as origin, holds, site.version as last, checked_at, due_at, site.checks as checks,
          version.kind as result, facts, first_seen,
          event.id as id, event.at as at, event.kind as kind, severity, title, damped
        from watch_sites as site
        left join watch_versions as version on version.origin = site.origin and number = site.version
        left join watch_events as event on event.id = (
          select id from watch_events where watch_events.origin = site.origin order by at desc limit 1)
        where site.origin in ${listOf(origins)} order by site.origin`,
  );
  return rows.map(({ origin, holds, last, checks, result, ...row }) => {
    const { status = null, message = null } = row.facts === null ? {} : readFacts({ facts: row.facts });
    return {
      ...{ origin, policy: readPolicy({ holds }), result: result === null ? null : readKind(result) },
      ...{ status, message, version: last, checks },
      changedAt: formatTime(row.first_seen),
      checkedAt: formatTime(row.checked_at),
      dueAt: formatRequiredTime(row.due_at),
      event: row.id === null ? null : summariseEvent(row as EventSummaryRow),
    };
  });
}
