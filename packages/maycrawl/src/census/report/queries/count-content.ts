// Counts what files say besides their rules: declarations about the use of content, contradictions, and the software that wrote them.
import type { ConflictCode } from '@maycrawl/core/preferences';
import type { CensusFolder } from '../../sql/census-folder.ts';
import { quoteText, readTable } from '../../sql/sql-text.ts';
import type { Declarations, FileGenerator } from '../report-data.ts';
import type { SiteCount } from '../site-count.ts';
import type { CountingContext } from './count-access.ts';
import { type CountRow, EMPTY } from './example-pool.ts';
import { BLOCKED_CODES } from './site-codes.ts';

/** Contradictions. Differences between readings of one declaration are not among them. */
const CONTRADICTIONS: readonly (readonly [code: ConflictCode, title: string])[] = [
  ['formats-disagree', 'One format allows a use, and another one refuses it'],
  ['sources-disagree', 'One place allows a use, and another one refuses it'],
  ['use-without-crawl', 'A use is allowed, but the rules forbid the crawler to fetch the home page'],
];
const MAX_NOTE_CHARS = 200;

/** Creates the table `contents` of the files that say something besides their rules. */
export async function createContents(
  { database, signal }: CountingContext,
  { files }: CensusFolder,
): Promise<void> {
  await database.run(
    `CREATE TEMP TABLE contents AS SELECT file_row_number AS file, declarations, omittedDeclarations, conflicts, generators
     FROM ${readTable(files, true)}
     WHERE len(declarations) + omittedDeclarations + len(conflicts) + len(generators) > 0`,
    signal,
  );
}

/** Counts the declarations of a crawl, after {@link createContents}. */
export async function countDeclarations(context: CountingContext, crawl: number): Promise<Declarations> {
  const { database, pool, signal } = context;
  const sites = `site JOIN contents USING (file) WHERE crawl = ${crawl}`;
  const [total] = await database.select<{ readonly sites: number }>(
    `SELECT count(file) AS sites FROM site WHERE crawl = ${crawl}`,
    signal,
  );
  const [declaring] = await database.select<CountRow>(
    `SELECT ${pool.columns} FROM ${sites} AND len(declarations) + omittedDeclarations > 0`,
    signal,
  );
  const formats = await database.select<CountRow & { readonly format: string }>(
    `SELECT format, ${pool.columns} FROM (
       SELECT position, unnest(list_distinct(list_transform(declarations, lambda each: each.format))) AS format FROM ${sites}
     ) GROUP BY format ORDER BY count DESC, format`,
    signal,
  );
  const conflicts = await database.select<CountRow & { readonly code: string }>(
    `SELECT code, ${pool.columns} FROM (
       SELECT position, unnest(list_distinct(list_transform(conflicts, lambda each: each.code))) AS code FROM ${sites}
     ) GROUP BY code`,
    signal,
  );
  return {
    sites: total?.sites ?? 0,
    declaring: pool.add(declaring ?? EMPTY, { crawl }),
    formats: formats.map((row) => ({ format: row.format, sites: pool.add(row, { crawl }) })),
    uses: await countUses(context, crawl, sites),
    contradictions: CONTRADICTIONS.flatMap(([code, title]) => {
      const row = conflicts.find((each) => each.code === code);
      return row === undefined ? [] : [{ code, title, sites: pool.add(row, { crawl }) }];
    }),
  };
}

/** The place of "all agents" before the others. */
const ALL_AGENTS = -1;

/** Counts the declared uses: to all agents by declarations before the first group or in a group for `*`, and to agents by name. */
async function countUses(
  { database, pool, signal, agents }: CountingContext,
  crawl: number,
  sites: string,
): Promise<Declarations['uses']> {
  type Row = CountRow & {
    readonly agent: number;
    readonly purpose: string;
    readonly value: 'allowed' | 'disallowed';
    readonly notes: readonly string[];
  };
  const names = `[${agents.map((agent) => quoteText(agent.toLowerCase())).join(', ')}]`;
  const rows = await database.select<Row>(
    `WITH declared AS (SELECT position, unnest(declarations) AS each FROM ${sites}),
     named AS (
       SELECT position, each, coalesce(string_split(lower(each.agents), ', '), ['*']) AS names FROM declared
       WHERE each.purpose IS NOT NULL AND each.value IN ('allowed', 'disallowed')
     ),
     uses AS (
       SELECT position, each, unnest(list_concat(
         CASE WHEN list_contains(names, '*') THEN [${ALL_AGENTS}::BIGINT] ELSE [] END,
         list_filter(range(${agents.length}), lambda agent: list_contains(names, ${names}[agent + 1]))
       )) AS agent FROM named
     ),
     distinct_uses AS (
       SELECT agent, each.purpose AS purpose, each.value AS value, position,
         min({'line': each.line, 'text': each.format || ': ' || each.text}).text[:${MAX_NOTE_CHARS}] AS note
       FROM uses GROUP BY ALL
     )
     SELECT * EXCLUDE (first), list_transform(first, lambda each: each.position) AS positions,
       list_transform(first, lambda each: each.note) AS notes
     FROM (
       SELECT agent, purpose, value, count(*) AS count, min({'position': position, 'note': note}, ${pool.size}) AS first
       FROM distinct_uses GROUP BY agent, purpose, value
     ) ORDER BY agent, count DESC, purpose, value`,
    signal,
  );
  return rows.map((row) => ({
    agent: row.agent === ALL_AGENTS ? null : row.agent,
    purpose: row.purpose,
    value: row.value,
    sites: pool.add(row, { crawl, notes: row.notes }),
  }));
}

/** Counts the sites of each generator, after {@link createContents}. The generators of most sites are first. */
export async function countGenerators(
  { database, pool, signal, agents }: CountingContext,
  crawl: number,
): Promise<readonly FileGenerator[]> {
  const sites = `FROM site JOIN contents USING (file) WHERE crawl = ${crawl}`;
  type Row = CountRow & { readonly name: string; readonly files: number };
  const rows = await database.select<Row>(
    `SELECT name, count(DISTINCT file) AS files, ${pool.columns}
     FROM (SELECT file, position, unnest(generators) AS name ${sites}) GROUP BY name ORDER BY count DESC, name`,
    signal,
  );
  const blocked = await database.select<CountRow & { readonly name: string; readonly agent: number }>(
    `SELECT name, agent, ${pool.columns}
     FROM (
       SELECT name, position, unnest(codes) AS code, unnest(range(${agents.length})) AS agent
       FROM (SELECT codes, position, unnest(generators) AS name ${sites})
     ) WHERE code IN ${BLOCKED_CODES} GROUP BY name, agent`,
    signal,
  );
  return rows.map((row) => ({
    name: row.name,
    files: row.files,
    sites: pool.add(row, { crawl }),
    blocked: agents.map((_, agent): SiteCount => {
      const own = blocked.find((each) => each.name === row.name && each.agent === agent);
      return pool.add(own ?? EMPTY, { crawl, agent });
    }),
  }));
}
