// Counts sites by the tables of the user: a table has the name of a site in its first column, and what it says about the site in others.
import { QueryError } from '../../sql/duckdb.ts';
import { quoteName, quoteText } from '../../sql/sql-text.ts';
import { nameUserTable, type UserTable } from '../../sql/user-tables.ts';
import { MAX_CATEGORIES, type ReportCategory, type Stratum } from '../report-data.ts';
import { type CountingContext, countStrata } from './count-access.ts';
import { toName } from './site-files.ts';

/**
 * Counts the sites of a crawl by each column of texts of some tables. A name of a table is that of a site; otherwise of the site with
 * `www.` before it; otherwise of all sites of the registrable domain. A site with several rows is in each of their categories.
 *
 * @throws {QueryError} if a table has no column of texts behind the first one.
 */
export async function countCategories(
  context: CountingContext,
  crawl: number,
  tables: readonly UserTable[],
): Promise<readonly ReportCategory[]> {
  const result: ReportCategory[] = [];
  for (const { name, path } of tables) {
    const columns = await context.database.select<{ readonly name: string; readonly type: string }>(
      `SELECT column_name AS name, data_type AS type FROM duckdb_columns()
       WHERE database_name = 'memory' AND table_name = ${quoteText(name)} ORDER BY column_index`,
      context.signal,
    );
    const [key, ...others] = columns;
    const texts = others.filter(({ type }) => type === 'VARCHAR' || type === 'BOOLEAN');
    if (key === undefined || texts.length === 0)
      throw new QueryError(`${path}: the table needs a column of sites, and one of texts such as categories`);
    for (const column of texts)
      result.push(await countCategory(context, crawl, { table: name, key: key.name, column: column.name }));
  }
  return result;
}

interface CategoryColumn {
  readonly table: string;
  readonly key: string;
  readonly column: string;
}

async function countCategory(
  context: CountingContext,
  crawl: number,
  { table, key, column }: CategoryColumn,
): Promise<ReportCategory> {
  const { database, signal } = context;
  await database.run(
    `CREATE OR REPLACE TEMP TABLE categorised AS
     WITH rows AS (
       SELECT DISTINCT ${toName(`${quoteName(key)}::VARCHAR`)} AS name, ${quoteName(column)}::VARCHAR AS value
       FROM ${nameUserTable(table)} WHERE coalesce(${quoteName(column)}::VARCHAR, '') <> ''
     ),
     keys AS MATERIALIZED (SELECT DISTINCT name FROM rows),
     present AS (SELECT position, site, domain FROM names SEMI JOIN (SELECT position FROM site WHERE crawl = ${crawl}) USING (position)),
     found AS (
       SELECT position, coalesce(own.name, bare.name, parent.name) AS name
       FROM present LEFT JOIN keys AS own ON own.name = site
         LEFT JOIN keys AS bare ON 'www.' || bare.name = site
         LEFT JOIN keys AS parent ON parent.name = domain
     )
     SELECT position, value FROM found JOIN rows USING (name)`,
    signal,
  );
  const values = await database.select<{ readonly value: string }>(
    `SELECT value FROM categorised GROUP BY value ORDER BY count(*) DESC, value LIMIT ${MAX_CATEGORIES}`,
    signal,
  );
  const [total] = await database.select<{ readonly sites: number }>(
    'SELECT count(DISTINCT position) AS sites FROM categorised',
    signal,
  );
  const names = values.map(({ value }) => value);
  const place = `CASE WHEN value IS NULL THEN ${names.length + 1}
    ELSE coalesce(list_position([${names.map(quoteText).join(', ')}]::VARCHAR[], value) - 1, ${names.length}) END`;
  const source = `(SELECT DISTINCT site.*, ${place} AS place FROM site LEFT JOIN categorised USING (position))`;
  const strata = await countStrata(context, crawl, 'place', { source });
  const strataByPlace = [...names, null, null].map((name, index): Stratum | null => {
    const stratum = strata.get(index);
    return stratum === undefined ? null : { name: name ?? '', ...stratum };
  });
  return {
    ...{ table, column, sites: total?.sites ?? 0 },
    values: strataByPlace.slice(0, names.length).filter((stratum) => stratum !== null),
    others: strataByPlace[names.length] ?? null,
    missing: strataByPlace[names.length + 1] ?? null,
  };
}
