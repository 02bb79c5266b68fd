// The list of monitored sites, page by page. A request reads rows for a limited time; the next page continues where it stopped.
import { domainToASCII } from 'node:url';
import { timeSlices } from '@maycrawl/client/internal';
import type { PolicyCode } from '@maycrawl/core';
import type { WatchJson } from '../../api/watch-api.ts';
import { formatRequiredTime, formatTime } from '../../reports/policy.ts';
import { summariseEvent } from '../../watch/event-report.ts';
import type { WatchDatabase } from '../../watch/storage/database.ts';
import {
  type EventSummaryRow,
  type FilterRow,
  readFilterRows,
  readListedRows,
} from '../../watch/storage/report-queries.ts';
import { readFacts, readKind, readPolicy } from '../../watch/storage/stored-rows.ts';

export interface SitesQuery {
  /** A part of the origin. */
  readonly search?: string;
  /** The effective policy. */
  readonly policy?: PolicyCode;
  /** The severity of the last event. */
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
  const columns = { policy: query.policy !== undefined, severity: query.severity !== undefined };
  const start = performance.now();
  const origins: string[] = [];
  let next: string | null = query.after ?? '';
  while (next !== null && origins.length < limit) {
    const rows = await readFilterRows(database, next, columns, CHUNK);
    const last = rows.length < CHUNK ? null : (rows.at(-1)?.origin ?? null);
    const found = rows.filter((row) => isWanted(row, wanted, query)).slice(0, limit - origins.length);
    origins.push(...found.map(({ origin }) => origin));
    // The page may be full before the chunk is at its end.
    next = origins.length === limit ? (origins.at(-1) ?? null) : last;
    if (performance.now() - start > TIME) break;
    // A SQLite database reads in this thread: each chunk gives way.
    await timeSlices.giveWay(signal);
  }
  return { sites: await describeSites(database, origins), next };
}

function isWanted({ origin, ...row }: FilterRow, search: string, { policy, severity }: SitesQuery): boolean {
  return (
    origin.includes(search) &&
    (policy === undefined || row.policy === policy) &&
    (severity === undefined || row.severity === severity)
  );
}

async function describeSites(
  database: WatchDatabase,
  origins: readonly string[],
): Promise<WatchJson<'ListedSite'>[]> {
  const rows = await readListedRows(database, origins);
  return rows.map(({ origin, policy, last, checks, result, ...row }) => {
    const { status = null, message = null } = row.facts === null ? {} : readFacts({ facts: row.facts });
    return {
      ...{ origin, policy: readPolicy({ policy }), result: result === null ? null : readKind(result) },
      ...{ status, message, version: last, checks },
      changedAt: formatTime(row.first_seen),
      checkedAt: formatTime(row.checked_at),
      dueAt: formatRequiredTime(row.due_at),
      event: row.id === null ? null : summariseEvent(row as EventSummaryRow),
    };
  });
}
