// Counts the responses of a crawl, and the sites by the size, the bytes and other readings of their files.
import type { Outcome } from '../../judge/outcome.ts';
import { OUTCOMES } from '../../judge/outcome.ts';
import type { Access } from '../../read-as/reading.ts';
import type { CensusFolder } from '../../sql/census-folder.ts';
import { quoteName, readTable } from '../../sql/sql-text.ts';
import {
  type CommonFile,
  type ReportCrawl,
  type ReportReading,
  SIZE_BOUNDS,
  type Sizes,
} from '../report-data.ts';
import type { CountingContext } from './count-access.ts';
import { type CountRow, EMPTY } from './example-pool.ts';

const MAX_STATUSES = 30;
const MAX_COMMON_FILES = 20;
const SHARES = [0.5, 0.9, 0.99, 1];

/** Counts the sites of a crawl by outcome and by HTTP status. */
export async function countResponses(
  { database, pool, signal }: CountingContext,
  crawl: number,
  { summary }: CensusFolder,
): Promise<Pick<ReportCrawl, 'outcomes' | 'statuses'>> {
  const outcomes = await database.select<CountRow & { readonly outcome: Outcome }>(
    `SELECT outcome, ${pool.columns} FROM site WHERE crawl = ${crawl} GROUP BY outcome`,
    signal,
  );
  const statuses = await database.select<CountRow & { readonly status: number | null }>(
    `SELECT status, ${pool.columns} FROM site WHERE crawl = ${crawl}
     GROUP BY status ORDER BY count DESC, status LIMIT ${MAX_STATUSES}`,
    signal,
  );
  return {
    outcomes: OUTCOMES.map((outcome) => ({
      outcome,
      captures: summary.outcomes[outcome] ?? 0,
      sites: pool.add(outcomes.find((row) => row.outcome === outcome) ?? EMPTY, { crawl }),
    })),
    statuses: statuses.map((row) => ({ status: row.status, sites: pool.add(row, { crawl }) })),
  };
}

/** Counts the files of a crawl, and the sites that have them, by size. */
export async function countSizes({ database, pool, signal }: CountingContext, crawl: number): Promise<Sizes> {
  const place = `list_last(list_filter(range(${SIZE_BOUNDS.length}), lambda place: [${SIZE_BOUNDS.join(', ')}][place + 1] <= bytes))`;
  const rows = await database.select<CountRow & { readonly place: number; readonly files: number }>(
    `SELECT ${place} AS place, count(DISTINCT file) AS files, ${pool.columns}
     FROM site JOIN judged USING (crawl, file) WHERE crawl = ${crawl} GROUP BY place`,
    signal,
  );
  const quantiles = await database.select<{ readonly bytes: readonly number[] | null }>(
    `SELECT quantile_disc(bytes, [${SHARES.join(', ')}]) AS bytes FROM site JOIN judged USING (crawl, file) WHERE crawl = ${crawl}`,
    signal,
  );
  const bytes = quantiles[0]?.bytes ?? [];
  return {
    classes: SIZE_BOUNDS.map((from, index) => {
      const row = rows.find((each) => each.place === index);
      return { from, files: row?.files ?? 0, sites: pool.add(row ?? EMPTY, { crawl }) };
    }),
    quantiles: bytes.map((each, index) => ({ share: SHARES[index] ?? 1, bytes: each })),
  };
}

/** Finds the files that most sites of a crawl have, after `createContents`. */
export async function findCommonFiles(
  { database, pool, signal }: CountingContext,
  crawl: number,
): Promise<readonly CommonFile[]> {
  const rows = await database.select<CountRow & Omit<CommonFile, 'sites'>>(
    `SELECT digest, bytes, rules, nullif(array_to_string(generators, ', '), '') AS generator, count, positions FROM (
       SELECT file, ${pool.columns} FROM site
       WHERE crawl = ${crawl} AND file IS NOT NULL GROUP BY file HAVING count(*) > 1
     ) JOIN judged USING (file) LEFT JOIN contents USING (file)
     WHERE crawl = ${crawl} ORDER BY count DESC, digest LIMIT ${MAX_COMMON_FILES}`,
    signal,
  );
  return rows.map(({ count, positions, ...file }) => ({
    ...file,
    sites: pool.add({ count, positions }, { crawl }),
  }));
}

/** Counts the sites with a file by the proved class and that of other readings. */
export async function countReadings(
  { database, pool, signal, agents }: CountingContext,
  crawl: number,
  { files, summary }: CensusFolder,
): Promise<readonly ReportReading[]> {
  const readings: ReportReading[] = [];
  for (const name of summary.readAs) {
    const list = (format: (agent: string) => string): string =>
      `[${agents.map(quoteName).map(format).join(', ')}]`;
    type Row = CountRow & {
      readonly agent: number;
      readonly proved: Access;
      readonly read: Access | null;
    };
    const rows = await database.select<Row>(
      `SELECT agent, proved, read, ${pool.columns}
       FROM (
         SELECT position, unnest(proved) AS proved, unnest(read) AS read, unnest(range(${agents.length})) AS agent
         FROM site JOIN (
           SELECT file_row_number AS file,
             ${list((agent) => `replace(agents.${agent}.class, 'listed-only', 'some')`)} AS proved,
             ${list((agent) => `readAs.${quoteName(name)}.${agent}`)} AS read
           FROM ${readTable(files, true)}
         ) USING (file) WHERE crawl = ${crawl}
       ) GROUP BY ALL ORDER BY agent, proved, read`,
      signal,
    );
    readings.push({
      name,
      agents: agents.map((_, agent) =>
        rows
          .filter((row) => row.agent === agent)
          .map((row) => ({ proved: row.proved, read: row.read, sites: pool.add(row, { crawl, agent }) })),
      ),
    });
  }
  return readings;
}
