// Compares two crawls: what agents may fetch of the sites that are in both.
import { checkOptions } from '@maycrawl/core/internal';
import { CensusError } from './census-summary.ts';
import { findBreaks } from './report/breaks.ts';
import {
  type CountingContext,
  createTransition,
  selectTransition,
  type TransitionRow,
} from './report/queries/count-access.ts';
import { addCounts, type CountRow, ExamplePool } from './report/queries/example-pool.ts';
import { createSiteTables } from './report/queries/site-tables.ts';
import type { Transition } from './report/report-data.ts';
import { BLOCKED, type SiteAccess } from './report/site-access.ts';
import type { SiteCount } from './report/site-count.ts';
import { type CensusFolder, findCollection, findCommonAgents } from './sql/census-folder.ts';
import type { Database } from './sql/duckdb.ts';
import { type OpenOptions, openCensuses } from './sql/open-censuses.ts';

/** How censuses are compared. */
export interface ComparisonOptions extends OpenOptions {
  /** Examples of a number. @defaultValue 10 */
  readonly examples?: number;
}

/** A census that is compared. */
export interface ComparedCensus {
  readonly name: string;
  /** The first and the last capture, in ISO 8601; `null` without times. */
  readonly from: string | null;
  readonly to: string | null;
  readonly maycrawl: string;
  readonly sites: number;
  /** Sites that the other census does not have. */
  readonly onlySites: number;
}

/** What changed for an agent. */
export interface AgentComparison {
  readonly agent: string;
  /** Sites in both whose access is known in both: the denominator of the other numbers. */
  readonly knownSites: number;
  readonly blockedBefore: number;
  readonly blockedAfter: number;
  /** Sites that are blocked in one only. The examples have the line that decides in the second census. */
  readonly newlyBlocked: SiteCount;
  readonly newlyAllowed: SiteCount;
  /** All sites in both by their access, also those without a change. */
  readonly transitions: Transition['agents'][number];
}

/** What changed from one census to another. */
export interface CensusComparison {
  readonly before: ComparedCensus;
  readonly after: ComparedCensus;
  /** Sites in both. */
  readonly sites: number;
  /** Agents that only one of them has, and that are not compared. */
  readonly omittedAgents: readonly string[];
  /** Differences that are not changes of sites, in sentences. */
  readonly breaks: readonly string[];
  readonly agents: readonly AgentComparison[];
}

/**
 * Compares two censuses.
 *
 * @param before - the folder of the first census.
 * @throws {CensusError} if a folder has no complete census, they have different profiles, or no agent in common.
 * @throws {QueryError} if the database is not installed.
 */
export async function compareCensuses(
  before: string,
  after: string,
  comparison: ComparisonOptions = {},
): Promise<CensusComparison> {
  checkOptions<ComparisonOptions>('compareCensuses', comparison, {
    ...{ examples: 'number', memory: 'number', threads: 'number', otherFiles: 'array' },
    ...{ hasAgentViews: 'boolean', tables: 'array', groups: 'array', signal: 'object' },
  });
  const { examples = 10, signal, ...options } = comparison;
  const { censuses, database } = await openCensuses([before, after], {
    ...options,
    signal,
    hasAgentViews: false,
  });
  try {
    const [first, second] = censuses as [CensusFolder, CensusFolder];
    if (first.summary.profile !== second.summary.profile)
      throw new CensusError(
        `${before} and ${after} have different profiles: ${first.summary.profile} and ${second.summary.profile}`,
      );
    const agents = findCommonAgents(censuses);
    await createSiteTables(database, { crawls: censuses, agents, signal });
    const context = { database, agents, signal, pool: new ExamplePool(examples) };
    const rows = await selectTransition(context, 0, 1);
    const transition = createTransition(context, 0, 1, rows);
    const comparison: CensusComparison = {
      before: await describeCensus(database, first, 0, transition.sites, signal),
      after: await describeCensus(database, second, 1, transition.sites, signal),
      sites: transition.sites,
      omittedAgents: [...new Set(censuses.flatMap(({ summary }) => summary.agents))].filter(
        (agent) => !agents.includes(agent),
      ),
      breaks: findBreaks(
        censuses.map(({ summary }) => ({ ...summary, collection: findCollection(summary) })),
      ).map(({ text }) => text),
      agents: compareAgents(context, transition, rows),
    };
    await context.pool.fill(database, signal);
    return comparison;
  } finally {
    database.close();
  }
}

async function describeCensus(
  database: Database,
  { name, summary }: CensusFolder,
  crawl: number,
  sitesInBoth: number,
  signal: AbortSignal | undefined,
): Promise<ComparedCensus> {
  const [row] = await database.select<Pick<ComparedCensus, 'from' | 'to' | 'sites'>>(
    `SELECT "from", "to", (SELECT count(*) FROM site WHERE crawl = ${crawl}) AS sites
     FROM censuses JOIN crawls USING (census) WHERE crawl = ${crawl}`,
    signal,
  );
  const { from = null, to = null, sites = 0 } = row ?? {};
  return { name, from, to, maycrawl: summary.maycrawl, sites, onlySites: sites - sitesInBoth };
}

function compareAgents(
  { agents, pool }: CountingContext,
  { agents: transitions }: Transition,
  rows: readonly TransitionRow[],
): AgentComparison[] {
  return agents.map((agent, place) => {
    const known = rows.filter(
      (row) => row.agent === place && isKnownAccess(row.before) && isKnownAccess(row.after),
    );
    const add = (condition: (wasBlocked: boolean, isBlocked: boolean) => boolean): CountRow =>
      addCounts(
        known.filter(({ before, after }) => condition(BLOCKED.includes(before), BLOCKED.includes(after))),
      );
    const subject = { crawl: 1, agent: place };
    return {
      agent,
      knownSites: addCounts(known).count,
      blockedBefore: add((wasBlocked) => wasBlocked).count,
      blockedAfter: add((_, isBlocked) => isBlocked).count,
      newlyBlocked: pool.add(
        add((wasBlocked, isBlocked) => isBlocked && !wasBlocked),
        subject,
      ),
      newlyAllowed: pool.add(
        add((wasBlocked, isBlocked) => wasBlocked && !isBlocked),
        subject,
      ),
      transitions: transitions[place] ?? [],
    };
  });
}

function isKnownAccess(access: SiteAccess): boolean {
  return access !== 'unreachable' && access !== 'unknown';
}
