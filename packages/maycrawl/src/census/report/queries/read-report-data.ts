// Counts the data of the report of a census.

import { resolve } from 'node:path';
import { CRAWLER_RECORDS } from '@maycrawl/core/crawlers';
import { checkOptions } from '@maycrawl/core/internal';
import { type AgentGroup, resolveGroups } from '../../sql/agent-groups.ts';
import { type CensusFolder, findCollection, findCommonAgents } from '../../sql/census-folder.ts';
import type { Database, DatabaseLimits } from '../../sql/duckdb.ts';
import { openCensuses } from '../../sql/open-censuses.ts';
import { quoteName } from '../../sql/sql-text.ts';
import { nameUserTable, type UserTable } from '../../sql/user-tables.ts';
import { findBreaks, placeBreaks, type StatedBreak } from '../breaks.ts';
import {
  type CensusReportData,
  RANK_BOUNDS,
  type ReportAgent,
  type ReportCrawl,
  type ReportWeight,
  type Stratum,
  type Transition,
} from '../report-data.ts';
import { MAX_EXAMPLES } from '../site-count.ts';
import type { ReportSource } from '../user-data.ts';
import {
  type CountingContext,
  countAccess,
  countMatrix,
  countPanel,
  countSites,
  countStrata,
  countTransition,
  countWeights,
} from './count-access.ts';
import { countCategories } from './count-categories.ts';
import { countDeclarations, countGenerators, createContents } from './count-content.ts';
import { countReadings, countResponses, countSizes, findCommonFiles } from './count-files.ts';
import { countGroups } from './count-groups.ts';
import { countNamed } from './count-named.ts';
import { ExamplePool } from './example-pool.ts';
import { describeSource, readRanks, readWeights } from './site-files.ts';
import { createSiteTables } from './site-tables.ts';

/** What is counted. */
export interface ReportDataOptions {
  /** The release that creates the report. */
  readonly maycrawl: string;
  /** Path of a file with ranks of sites. */
  readonly ranks?: string;
  /** Path of a file with weights of sites. */
  readonly weights?: string;
  /** Files with sites in their first column, and texts such as categories in others. @defaultValue none */
  readonly tables?: readonly UserTable[];
  /** Agents that are counted together. @defaultValue none */
  readonly groups?: readonly AgentGroup[];
  /** Changes of the source of the captures. @defaultValue only those that are known of Common Crawl, releases and profiles */
  readonly breaks?: readonly StatedBreak[];
  readonly limits?: DatabaseLimits;
  readonly signal?: AbortSignal | undefined;
}

/** Examples of a report. */
const MAX_ALL_EXAMPLES = 100_000;

const METHODS: readonly string[] = [
  'A site is a host, and its port if that is not the default. Its origin over HTTPS counts, unless only the one over HTTP has a response from which access follows.',
  'Of several captures of a robots.txt in a crawl, the first one counts; captures without a body (304, revisits) only if there is no other.',
  'A redirect counts as the first capture of its target, up to five redirects. If the crawl did not capture the target, the access is unknown.',
  'A site without a robots.txt (4xx) has no restrictions. If there is no valid response (5xx, network), the access is not known.',
  'Blocked means that every URL is disallowed, or all but /, /robots.txt, /ads.txt and /.well-known/.',
];

/**
 * Counts the data of a report.
 *
 * @param folders - complete censuses, at least one.
 * @throws {CensusError} if a folder has no complete census, or they have no agent in common.
 * @throws {QueryError} if the database is not installed, or a file cannot be read.
 */
export async function readReportData(
  folders: readonly string[],
  options: ReportDataOptions,
): Promise<CensusReportData> {
  checkOptions<ReportDataOptions>(
    'readReportData',
    options,
    {
      ...{ maycrawl: 'string', ranks: 'string', weights: 'string', limits: 'object', signal: 'object' },
      ...{ tables: 'array', groups: 'array', breaks: 'array' },
    },
    ['maycrawl'],
  );
  const { maycrawl, ranks, weights, limits = {}, signal, tables = [], breaks = [] } = options;
  const paths = [ranks, weights].flatMap((path) => (path === undefined ? [] : [resolve(path)]));
  const { censuses, database } = await openCensuses(folders, {
    signal,
    ...limits,
    otherFiles: paths,
    hasAgentViews: false,
    tables,
  });
  try {
    const { crawls, times } = await sortByTime(database, censuses, signal);
    const agents = findCommonAgents(crawls);
    const groups = resolveGroups(options.groups ?? [], crawls);
    const sources: ReportSource[] = [];
    if (ranks !== undefined) sources.push(await readRanks(database, resolve(ranks), signal));
    const tlds = await createSiteTables(database, {
      ...{ crawls, agents, signal },
      ...{ hasRanks: ranks !== undefined, hasDomains: tables.length > 0 },
    });
    const pool = new ExamplePool(chooseExamples(agents.length, crawls.length));
    const context: CountingContext = { database, agents, pool, signal };
    const last = crawls.length - 1;
    const weighted =
      weights === undefined ? undefined : await readWeights(database, resolve(weights), signal);
    if (weighted !== undefined) sources.push(weighted.source);
    for (const { name, path } of tables)
      sources.push(
        await describeSource(database, { option: '--table', path, table: nameUserTable(name), signal }),
      );
    const reportCrawls: ReportCrawl[] = [];
    for (const [index, crawl] of crawls.entries())
      reportCrawls.push(await countCrawl(context, index, crawl, times[index] as CrawlTime));
    await createContents(context, crawls[last] as CensusFolder);
    const data: CensusReportData = {
      title: createTitle(reportCrawls),
      maycrawl,
      catalogue: findCatalogueDate(),
      agents: agents.map(describeAgent),
      crawls: reportCrawls,
      methods: METHODS,
      sources,
      ranks: ranks === undefined ? [] : nameRanks(await countStrata(context, last, 'rank')),
      tlds: nameTlds(await countStrata(context, last, 'tld'), tlds),
      weights: weighted === undefined ? [] : await countAllWeights(context, last, weighted.names),
      matrix: await countMatrix(context, last),
      panel: last === 0 ? null : await countPanel(context, crawls.length),
      transitions: await countTransitions(context, last),
      categories: await countCategories(context, last, tables),
      groups: await countGroups(context, crawls.length, groups),
      breaks: [...findBreaks(reportCrawls), ...placeBreaks(breaks, reportCrawls)].sort(
        (a, b) => a.before - b.before,
      ),
      declarations: await countDeclarations(context, last),
      named: await countNamed(context, crawls),
      generators: await countGenerators(context, last),
      commonFiles: await findCommonFiles(context, last),
      sizes: await countSizes(context, last),
      readings: await countReadings(context, last, crawls[last] as CensusFolder),
    };
    await pool.fill(database, signal);
    return data;
  } finally {
    database.close();
  }
}

/** The first and the last capture of a crawl, in milliseconds, and its captures without a host. */
interface CrawlTime {
  readonly from: number | null;
  readonly to: number | null;
  readonly withoutHost: number;
}

/** Sorts crawls by their first captures. Without times, they remain in their order. */
async function sortByTime(
  database: Database,
  censuses: readonly CensusFolder[],
  signal: AbortSignal | undefined,
): Promise<{ readonly crawls: readonly CensusFolder[]; readonly times: readonly CrawlTime[] }> {
  const rows = await database.select<CrawlTime & { readonly census: string }>(
    'SELECT census, epoch_ms("from") AS "from", epoch_ms("to") AS "to", "withoutHost" FROM censuses',
    signal,
  );
  const timed = censuses.map((crawl) => {
    const {
      from = null,
      to = null,
      withoutHost = 0,
    } = rows.find(({ census }) => census === crawl.name) ?? {};
    return { crawl, time: { from, to, withoutHost } };
  });
  if (timed.every(({ time }) => time.from !== null))
    timed.sort((a, b) => (a.time.from ?? 0) - (b.time.from ?? 0));
  return { crawls: timed.map(({ crawl }) => crawl), times: timed.map(({ time }) => time) };
}

/** Returns how many examples a number has, so that the size of the report has a limit. */
function chooseExamples(agents: number, crawls: number): number {
  const cells = agents * (16 * crawls + 40 * 10 + 30 * crawls) + agents ** 2 / 2;
  return Math.max(1, Math.min(MAX_EXAMPLES, Math.floor(MAX_ALL_EXAMPLES / cells)));
}

async function countCrawl(
  context: CountingContext,
  index: number,
  crawl: CensusFolder,
  { from, to, withoutHost }: CrawlTime,
): Promise<ReportCrawl> {
  const { summary } = crawl;
  const access = await countAccess(context, index);
  return {
    name: crawl.name,
    ...{ collection: findCollection(summary), from, to },
    ...{ maycrawl: summary.maycrawl, profile: summary.profile, inputsDigest: summary.inputsDigest },
    inputs: summary.inputs.reduce((sum, { count }) => sum + count, 0),
    ...{ captures: summary.captures, files: summary.files, withoutHost },
    ...{ capturesSha256: summary.tables.captures.sha256, filesSha256: summary.tables.files.sha256 },
    sites: countSites(access),
    ...(await countResponses(context, index, crawl)),
    access,
  };
}

function createTitle(crawls: readonly ReportCrawl[]): string {
  const [first, last] = [crawls[0]?.name ?? '', crawls.at(-1)?.name ?? ''];
  return crawls.length === 1 ? first : `${first} to ${last}`;
}

/** The latest date on which a source of the catalogue was read. */
function findCatalogueDate(): string | null {
  const dates = CRAWLER_RECORDS.flatMap(({ sources }) => sources.map(({ date }) => date));
  return dates.sort().at(-1) ?? null;
}

function describeAgent(name: string): ReportAgent {
  const record = CRAWLER_RECORDS.find(({ token }) => token.toLowerCase() === name.toLowerCase());
  return { name, operator: record?.operator ?? null, purposes: record?.purposes ?? [] };
}

type Strata = Awaited<ReturnType<typeof countStrata>>;

function nameRanks(strata: Strata): Stratum[] {
  const names = [...RANK_BOUNDS, undefined].map(
    (bound, place) => `${(RANK_BOUNDS[place - 1] ?? 0) + 1}-${bound ?? ''}`,
  );
  return nameStrata(strata, [...names, 'unranked']);
}

function nameTlds(strata: Strata, tlds: readonly string[]): Stratum[] {
  return nameStrata(strata, [...tlds, 'other', 'none']);
}

/** Gives the strata with sites their names. */
function nameStrata(strata: Strata, names: readonly string[]): Stratum[] {
  return names.flatMap((name, place) => {
    const stratum = strata.get(place);
    return stratum === undefined ? [] : [{ name, ...stratum }];
  });
}

async function countAllWeights(
  context: CountingContext,
  crawl: number,
  names: readonly string[],
): Promise<ReportWeight[]> {
  const { database, signal } = context;
  // A host has the weight of its name; without `www.` that of the other name, unless the crawl has both.
  await database.run(
    `CREATE TEMP TABLE weighted AS
     WITH present AS (SELECT site, position FROM names SEMI JOIN (SELECT position FROM site WHERE crawl = ${crawl}) USING (position)),
     found AS (
       SELECT coalesce(own.position, other.position) AS position, weights.* EXCLUDE (name)
       FROM weights LEFT JOIN present AS own ON own.site = weights.name
         LEFT JOIN present AS other ON other.site = 'www.' || weights.name
     )
     SELECT position, ${names.map((name) => `sum(${quoteName(name)})::DECIMAL(28, 6) AS ${quoteName(name)}`).join(', ')}
     FROM found GROUP BY position`,
    signal,
  );
  const result: ReportWeight[] = [];
  for (const name of names) {
    const column = quoteName(name);
    const [row] = await database.select<Pick<ReportWeight, 'sites' | 'total' | 'missing'>>(
      `SELECT count(${column}) FILTER (position IS NOT NULL) AS sites,
         coalesce(sum(${column}) FILTER (position IS NOT NULL), 0)::DOUBLE AS total,
         coalesce(sum(${column}) FILTER (position IS NULL), 0)::DOUBLE AS missing FROM weighted`,
      signal,
    );
    const { sites = 0, total = 0, missing = 0 } = row ?? {};
    result.push({ name, sites, total, missing, access: await countWeights(context, crawl, column) });
  }
  return result;
}

/** Counts from each crawl to the next, and from the first to the last. */
async function countTransitions(context: CountingContext, last: number): Promise<Transition[]> {
  const pairs = Array.from({ length: last }, (_, from) => [from, from + 1] as const);
  if (last > 1) pairs.push([0, last]);
  const transitions: Transition[] = [];
  for (const [from, to] of pairs) transitions.push(await countTransition(context, from, to));
  return transitions;
}
