// Temporary tables of the sites of crawls, which all numbers are counted from. A site has a position in all of them: examples are the
// sites with the first positions.
//
// - `crawls(crawl, census)`: the number of each census.
// - `names(site, position, rank, domain)`: the sites of all crawls. Those with the best ranks are first, then those with the smallest MD5.
// - `judged(crawl, file, digest, bytes, rules, codes, places)`: the files, with a code and the place of a judgement by agent.
// - `site(crawl, position, tld, rank, outcome, status, file, codes)`: the sites of a crawl. `tld` and `rank` are places of strata.
import type { CensusFolder } from '../../sql/census-folder.ts';
import type { Database } from '../../sql/duckdb.ts';
import { quoteName, quoteText, readTable } from '../../sql/sql-text.ts';
import { MAX_TLDS, RANK_BOUNDS } from '../report-data.ts';
import { toCode, toCodeExpression } from './site-codes.ts';

/** What the tables are made for. */
export interface SiteTablesOptions {
  /** In the order of their numbers in the tables. */
  readonly crawls: readonly CensusFolder[];
  /** The agents in the order of the codes. All crawls have them. */
  readonly agents: readonly string[];
  /** Whether there is a table `ranks(name, rank)`. @defaultValue `false` */
  readonly hasRanks?: boolean;
  /** Whether `names` has the registrable domains; otherwise they are null. @defaultValue `false` */
  readonly hasDomains?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the tables. @returns the top-level domains of the strata: the most frequent ones of the last crawl. */
export async function createSiteTables(
  database: Database,
  { crawls, agents, hasRanks = false, hasDomains = false, signal }: SiteTablesOptions,
): Promise<readonly string[]> {
  const run = (sql: string): Promise<void> => database.run(sql, signal);
  const numbers = crawls.map(({ name }, crawl) => `(${crawl}, ${quoteText(name)})`).join(', ');
  await run(`CREATE TEMP TABLE crawls AS
    SELECT crawl::UTINYINT AS crawl, census FROM (VALUES ${numbers}) AS numbers(crawl, census)`);
  await run(`CREATE TEMP TABLE counted AS
    SELECT crawl, site, ${hasDomains ? 'domain' : 'NULL::VARCHAR AS domain'}, tld, outcome, status, digest FROM sites JOIN crawls USING (census)`);
  await run(`CREATE TEMP TABLE names AS
    SELECT site, (row_number() OVER (ORDER BY rank NULLS LAST, md5(site), site))::INTEGER AS position, rank, domain
    FROM (SELECT site, any_value(domain) AS domain FROM counted GROUP BY site) ${hasRanks ? RANKED : 'CROSS JOIN (SELECT NULL::BIGINT AS rank)'}`);
  for (const [crawl, census] of crawls.entries())
    await run(
      `${crawl === 0 ? 'CREATE TEMP TABLE judged AS' : 'INSERT INTO judged'} ${selectFiles(crawl, census, agents)}`,
    );
  const tlds = await selectTlds(database, crawls.length - 1, signal);
  const without = (access: 'no-file' | 'unreachable' | 'unknown'): string =>
    `[${agents.map(() => toCode(access, null)).join(', ')}]::UTINYINT[]`;
  await run(`CREATE TEMP TABLE site AS
    SELECT counted.crawl, position, ${createTldStratum(tlds)} AS tld, ${createRankStratum()} AS rank, outcome, status, file,
      coalesce(codes, CASE outcome
        WHEN 'absent' THEN ${without('no-file')}
        WHEN 'unreachable' THEN ${without('unreachable')}
        ELSE ${without('unknown')} END) AS codes
    FROM counted JOIN names USING (site)
      LEFT JOIN judged ON judged.crawl = counted.crawl AND judged.digest = counted.digest
    ORDER BY counted.crawl, position`);
  await run('DROP TABLE counted');
  return tlds;
}

/** A host has its own rank, else that of its name without `www.`. */
const RANKED = `LEFT JOIN (SELECT name AS site, rank AS own FROM ranks) USING (site)
  LEFT JOIN (SELECT 'www.' || name AS site, rank AS other FROM ranks) USING (site)
  CROSS JOIN LATERAL (SELECT coalesce(own, other) AS rank)`;

function selectFiles(crawl: number, { files }: CensusFolder, agents: readonly string[]): string {
  const fields = agents.map((agent) => `agents.${quoteName(agent)}`);
  return `SELECT ${crawl}::UTINYINT AS crawl, file_row_number::INTEGER AS file, digest, bytes, rules,
    [${fields.map(toCodeExpression).join(', ')}]::UTINYINT[] AS codes,
    [${fields.map((field) => `${field}.judgement`).join(', ')}]::USMALLINT[] AS places
    FROM ${readTable(files, true)}`;
}

async function selectTlds(
  database: Database,
  crawl: number,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const rows = await database.select<{ readonly tld: string }>(
    `SELECT tld FROM counted WHERE crawl = ${crawl} AND tld IS NOT NULL
     GROUP BY tld ORDER BY count(*) DESC, tld LIMIT ${MAX_TLDS}`,
    signal,
  );
  return rows.map(({ tld }) => tld);
}

/** The place of a top-level domain among those of the strata; behind them for others, and then without one. */
function createTldStratum(tlds: readonly string[]): string {
  const others = tlds.length;
  if (tlds.length === 0) return `CASE WHEN tld IS NULL THEN ${others + 1} ELSE ${others} END::UTINYINT`;
  return `CASE WHEN tld IS NULL THEN ${others + 1}
    ELSE coalesce(list_position([${tlds.map(quoteText).join(', ')}], tld) - 1, ${others}) END::UTINYINT`;
}

/** The place of a rank among the strata; behind them without one. */
function createRankStratum(): string {
  const cases = RANK_BOUNDS.map((bound, place) => `WHEN names.rank <= ${bound} THEN ${place}`).join(' ');
  return `CASE WHEN names.rank IS NULL THEN ${RANK_BOUNDS.length + 1} ${cases} ELSE ${RANK_BOUNDS.length} END::UTINYINT`;
}
