// The folder of a complete census: its JSON file and its tables.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CensusError, type CensusSummary } from '../census-summary.ts';
import { parseSummary } from '../stored-summary.ts';

/** A complete census. */
export interface CensusFolder {
  /** The name of the folder, or its path if another census has the same name. */
  readonly name: string;
  readonly summary: CensusSummary;
  /** The absolute paths of the tables. */
  readonly captures: string;
  readonly files: string;
}

/**
 * Finds censuses.
 *
 * @param folders - their paths.
 * @throws {CensusError} if a folder has no complete census, or another version wrote it.
 */
export function findCensuses(folders: readonly string[]): readonly CensusFolder[] {
  const paths = folders.map((folder) => resolve(folder));
  const twice = paths.find((path, place) => paths.indexOf(path) < place);
  if (twice !== undefined) throw new CensusError(`${twice} is named twice`);
  const names = paths.map((path) => basename(path));
  return folders.map((folder, place) => {
    const name = names[place] as string;
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    return readCensus(folder, isUnique ? name : folder);
  });
}

function readCensus(folder: string, name: string): CensusFolder {
  const path = join(folder, 'census.json');
  const text = readSummary(folder, path);
  const summary = parseSummary(text, path, 'judge again');
  // The JSON file of a part was renamed.
  if (summary.part.count > 1) throw new CensusError(`${path} is damaged; judge again`);
  for (const { file, bytes } of Object.values(summary.tables))
    if (statSync(join(folder, file), { throwIfNoEntry: false })?.size !== bytes)
      throw new CensusError(`${join(folder, file)} is missing or damaged; judge again`);
  const getTable = (table: 'captures' | 'files'): string => resolve(folder, summary.tables[table].file);
  return { name, summary, captures: getTable('captures'), files: getTable('files') };
}

function readSummary(folder: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
    const hasParts = names.some((name) => /^census-\d+-of-\d+\.json$/.test(name));
    throw new CensusError(
      hasParts
        ? `${folder} has parts of a census: maycrawl census merge combines them`
        : `${folder} has no complete census: there is no census.json`,
      { cause },
    );
  }
}

/** Returns the agents that all crawls have, in the order of the last one. @throws {CensusError} if they have no agent in common. */
export function findCommonAgents(crawls: readonly CensusFolder[]): readonly string[] {
  const agents = crawls
    .at(-1)
    ?.summary.agents.filter((agent) => crawls.every(({ summary }) => summary.agents.includes(agent)));
  if (agents === undefined || agents.length === 0)
    throw new CensusError(`${crawls.map(({ name }) => name).join(', ')} have no agent in common`);
  return agents;
}

/** Returns the crawl of Common Crawl in the paths of all inputs, such as `CC-MAIN-2023-50`; `null` without one, or with several. */
export function findCollection({ inputs }: CensusSummary): string | null {
  const collections = new Set(inputs.map(({ path }) => /CC-MAIN-\d{4}-\d{2}/.exec(path)?.[0] ?? null));
  const [collection = null] = collections.size === 1 ? collections : [];
  return collection;
}
