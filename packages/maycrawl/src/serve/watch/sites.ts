/**
 * The sites that are watched, page by page. However many there are, a question reads no more rows than it has time for: what was not
 * looked at yet, the next page does.
 *
 * @module
 */
import { domainToASCII } from 'node:url';
import { timeSlices } from '@maycrawl/client/event-loop';
import { sql } from 'kysely';
import type { WatchDatabase } from '../../watch/database.ts';

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
export interface SitesPage {
  readonly sites: readonly object[];
  readonly next: string | null;
}

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
  const rows = db
    .selectFrom('watch_sites')
    .select('origin')
    .where('origin', '>', after)
    .orderBy('origin')
    .limit(CHUNK);
  const last = sql<
    string | null
  >`(select severity from watch_events where watch_events.origin = watch_sites.origin
    order by at desc limit 1)`;
  return rows
    .$if(holds !== undefined, (all) => all.select('holds'))
    .$if(severity !== undefined, (all) => all.select(last.as('severity')))
    .execute();
}

function isWanted({ origin, ...row }: Candidate, search: string, { holds, severity }: SitesQuery): boolean {
  return (
    origin.includes(search) &&
    (holds === undefined || row.holds === holds) &&
    (severity === undefined || row.severity === severity)
  );
}

async function describe({ db }: WatchDatabase, origins: readonly string[]): Promise<object[]> {
  if (origins.length === 0) return [];
  const lastEvent = sql<string>`(select id from watch_events where watch_events.origin = watch_sites.origin
    order by at desc limit 1)`;
  const rows = await db
    .selectFrom('watch_sites')
    .leftJoin('watch_versions as version', (join) =>
      join.onRef('version.origin', '=', 'watch_sites.origin').onRef('number', '=', 'watch_sites.version'),
    )
    .leftJoin('watch_events as event', (join) => join.on(({ eb }) => eb('event.id', '=', lastEvent)))
    .select(['watch_sites.origin as origin', 'holds', 'watch_sites.version as last', 'checked_at', 'due_at'])
    .select(['watch_sites.checks as checks', 'version.kind as outcome', 'facts', 'first_seen'])
    .select(['event.id as id', 'event.at as at', 'event.kind as kind', 'severity', 'title', 'damped'])
    .where('watch_sites.origin', 'in', origins)
    .orderBy('watch_sites.origin')
    .execute();
  return rows.map(({ origin, holds, last, checks, outcome, ...row }) => {
    const { status = null, reason = null } = row.facts === null ? {} : readFacts(row.facts);
    const { id, at, kind, severity, title } = row;
    return {
      ...{ origin, holds, outcome, status, reason, version: last, checks },
      changedAt: timeOf(row.first_seen),
      checkedAt: timeOf(row.checked_at),
      dueAt: timeOf(row.due_at),
      event: id === null ? null : { id, at: timeOf(at), kind, severity, title, throttled: row.damped === 1 },
    };
  });
}

/** How a version came: status, code, reason, headers and hops. */
export function readFacts(facts: string): Record<string, unknown> {
  return JSON.parse(facts) as Record<string, unknown>;
}

/** Milliseconds since 1970 as they are told. */
export function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
