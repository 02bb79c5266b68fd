// Opens censuses for queries.
import { checkOptions, requireStrings } from '@maycrawl/core/internal';
import { type AgentGroup, createGroupViews, resolveGroups } from './agent-groups.ts';
import { createAgentViews } from './agent-views.ts';
import { type CensusFolder, findCensuses } from './census-folder.ts';
import { Database, type DatabaseLimits } from './duckdb.ts';
import { createUserTables, loadUserTables, resolveTable, type UserTable } from './user-tables.ts';
import { createViews } from './views.ts';

/** What queries see besides the views of the censuses. */
export interface ViewOptions {
  /** Files that queries see as tables. */
  readonly tables?: readonly UserTable[];
  /** Groups of agents, for the views `agent_groups` and `group_access`. */
  readonly groups?: readonly AgentGroup[];
}

/** How censuses are opened. */
export interface OpenOptions extends DatabaseLimits, ViewOptions {
  /** Absolute paths of further files that queries can read. */
  readonly otherFiles?: readonly string[];
  /** Whether to create the views with a row for each agent: `agents`, `access` and those of groups. @defaultValue `true` */
  readonly hasAgentViews?: boolean;
  /** Its abort ends the work. */
  readonly signal?: AbortSignal | undefined;
}

/** Censuses that are open for queries. */
export interface OpenCensuses {
  readonly censuses: readonly CensusFolder[];
  /** Has the views `captures`, `files`, `censuses`, `sites`, `named`, `agents` and `access`, and the tables. The caller closes it. */
  readonly database: Database;
}

/**
 * Opens censuses.
 *
 * @param folders - their paths, at least one.
 * @throws {CensusError} if a folder has no complete census, or no agent of a group.
 * @throws {QueryError} if the database is not installed, or cannot read a table.
 * @throws the signal's reason if it is aborted.
 */
export async function openCensuses(
  folders: readonly string[],
  options: OpenOptions = {},
): Promise<OpenCensuses> {
  checkOptions<OpenOptions>('openCensuses', options, {
    ...{ memory: 'number', threads: 'number', otherFiles: 'array', hasAgentViews: 'boolean' },
    ...{ tables: 'array', groups: 'array', signal: 'object' },
  });
  const { otherFiles = [], hasAgentViews = true, tables = [], groups = [], signal, ...limits } = options;
  requireStrings('folders of censuses', folders);
  requireStrings('openCensuses: otherFiles', otherFiles);
  const censuses = findCensuses(folders);
  const statements = createStatements(censuses, groups, hasAgentViews);
  const read = censuses.flatMap(({ captures, files }) => [captures, files]);
  const userTables = tables.map(resolveTable);
  const database = await Database.open(
    [...read, ...otherFiles, ...userTables.map(({ path }) => path)],
    limits,
  );
  try {
    for (const statement of statements) await database.run(statement, signal);
    await loadUserTables(database, userTables, signal);
  } catch (error) {
    database.close();
    throw error;
  }
  return { censuses, database };
}

/**
 * Returns the statements that create the views of {@link openCensuses} in any DuckDB, in their order. They have the absolute paths of the
 * tables. Opens no database.
 *
 * @param folders - the paths of censuses, at least one.
 * @throws {CensusError} if a folder has no complete census, or no agent of a group.
 */
export function createViewStatements(
  folders: readonly string[],
  options: ViewOptions = {},
): readonly string[] {
  checkOptions<ViewOptions>('createViewStatements', options, { tables: 'array', groups: 'array' });
  requireStrings('folders of censuses', folders);
  const { tables = [], groups = [] } = options;
  return [
    ...createStatements(findCensuses(folders), groups, true),
    ...createUserTables(tables.map(resolveTable)),
  ];
}

function createStatements(
  censuses: readonly CensusFolder[],
  groups: readonly AgentGroup[],
  hasAgentViews: boolean,
): readonly string[] {
  const resolved = resolveGroups(groups, censuses);
  const agentViews = hasAgentViews ? [...createAgentViews(censuses), ...createGroupViews(resolved)] : [];
  return [...createViews(censuses), ...agentViews];
}
