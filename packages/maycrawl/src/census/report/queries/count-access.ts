// Counts sites by access: of crawls, strata, pairs of crawls, and of the sites of all crawls.
import type { Database } from '../../sql/duckdb.ts';
import type { AccessCell, AgentMatrix, Panel, Transition, WeightedCell } from '../report-data.ts';
import { SITE_ACCESSES, type SiteAccess } from '../site-access.ts';
import type { SiteCount } from '../site-count.ts';
import { type CountRow, EMPTY, type ExamplePool } from './example-pool.ts';
import { BLOCKED_CODES, getAccess, getGroup, toAccessPlace, UNKNOWN_CODES } from './site-codes.ts';

/** What numbers are counted from: the tables of site-tables.ts. */
export interface CountingContext {
  readonly database: Database;
  readonly agents: readonly string[];
  readonly pool: ExamplePool;
  readonly signal?: AbortSignal | undefined;
}

interface AgentRow extends CountRow {
  readonly agent: number;
}

type CellsByAgent = readonly (readonly AccessCell[])[];

interface CodeRow extends AgentRow {
  readonly code: number;
}

/** A part of the sites, and what agents may fetch of them. */
interface CountedStratum {
  readonly sites: number;
  readonly access: CellsByAgent;
}

/**
 * Counts sites by access, in each stratum.
 *
 * @param stratum - a column of `site`, or another expression.
 * @param options - `condition`: of rows of `site`; `source`: a query that returns rows of `site` with other columns.
 * @returns by the place of the stratum.
 */
export async function countStrata(
  { database, pool, signal, agents }: CountingContext,
  crawl: number,
  stratum: string,
  { condition = 'true', source = 'site' }: { readonly condition?: string; readonly source?: string } = {},
): Promise<ReadonlyMap<number, CountedStratum>> {
  const rows = await database.select<CodeRow & { readonly stratum: number }>(
    `SELECT stratum, agent, code, ${pool.columns}
     FROM (SELECT ${stratum} AS stratum, position, ${unnestAgents(agents)} FROM ${source} WHERE crawl = ${crawl} AND ${condition})
     GROUP BY stratum, agent, code`,
    signal,
  );
  const places = new Set(rows.map((row) => row.stratum));
  return new Map(
    Array.from(places, (place) => {
      const access = agents.map((_, agent) =>
        sortCells(rows.filter((row) => row.stratum === place && row.agent === agent)).map((row) => ({
          ...toCellKey(row.code),
          sites: pool.add(row, { crawl, agent }),
        })),
      );
      return [place, { sites: countSites(access), access }];
    }),
  );
}

/** Counts the sites of a crawl by access. @param condition - of rows of `site`. */
export async function countAccess(
  context: CountingContext,
  crawl: number,
  condition = 'true',
): Promise<CellsByAgent> {
  const strata = await countStrata(context, crawl, '0', { condition });
  return strata.get(0)?.access ?? context.agents.map(() => []);
}

/** Counts all sites: each of them is in a cell of each agent. */
export function countSites([cells = []]: readonly (readonly { readonly sites: SiteCount }[])[]): number {
  return cells.reduce((sum, { sites }) => sum + sites.count, 0);
}

/** Counts the sites with a weight. @param weight - a column of the table `weighted(position, ...)`. */
export async function countWeights(
  { database, pool, signal, agents }: CountingContext,
  crawl: number,
  weight: string,
): Promise<readonly (readonly WeightedCell[])[]> {
  type Row = CodeRow & { readonly weight: number; readonly weights: readonly number[] };
  const rows = await database.select<Row>(
    `SELECT * EXCLUDE (largest), list_transform(largest, lambda each: each.position) AS positions,
       list_transform(largest, lambda each: each.weight::DOUBLE) AS weights
     FROM (
       SELECT agent, code, count(*) AS count, sum(weight)::DOUBLE AS weight,
         max({'weight': weight, 'place': -position, 'position': position}, ${pool.size}) AS largest
       FROM (
         SELECT position, ${weight} AS weight, ${unnestAgents(agents)}
         FROM site JOIN weighted USING (position) WHERE crawl = ${crawl} AND ${weight} IS NOT NULL
       ) GROUP BY agent, code
     )`,
    signal,
  );
  return agents.map((_, agent) =>
    sortCells(rows.filter((row) => row.agent === agent)).map((row) => ({
      ...toCellKey(row.code),
      weight: row.weight,
      sites: pool.add(row, { crawl, agent, notes: row.weights.map(String) }),
    })),
  );
}

/** Counts the sites that are in two crawls by their access in both. */
export async function countTransition(
  context: CountingContext,
  from: number,
  to: number,
): Promise<Transition> {
  return createTransition(context, from, to, await selectTransition(context, from, to));
}

/** The sites of an agent with an access in one crawl, and another one in the next. */
export interface TransitionRow extends AgentRow {
  readonly before: SiteAccess;
  readonly after: SiteAccess;
}

/** Counts the sites that are in two crawls, by agent. */
export async function selectTransition(
  { database, pool, signal, agents }: CountingContext,
  from: number,
  to: number,
): Promise<readonly TransitionRow[]> {
  const rows = await database.select<AgentRow & { readonly before: number; readonly after: number }>(
    `SELECT agent, ${toAccessPlace('before')} AS before, ${toAccessPlace('after')} AS after, ${pool.columns}
     FROM (
       SELECT position, unnest(a.codes) AS before, unnest(b.codes) AS after, unnest(range(${agents.length})) AS agent
       FROM site AS a JOIN site AS b USING (position) WHERE a.crawl = ${from} AND b.crawl = ${to}
     ) GROUP BY ALL ORDER BY agent, before, after`,
    signal,
  );
  const getName = (place: number): SiteAccess => SITE_ACCESSES[place] as SiteAccess;
  return rows.map((row) => ({ ...row, before: getName(row.before), after: getName(row.after) }));
}

/** Creates the numbers of {@link selectTransition}. */
export function createTransition(
  { pool, agents }: CountingContext,
  from: number,
  to: number,
  rows: readonly TransitionRow[],
): Transition {
  const cells = agents.map((_, agent) =>
    rows
      .filter((row) => row.agent === agent)
      .map((row) => ({ before: row.before, after: row.after, sites: pool.add(row, { crawl: to, agent }) })),
  );
  return { from, to, sites: countSites(cells), agents: cells };
}

/** Counts the sites whose access is known in all crawls. */
export async function countPanel(context: CountingContext, crawls: number): Promise<Panel> {
  const { database, pool, signal, agents } = context;
  const numbers = Array.from({ length: crawls }, (_, crawl) => crawl);
  const joins = numbers.slice(1).map((crawl) => `JOIN site AS s${crawl} USING (position)`);
  const conditions = numbers.map(
    (crawl) => `s${crawl}.crawl = ${crawl} AND s${crawl}.codes[1] NOT IN ${UNKNOWN_CODES}`,
  );
  await database.run(
    `CREATE TEMP TABLE panel AS SELECT position, ${numbers.map((crawl) => `s${crawl}.codes AS codes${crawl}`).join(', ')}
     FROM site AS s0 ${joins.join(' ')} WHERE ${conditions.join(' AND ')}`,
    signal,
  );
  const access: CellsByAgent[] = [];
  for (const crawl of numbers)
    access.push(await countAccess(context, crawl, 'position IN (SELECT position FROM panel)'));
  const first = numbers
    .map((crawl) => `WHEN codes${crawl}[agent + 1] IN ${BLOCKED_CODES} THEN ${crawl}`)
    .join(' ');
  const rows = await database.select<AgentRow & { readonly first: number | null }>(
    `SELECT agent, CASE ${first} END AS first, ${pool.columns}
     FROM panel, range(${agents.length}) AS agents(agent) GROUP BY ALL`,
    signal,
  );
  const firstBlocked = agents.map((_, agent) =>
    [...numbers, null].map((crawl) => {
      const row = rows.find((each) => each.agent === agent && each.first === crawl);
      return { crawl, sites: pool.add(row ?? EMPTY, { crawl: crawl ?? 0, agent }) };
    }),
  );
  return { sites: countSites(firstBlocked), access, firstBlocked };
}

/**
 * Counts the sites that block two agents. Sites that block the same agents are counted together: their number is much smaller than that
 * of the sites.
 */
export async function countMatrix(
  { database, pool, signal, agents }: CountingContext,
  crawl: number,
): Promise<AgentMatrix> {
  const known = `crawl = ${crawl} AND codes[1] NOT IN ${UNKNOWN_CODES}`;
  const [total] = await database.select<{ readonly sites: number }>(
    `SELECT count(*) AS sites FROM site WHERE ${known}`,
    signal,
  );
  const rows = await database.select<{ readonly one: number; readonly other: number } & CountRow>(
    `WITH blocked AS (
       SELECT position, list_filter(range(${agents.length}), lambda agent: codes[agent + 1] IN ${BLOCKED_CODES})::USMALLINT[] AS agents
       FROM site WHERE ${known}
     ),
     sets AS (
       SELECT agents, ${pool.columns} FROM blocked WHERE len(agents) > 0 GROUP BY agents
     ),
     -- The count of a set is that of its first row.
     rows AS (
       SELECT agents, unnest(positions) AS position, unnest(list_concat([count], list_resize([]::BIGINT[], len(positions) - 1, 0))) AS count
       FROM sets
     ),
     ones AS (SELECT agents, unnest(agents) AS one, position, count FROM rows),
     pairs AS (SELECT one, unnest(agents) AS other, position, count FROM ones)
     SELECT one, other, sum(count) AS count, ${pool.selectPositions()} AS positions FROM pairs WHERE other >= one GROUP BY one, other`,
    signal,
  );
  const counts = new Map(rows.map((row) => [`${row.one}:${row.other}`, row]));
  return {
    sites: total?.sites ?? 0,
    both: agents.map((_, one) =>
      agents
        .slice(one)
        .map((_other, distance) =>
          pool.add(counts.get(`${one}:${one + distance}`) ?? EMPTY, { crawl, agent: one }),
        ),
    ),
  };
}

/** Selects a row for each agent. */
function unnestAgents(agents: readonly string[]): string {
  return `unnest(codes) AS code, unnest(range(${agents.length})) AS agent`;
}

function sortCells<Row extends CodeRow>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => a.code - b.code);
}

function toCellKey(code: number): Pick<AccessCell, 'access' | 'group'> {
  return { access: getAccess(code), group: getGroup(code) };
}
