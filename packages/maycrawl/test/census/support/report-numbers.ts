/**
 * The numbers of a report as rows of text, and the same rows by plain SQL over the views: the oracle of the report. The views have an oracle
 * of their own (naive-sites.ts).
 */

import type { CensusReportData } from '../../../src/census/report/report-data.ts';
import type { Example, SiteCount } from '../../../src/census/report/site-count.ts';
import { openCensuses } from '../../../src/census/sql/open-censuses.ts';

/** A number: what it counts, its count, and its examples. */
type NumberRow = string;

/** What an example has besides its host, as in the SQL. */
const formatExample = ({ host, witnesses }: Example): string =>
  `${host}${witnesses.map(({ isAllowed, path, line }) => ` ${isAllowed ? '+' : '-'}${path}:${line}`).join('')}`;

/** Returns the numbers of a report that are not 0, sorted. */
export function listNumbers(data: CensusReportData): readonly NumberRow[] {
  const rows: NumberRow[] = [];
  const add = (keys: readonly unknown[], { count, examples }: SiteCount, suffix = ''): void => {
    if (count > 0)
      rows.push(`${keys.join(' ')} = ${count}${suffix} [${examples.map(formatExample).join(', ')}]`);
  };
  const names = data.agents.map(({ name }) => name);
  const last = data.crawls.length - 1;
  const addCells = (keys: readonly unknown[], access: CensusReportData['tlds'][number]['access']): void => {
    for (const [agent, cells] of access.entries())
      for (const { access: kind, group, sites } of cells)
        add([...keys, names[agent], kind, group ?? ''], sites);
  };
  for (const [index, { statuses, access, sites }] of data.crawls.entries()) {
    rows.push(`sites ${index} = ${sites}`);
    addCells(['access', index], access);
    for (const each of statuses) add(['status', index, each.status ?? ''], each.sites);
  }
  for (const kind of ['ranks', 'tlds'] as const)
    for (const { name, access } of data[kind]) addCells([kind, name], access);
  for (const { access } of data.weights)
    for (const [agent, cells] of access.entries())
      for (const { access: kind, group, sites, weight } of cells)
        add(['weight', names[agent], kind, group ?? ''], sites, ` ${weight}`);
  for (const [one, others] of data.matrix.both.entries())
    for (const [distance, sites] of others.entries()) add(['both', names[one], names[one + distance]], sites);
  for (const [index, access] of data.panel?.access.entries() ?? []) addCells(['panel', index], access);
  for (const [agent, firsts] of data.panel?.firstBlocked.entries() ?? [])
    for (const { crawl, sites } of firsts) add(['first', names[agent], crawl ?? ''], sites);
  for (const { from, to, agents } of data.transitions)
    for (const [agent, cells] of agents.entries())
      for (const { before, after, sites } of cells)
        add(['from', from, to, names[agent], before, after], sites);
  for (const { digest, bytes, rules, generator, sites } of data.commonFiles)
    add(['file', digest, bytes, rules, generator ?? ''], sites);
  const { declaring, formats, uses, contradictions } = data.declarations;
  add(['declaring'], declaring);
  for (const { format, sites } of formats) add(['format', format], sites);
  for (const { agent, purpose, value, sites } of uses)
    add(['use', agent === null ? '*' : names[agent], purpose, value], sites);
  for (const { code, sites } of contradictions) add(['contradiction', code], sites);
  for (const { token, isJudged, firstCrawl, sites } of data.named)
    add(['named', token.toLowerCase(), isJudged, firstCrawl], sites);
  for (const { name, files, sites, blocked } of data.generators) {
    add(['generator', name, files], sites);
    for (const [agent, each] of blocked.entries()) add(['generated', name, names[agent]], each);
  }
  for (const { from, files, sites } of data.sizes.classes) add(['size', from, files], sites);
  for (const { share, bytes } of data.sizes.quantiles) rows.push(`quantile ${share} = ${bytes}`);
  for (const { name, agents } of data.readings)
    for (const [agent, cells] of agents.entries())
      for (const { proved, read, sites } of cells)
        add(['read', name, names[agent], proved, read ?? ''], sites);
  rows.push(`matrix ${last} = ${data.matrix.sites}`);
  return rows.sort();
}

/** Further files. */
export interface NumberSources {
  readonly ranks: readonly (readonly [name: string, rank: number])[];
  readonly weights: readonly (readonly [name: string, weight: number])[];
}

const KNOWN = `access NOT IN ('unreachable', 'unknown')`;
const BLOCKED = `access IN ('none', 'listed-only')`;
const RANKS = `CASE WHEN rank IS NULL THEN 'unranked' WHEN rank <= 1000 THEN '1-1000' WHEN rank <= 10000 THEN '1001-10000'
  WHEN rank <= 100000 THEN '10001-100000' WHEN rank <= 1000000 THEN '100001-1000000' ELSE '1000001-' END`;
const SIZES = `[0, 1, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 512001]`;

/**
 * Selects the same numbers as {@link listNumbers}.
 *
 * @param folders - of censuses with the names 0, 1, 2, in the order of time.
 * @param examples - of each number.
 */
export async function selectNumbers(
  folders: readonly string[],
  agents: readonly string[],
  { ranks, weights }: NumberSources,
  readings: readonly string[],
  examples: number,
): Promise<readonly NumberRow[]> {
  const { database } = await openCensuses(folders, { memory: 500e6, threads: 1 });
  const values = (rows: readonly (readonly [string, number])[]): string =>
    rows.map(([name, number]) => `('${name}', ${number})`).join(', ');
  const last = folders.length - 1;
  const isLast = `census = '${last}'`;
  const count = (label: string, order = 'rank NULLS LAST, md5(site)'): string =>
    `' = ' || count(*) || ' [' || array_to_string(list(${label} ORDER BY ${order})[:${examples}], ', ') || ']'`;
  const [all, sitesOnly] = [count('label'), count('site')];
  const cell = `agent || ' ' || access || ' ' || coalesce("group", '')`;
  const statements = [
    `CREATE TEMP TABLE ranked AS SELECT name, min(rank) AS rank FROM (VALUES ${values(ranks)}) AS r(name, rank) GROUP BY name`,
    `CREATE TEMP TABLE s AS SELECT sites.*, coalesce(own.rank, other.rank) AS rank FROM sites
       LEFT JOIN ranked AS own ON own.name = site LEFT JOIN ranked AS other ON 'www.' || other.name = site`,
    `CREATE TEMP TABLE a AS SELECT access.*, rank, site || coalesce(' -' || disallowedPath || ':' || coalesce(disallowedLine, 0), '')
       || coalesce(' +' || allowedPath || ':' || coalesce(allowedLine, 0), '') AS label
       FROM access JOIN s USING (census, site)`,
    `CREATE TEMP TABLE f AS SELECT s.site, s.rank, files.* FROM s JOIN files USING (census, digest) WHERE ${isLast}`,
    `CREATE TEMP TABLE panel AS SELECT site FROM a WHERE agent = '${agents[0]}' AND ${KNOWN} GROUP BY site HAVING count(*) = ${folders.length}`,
    `CREATE TEMP TABLE w AS SELECT site, sum(weight) AS weight FROM (
       SELECT weight, coalesce(own.site, other.site) AS site FROM (VALUES ${values(weights.length > 0 ? weights : [['', 0]])}) AS w(name, weight)
         LEFT JOIN (FROM s WHERE ${isLast}) AS own ON own.site = name LEFT JOIN (FROM s WHERE ${isLast}) AS other ON other.site = 'www.' || name
     ) WHERE site IS NOT NULL GROUP BY site`,
    `CREATE TEMP TABLE agent(name VARCHAR, place INTEGER)`,
    `INSERT INTO agent VALUES ${agents.map((name, place) => `('${name}', ${place})`).join(', ')}`,
  ];
  const uses = `SELECT DISTINCT unnest(list_concat(CASE WHEN contains(names, '*') THEN ['*'] ELSE [] END, matched)) AS agent, purpose, value, site, rank
    FROM (
      SELECT *, list_filter([${agents.map((name) => `'${name}'`)}], lambda each: contains(names, lower(each))) AS matched FROM (
        SELECT site, rank, each.purpose AS purpose, each.value AS value, coalesce(string_split(lower(each.agents), ', '), ['*']) AS names
        FROM (SELECT site, rank, unnest(declarations) AS each FROM f)
      )
    ) WHERE value IN ('allowed', 'disallowed') AND purpose IS NOT NULL`;
  const pairs = folders.slice(1).map((_, from) => [from, from + 1]);
  if (last > 1) pairs.push([0, last]);
  const queries = [
    `SELECT 'sites ' || census || ' = ' || count(*) FROM s GROUP BY census`,
    `SELECT 'access ' || census || ' ' || ${cell} || ${all} FROM a GROUP BY census, agent, access, "group"`,
    `SELECT 'status ' || census || ' ' || coalesce(status::VARCHAR, '') || ${sitesOnly} FROM s GROUP BY census, status`,
    `SELECT 'ranks ' || ${RANKS} || ' ' || ${cell} || ${all} FROM a WHERE ${isLast} GROUP BY ${RANKS}, agent, access, "group"`,
    `SELECT 'tlds ' || coalesce(tld, 'none') || ' ' || ${cell} || ${all} FROM a WHERE ${isLast} GROUP BY tld, agent, access, "group"`,
    `SELECT 'weight ' || ${cell} || replace(${count('label', 'weight DESC, rank NULLS LAST, md5(site)')}, ' [', ' ' || regexp_replace(sum(weight)::DOUBLE::VARCHAR, '[.]0$', '') || ' [')
       FROM a JOIN w USING (site) WHERE ${isLast} GROUP BY agent, access, "group"`,
    `SELECT 'both ' || one.agent || ' ' || other.agent || ${count('one.label', 'one.rank NULLS LAST, md5(site)')}
       FROM (FROM a WHERE ${isLast} AND ${BLOCKED}) AS one JOIN (FROM a WHERE ${isLast} AND ${BLOCKED}) AS other USING (site)
       WHERE (SELECT place FROM agent WHERE name = one.agent) <= (SELECT place FROM agent WHERE name = other.agent) GROUP BY one.agent, other.agent`,
    `SELECT 'matrix ${last} = ' || count(*) FROM a WHERE ${isLast} AND agent = '${agents[0]}' AND ${KNOWN}`,
    ...(last === 0
      ? []
      : [
          `SELECT 'panel ' || census || ' ' || ${cell} || ${all} FROM a SEMI JOIN panel USING (site) GROUP BY census, agent, access, "group"`,
          `SELECT 'first ' || agent || ' ' || coalesce(first, '') || ${all} FROM (
             SELECT agent, site, rank, min(census) FILTER (${BLOCKED}) AS first, arg_min(label, CASE WHEN ${BLOCKED} THEN census ELSE 'z' || census END) AS label
             FROM a SEMI JOIN panel USING (site) GROUP BY agent, site, rank
           ) GROUP BY agent, first`,
        ]),
    ...pairs.map(
      ([
        from,
        to,
      ]) => `SELECT 'from ${from} ${to} ' || b.agent || ' ' || one.access || ' ' || b.access || ${count('b.label', 'b.rank NULLS LAST, md5(b.site)')}
       FROM (FROM a WHERE census = '${from}') AS one JOIN (FROM a WHERE census = '${to}') AS b USING (site, agent) GROUP BY b.agent, one.access, b.access`,
    ),
    `SELECT 'file ' || digest || ' ' || bytes || ' ' || rules || ' ' || array_to_string(generators, ', ') || ${sitesOnly}
       FROM f GROUP BY digest, bytes, rules, generators HAVING count(*) > 1`,
    `SELECT 'declaring' || ${sitesOnly} FROM f WHERE len(declarations) > 0 HAVING count(*) > 0`,
    `SELECT 'format ' || format || ${sitesOnly} FROM (SELECT DISTINCT site, rank, unnest(declarations).format AS format FROM f) GROUP BY format`,
    `SELECT 'use ' || agent || ' ' || purpose || ' ' || value || ${sitesOnly} FROM (${uses}) GROUP BY agent, purpose, value`,
    `SELECT 'contradiction ' || code || ${sitesOnly} FROM (SELECT DISTINCT site, rank, unnest(conflicts).code AS code FROM f)
       WHERE code IN ('formats-disagree', 'sources-disagree', 'use-without-crawl') GROUP BY code`,
    `SELECT 'named ' || token || ' ' || judged || ' ' || first || ${sitesOnly}
       FROM (SELECT DISTINCT f.site, f.rank, each.token AS token FROM (SELECT site, rank, unnest(named) AS each FROM f) AS f)
         JOIN (SELECT token, bool_or(judged) AS judged, min(census) AS first FROM named JOIN s USING (census, digest) GROUP BY token) USING (token)
       WHERE token <> '' GROUP BY token, judged, first`,
    `SELECT 'generator ' || name || ' ' || count(DISTINCT digest) || ${sitesOnly} FROM (SELECT site, rank, digest, unnest(generators) AS name FROM f) GROUP BY name`,
    `SELECT 'generated ' || name || ' ' || agent || ${all} FROM (SELECT site, unnest(generators) AS name FROM f)
       JOIN (FROM a WHERE ${isLast} AND ${BLOCKED}) USING (site) GROUP BY name, agent`,
    `SELECT 'size ' || start || ' ' || count(DISTINCT digest) || ${sitesOnly}
       FROM (SELECT *, list_max(list_filter(${SIZES}, lambda each: each <= bytes)) AS start FROM f) GROUP BY start`,
    `SELECT 'quantile ' || regexp_replace(share::VARCHAR, '[.]?0+$', '') || ' = ' || list(bytes ORDER BY bytes)[ceil(share * count(*))::INTEGER]
       FROM f, (VALUES ('0.5'::DECIMAL(3, 2)), (0.9), (0.99), (1)) AS q(share) GROUP BY share`,
    ...readings.flatMap((name) =>
      agents.map(
        (
          agent,
        ) => `SELECT 'read ${name} ${agent} ' || replace(access, 'listed-only', 'some') || ' ' || coalesce(read, '') || ${all}
         FROM (FROM a WHERE ${isLast} AND agent = '${agent}') JOIN (SELECT site, readAs."${name}"."${agent}" AS read FROM f) USING (site)
         GROUP BY replace(access, 'listed-only', 'some'), read`,
      ),
    ),
  ];
  try {
    for (const statement of statements) await database.run(statement);
    const rows: NumberRow[] = [];
    for (const query of queries)
      for (const row of await database.select<Record<string, string>>(query))
        rows.push(String(Object.values(row)[0]));
    return rows.sort();
  } finally {
    database.close();
  }
}
