// Counts the crawlers that files name, whether the census judged them or not.
import { CRAWLER_RECORDS } from '@maycrawl/core/crawlers';
import type { CensusFolder } from '../../sql/census-folder.ts';
import { quoteText, readTable } from '../../sql/sql-text.ts';
import { getJudgedTokens, selectNamedToken } from '../../sql/views.ts';
import { MAX_NAMED, type NamedToken } from '../report-data.ts';
import type { CountingContext } from './count-access.ts';
import type { CountRow } from './example-pool.ts';

/** Counts the sites of the last crawl whose files name a token: those of the most sites, and the crawl in which each appears first. */
export async function countNamed(
  { database, pool, signal, agents }: CountingContext,
  crawls: readonly CensusFolder[],
): Promise<readonly NamedToken[]> {
  const select = (index: number): string =>
    `SELECT DISTINCT position, unnest(list_transform(named, lambda each: ${selectNamedToken('each')})) AS token
     FROM site JOIN (SELECT file_row_number AS file, named FROM ${readTable(crawls[index]?.files ?? '', true)}) USING (file)
     WHERE crawl = ${index}`;
  const last = crawls.length - 1;
  const rows = await database.select<CountRow & { readonly token: string }>(
    `SELECT token, ${pool.columns} FROM (${select(last)}) WHERE token <> ''
     GROUP BY token ORDER BY count DESC, token LIMIT ${MAX_NAMED}`,
    signal,
  );
  const first = new Map<string, number>();
  const tokens = rows.map(({ token }) => quoteText(token)).join(', ');
  for (let crawl = last; crawl >= 0 && rows.length > 0; crawl--) {
    const found = await database.select<{ readonly token: string }>(
      `SELECT DISTINCT token FROM (${select(crawl)}) WHERE token IN (${tokens})`,
      signal,
    );
    for (const { token } of found) first.set(token, crawl);
  }
  const judged = getJudgedTokens(agents);
  return rows.map((row) => {
    const record = CRAWLER_RECORDS.find(({ token }) => token.toLowerCase() === row.token);
    return {
      token: record?.token ?? row.token,
      operator: record?.operator ?? null,
      isJudged: judged.has(row.token),
      firstCrawl: first.get(row.token) ?? last,
      sites: pool.add(row, { crawl: last }),
    };
  });
}
