// Merges the parts of a census. The files are those of one run over all inputs, byte by byte. One row group of a part is in memory.

import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkOptions, requireStrings } from '@maycrawl/core/internal';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import {
  CensusError,
  type CensusSettings,
  type CensusSummary,
  formatFileName,
  SETTING_NAMES,
} from './census-summary.ts';
import { CensusWriter } from './census-writer.ts';
import { combineDigests } from './inputs-digest.ts';
import { type InputPlaces, parseSummary, readComplete } from './stored-summary.ts';
import { CAPTURE_COLUMNS, createFileColumns } from './tables/columns.ts';
import { createSchema, type TableSchema } from './tables/parquet-columns.ts';
import { type StoredRow, toStoredColumn } from './tables/stored-columns.ts';
import { createBatch } from './tables/table-batch.ts';

/** How parts are merged. */
export interface MergeOptions {
  /** The folder of the result. It is created. */
  readonly folder: string;
  /** Its abort ends the work. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of captures so far. */
  readonly onProgress?: (captures: number) => void;
}

/** A part: its JSON file. */
interface StoredPart {
  readonly folder: string;
  readonly path: string;
  readonly summary: CensusSummary;
}

type TableName = keyof CensusSummary['tables'];

const PART_FILE = /^census-\d+-of-\d+\.json$/;
/** Settings that differ between the parts of a census. */
const OWN_SETTINGS: ReadonlySet<string> = new Set(['part', 'inputsDigest']);

/**
 * Merges parts. A result that is complete is not written again.
 *
 * @param folders - each with one part or several.
 * @throws {CensusError} if a part is missing, damaged, there twice, or of another census.
 * @throws the signal's reason if it is aborted: then no file remains.
 * @throws the error of the file system.
 */
export async function mergeCensus(
  folders: readonly string[],
  options: MergeOptions,
): Promise<{ readonly summary: CensusSummary; readonly isComplete: boolean }> {
  checkOptions<MergeOptions>(
    'mergeCensus',
    options,
    { folder: 'string', signal: 'object', onProgress: 'function' },
    ['folder'],
  );
  requireStrings('mergeCensus: folders', folders);
  const { folder, signal, onProgress } = options;
  const parts = folders.flatMap(readParts);
  parts.sort((a, b) => a.summary.part.index - b.summary.part.index);
  const settings = combineSettings(parts);
  const path = join(folder, formatFileName(settings.part, 'census', 'json'));
  const complete = readComplete(path, settings, folder, createPlaces(parts));
  // Parts with inputs that could not be read may have been judged again.
  if (complete?.unreadable === 0) return { summary: complete.summary, isComplete: true };
  const captures = createSchema(CAPTURE_COLUMNS.map(toStoredColumn));
  const files = createSchema(
    createFileColumns(settings.agents, settings.readAs, settings.lint).map(toStoredColumn),
  );
  const schemas = { captures, files };
  for (const part of parts) await checkTables(part, schemas, signal);
  const writer = new CensusWriter(settings, folder);
  try {
    for (const part of parts) {
      for await (const rows of readRows(part, 'captures', signal)) {
        writer.addCaptures(createBatch(captures.leaves, rows));
        onProgress?.(writer.progress.captures);
      }
      for await (const rows of readRows(part, 'files', signal))
        writer.addFiles(createBatch(files.leaves, rows));
      for (const input of part.summary.inputs) writer.addInput(input);
    }
    return { summary: await writer.finish(complete), isComplete: false };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** Reads the JSON files of the parts in a folder. A census that is not divided is a part, too. */
function readParts(folder: string): StoredPart[] {
  const names = readdirSync(folder);
  const parts = names.filter((name) => PART_FILE.test(name));
  const found = parts.length > 0 ? parts : names.filter((name) => name === 'census.json');
  if (found.length === 0) throw new CensusError(`${folder} has no complete part of a census`);
  return found.map((name) => {
    const path = join(folder, name);
    const summary = parseSummary(readFileSync(path, 'utf8'), path, 'remove it and judge the part again');
    if (formatFileName(summary.part, 'census', 'json') === name) return { folder, path, summary };
    throw new CensusError(`${path} is damaged; remove it and judge the part again`);
  });
}

/** Checks that the parts are all parts of one census, in their order, and returns its settings. */
function combineSettings(parts: readonly StoredPart[]): CensusSettings {
  const [first, ...others] = parts;
  if (first === undefined) throw new CensusError('there is no part of a census');
  for (const { path, summary } of others) {
    for (const key of Object.keys(SETTING_NAMES) as (keyof CensusSettings)[])
      if (!OWN_SETTINGS.has(key) && JSON.stringify(summary[key]) !== JSON.stringify(first.summary[key]))
        throw new CensusError(`${path} and ${first.path} have different ${SETTING_NAMES[key]}`);
    if (summary.part.count !== first.summary.part.count)
      throw new CensusError(`${path} and ${first.path} have different numbers of parts`);
    if (summary.part.manifestSha256 !== first.summary.part.manifestSha256)
      throw new CensusError(`${path} and ${first.path} are parts of different lists of inputs`);
  }
  const { format, maycrawl, core, catalogue, profile, agents, readAs, lint, part } = first.summary;
  const twice = parts.find(
    ({ summary }, place) => summary.part.index === parts[place - 1]?.summary.part.index,
  );
  if (twice !== undefined) throw new CensusError(`${twice.path}: the part is given twice`);
  const present = new Set(parts.map(({ summary }) => summary.part.index));
  const missing = Array.from({ length: part.count }, (_, place) => place + 1).filter(
    (index) => !present.has(index),
  );
  if (missing.length > 0) {
    const list = missing.slice(0, 20).join(', ') + (missing.length > 20 ? ' and others' : '');
    throw new CensusError(`${missing.length} of ${part.count} parts are missing: ${list}`);
  }
  const inputsDigest = others.reduce(
    (digest, { summary }) => combineDigests(digest, summary.inputsDigest, countInputs(summary)),
    first.summary.inputsDigest,
  );
  return {
    ...{ format, maycrawl, core, catalogue, profile, agents, readAs, lint },
    ...{ part: { index: 1, count: 1 }, inputsDigest },
  };
}

function countInputs({ inputs }: CensusSummary): number {
  return inputs.reduce((sum, { count }) => sum + count, 0);
}

function createPlaces(parts: readonly StoredPart[]): InputPlaces {
  const paths = new Map<number, string>();
  let place = 0;
  for (const { path, count } of parts.flatMap(({ summary }) => summary.inputs)) {
    paths.set(place, path);
    place += count;
  }
  return { count: place, getPath: (each) => paths.get(each) };
}

type Schemas = Readonly<Record<TableName, TableSchema<StoredRow>>>;

/** Checks SHA-256 and columns of the tables of a part. */
async function checkTables(
  { folder, path, summary }: StoredPart,
  schemas: Schemas,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const table of ['captures', 'files'] as const) {
    const { file, sha256 } = summary.tables[table];
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(join(folder, file)), hash, { ...(signal && { signal }) });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new CensusError(`${join(folder, file)} cannot be read; remove ${path} and judge the part again`, {
        cause,
      });
    }
    if (hash.digest('hex') !== sha256)
      throw new CensusError(`${join(folder, file)} is damaged; remove ${path} and judge the part again`);
    const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(join(folder, file)));
    const names = schema.map(({ name }) => name);
    if (names.join() !== schemas[table].elements.map(({ name }) => name).join())
      throw new CensusError(
        `${join(folder, file)} does not have the columns of ${path}; remove it and judge the part again`,
      );
  }
}

/** Reads the rows of a table, one row group after another. */
async function* readRows(
  { folder, summary }: StoredPart,
  table: TableName,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredRow[]> {
  const file = await asyncBufferFromFile(join(folder, summary.tables[table].file));
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    signal?.throwIfAborted();
    const rowEnd = rowStart + Number(group.num_rows);
    yield await parquetReadObjects({ file, metadata, rowStart, rowEnd });
    rowStart = rowEnd;
  }
}
