// Opens censuses for queries.
import { checkOptions, requireStrings } from '@maycrawl/core/internal';
import { type CensusFolder, findCensuses } from './census-folder.ts';
import { Database, type DatabaseLimits } from './duckdb.ts';
import { createAgentViews, createViews } from './views.ts';

/** How censuses are opened. */
export interface OpenOptions extends DatabaseLimits {
  /** Absolute paths of further files that queries can read. */
  readonly otherFiles?: readonly string[];
  /** Whether to create the views `agents` and `access`, which takes time for each agent. @defaultValue `true` */
  readonly hasAgentViews?: boolean;
  /** Its abort ends the work. */
  readonly signal?: AbortSignal | undefined;
}

/** Censuses that are open for queries. */
export interface OpenCensuses {
  readonly censuses: readonly CensusFolder[];
  /** Has the views `captures`, `files`, `censuses`, `sites`, `named`, `agents` and `access`. The caller closes it. */
  readonly database: Database;
}

/**
 * Opens censuses.
 *
 * @param folders - their paths, at least one.
 * @throws {CensusError} if a folder has no complete census.
 * @throws {QueryError} if the database is not installed, or cannot read a table.
 * @throws the signal's reason if it is aborted.
 */
export async function openCensuses(
  folders: readonly string[],
  options: OpenOptions = {},
): Promise<OpenCensuses> {
  checkOptions<OpenOptions>('openCensuses', options, {
    ...{ memory: 'number', threads: 'number', otherFiles: 'array', hasAgentViews: 'boolean' },
    signal: 'object',
  });
  const { otherFiles = [], hasAgentViews = true, signal, ...limits } = options;
  requireStrings('folders of censuses', folders);
  requireStrings('openCensuses: otherFiles', otherFiles);
  const censuses = findCensuses(folders);
  const tables = censuses.flatMap(({ captures, files }) => [captures, files]);
  const database = await Database.open([...tables, ...otherFiles], limits);
  try {
    const statements = [...createViews(censuses), ...(hasAgentViews ? createAgentViews(censuses) : [])];
    for (const statement of statements) await database.run(statement, signal);
  } catch (error) {
    database.close();
    throw error;
  }
  return { censuses, database };
}
