/**
 * Opens censuses for queries.
 *
 * @module
 */
import { type CensusFolder, findCensuses } from './census-folder.ts';
import { Database, type DatabaseLimits } from './duckdb.ts';
import { createViews } from './views.ts';

/** Censuses that are open for queries. */
export interface OpenCensuses {
  readonly censuses: readonly CensusFolder[];
  /** Has the views `captures`, `files`, `censuses`, `sites`, `agents` and `access`. The caller closes it. */
  readonly database: Database;
}

/**
 * Opens censuses.
 *
 * @param folders - their paths, at least one.
 * @param otherFiles - absolute paths of further files that queries can read.
 * @throws {CensusError} if a folder has no complete census.
 * @throws {QueryError} if the database is not installed, or cannot read a table.
 */
export async function openCensuses(
  folders: readonly string[],
  limits: DatabaseLimits = {},
  otherFiles: readonly string[] = [],
): Promise<OpenCensuses> {
  const censuses = findCensuses(folders);
  const database = await Database.open(
    [...censuses.flatMap(({ captures, files }) => [captures, files]), ...otherFiles],
    limits,
  );
  try {
    for (const statement of createViews(censuses)) await database.run(statement);
  } catch (error) {
    database.close();
    throw error;
  }
  return { censuses, database };
}
