/**
 * Writes a census to a folder: the tables `captures` and `files`, and a JSON file about them. The JSON file is written last: where it is,
 * the census is complete.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveAgent } from '@maycrawl/core';
import type { InputTotalsData } from './input-totals.ts';
import { STANDARD_INPUT } from './inputs/find-inputs.ts';
import type { InputFile } from './inputs/task.ts';
import { OUTCOMES, type Outcome } from './judge/outcome.ts';
import { type JudgedTask, type JudgeInputsOptions, judgeInputs } from './judge-inputs.ts';
import { CAPTURE_COLUMNS, type CaptureRow, createFileColumns, type FileRow } from './tables/columns.ts';
import { ParquetTable, type WrittenTable } from './tables/parquet-table.ts';

/** The version of the tables and of the JSON file. */
const FORMAT = 1;

const CAPTURES_PER_GROUP = 50_000;
const FILES_PER_GROUP = 5_000;

/** One of several parts of a census. */
export interface Part {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** How a census is written. */
export interface CensusOptions extends JudgeInputsOptions {
  /** The folder. It is created. */
  readonly folder: string;
  /** The version of maycrawl, for the JSON file. */
  readonly version: string;
  /** Which part of a census the inputs are. @defaultValue the only one */
  readonly part?: Part | undefined;
  /** Receives the number of captures and bytes so far. */
  readonly onProgress?: (progress: CensusProgress) => void;
}

/** How far a census is. */
export interface CensusProgress {
  readonly captures: number;
  readonly files: number;
  /** Bytes of the inputs that were read. */
  readonly bytes: number;
}

/** What one task read: the path of its first input, and the number of its inputs. */
export type JudgedInput = { readonly path: string; readonly count: number } & InputTotalsData;

/** What a census depends on. A census with other settings is another one. */
interface CensusSettings {
  readonly format: number;
  readonly maycrawl: string;
  readonly profile: string;
  /** The resolved names of the agents, which are the fields of the column `agents`. */
  readonly agents: readonly string[];
  /** The readings by which files are classified, too. */
  readonly readAs: readonly string[];
  readonly part: Part;
  /** The SHA-256 of the paths and lengths of all inputs. */
  readonly inputsSha256: string;
}

/** The JSON file of a census. */
export interface CensusSummary extends CensusSettings {
  readonly captures: number;
  readonly files: number;
  /** The number of captures by outcome. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** The number of files whose class is undecided, by agent. */
  readonly undecided: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<'captures' | 'files', WrittenTable & { readonly file: string }>>;
  readonly inputs: readonly JudgedInput[];
}

/** A folder that has another census, or a damaged one. */
export class CensusError extends Error {
  override readonly name = 'CensusError';
}

/**
 * Judges inputs and writes the tables. A census that is complete is not written again.
 *
 * @throws {RangeError} if an agent or the profile does not exist, or two agents have the same name.
 * @throws {CensusError} if the folder has a census with other inputs or settings.
 * @throws the signal's reason if it is aborted: then no file remains.
 * @throws the error of the file system.
 */
export async function writeCensus(
  inputs: readonly InputFile[],
  options: CensusOptions,
): Promise<{ readonly summary: CensusSummary; readonly isComplete: boolean }> {
  const settings = createSettings(inputs, options);
  const name = (table: string, extension: string): string =>
    `${table}${formatPart(settings.part)}.${extension}`;
  const path = join(options.folder, name('census', 'json'));
  const complete = readComplete(path, settings, options.folder);
  if (complete !== undefined && inputs.some((input) => input.path === STANDARD_INPUT))
    throw new CensusError(`${path} is there already, and standard input may differ; choose another folder`);
  if (complete !== undefined) return { summary: complete, isComplete: true };
  mkdirSync(options.folder, { recursive: true });
  const writer = new CensusWriter(settings, options.folder, name);
  try {
    for await (const result of judgeInputs(inputs, options)) {
      writer.add(result);
      options.onProgress?.(writer.progress);
    }
    const summary = writer.finish();
    await writeDurably(path, `${JSON.stringify(summary, undefined, 2)}\n`);
    removeUnfinished(
      options.folder,
      ['captures', 'files'].map((table) => name(table, 'parquet')).concat(name('census', 'json')),
    );
    return { summary, isComplete: false };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function createSettings(inputs: readonly InputFile[], options: CensusOptions): CensusSettings {
  const { version, profile, agents, readAs = [], part = { index: 1, count: 1 } } = options;
  const names = agents.map((agent) => resolveAgent(agent).name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new RangeError(`the agent ${twice} is there twice`);
  const hash = createHash('sha256');
  for (const { path, bytes } of inputs) hash.update(`${JSON.stringify([path, bytes])}\n`);
  return {
    format: FORMAT,
    maycrawl: version,
    profile,
    agents: names,
    readAs,
    part,
    inputsSha256: hash.digest('hex'),
  };
}

/** Formats a part for the names of files: `-003-of-020`; empty if it is the only one. */
function formatPart({ index, count }: Part): string {
  if (count === 1) return '';
  const digits = String(count).length;
  return `-${String(index).padStart(digits, '0')}-of-${count}`;
}

/** Reads the JSON file of a complete census; `undefined` if there is no such file. */
function readComplete(path: string, settings: CensusSettings, folder: string): CensusSummary | undefined {
  let summary: CensusSummary;
  try {
    summary = JSON.parse(readFileSync(path, 'utf8')) as CensusSummary;
  } catch (error) {
    // Without the folder, there is no file: creating the folder reports what is wrong with its path.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new CensusError(`${path} cannot be read; remove it to judge again`, { cause: error });
  }
  for (const key of Object.keys(settings) as (keyof CensusSettings)[])
    if (JSON.stringify(summary[key]) !== JSON.stringify(settings[key]))
      throw new CensusError(`${path} is of a census with other ${NAMES[key]}; choose another folder`);
  for (const { file, bytes } of Object.values(summary.tables))
    if (statSync(join(folder, file), { throwIfNoEntry: false })?.size !== bytes)
      throw new CensusError(`${join(folder, file)} is missing or damaged; remove ${path} to judge again`);
  return summary;
}

const NAMES: Readonly<Record<keyof CensusSettings, string>> = {
  format: 'tables',
  maycrawl: 'versions of maycrawl',
  profile: 'profiles',
  agents: 'agents',
  readAs: 'readings',
  part: 'parts',
  inputsSha256: 'inputs',
};

/** Removes what runs left that were killed. @param names - of the files of this census. */
function removeUnfinished(folder: string, names: readonly string[]): void {
  for (const file of readdirSync(folder)) {
    const [, name = ''] = /^(.*)\.\d+\.tmp$/.exec(file) ?? [];
    if (names.includes(name)) rmSync(join(folder, file), { force: true });
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/** Collects the results of tasks. */
class CensusWriter {
  readonly #settings: CensusSettings;
  readonly #name: (table: string, extension: string) => string;
  readonly #captures: ParquetTable<CaptureRow>;
  readonly #files: ParquetTable<FileRow>;
  readonly #inputs: JudgedInput[] = [];
  readonly #outcomes: Record<Outcome, number>;
  readonly #undecided: Record<string, number>;
  #captureCount = 0;
  #fileCount = 0;
  #bytes = 0;

  constructor(settings: CensusSettings, folder: string, name: (table: string, extension: string) => string) {
    this.#settings = settings;
    this.#name = name;
    this.#outcomes = Object.fromEntries(OUTCOMES.map((each) => [each, 0])) as Record<Outcome, number>;
    this.#undecided = Object.fromEntries(settings.agents.map((agent) => [agent, 0]));
    const metadata = { maycrawl: settings.maycrawl, profile: settings.profile };
    this.#captures = new ParquetTable({
      path: join(folder, name('captures', 'parquet')),
      columns: CAPTURE_COLUMNS,
      rowsPerGroup: CAPTURES_PER_GROUP,
      metadata,
    });
    this.#files = new ParquetTable({
      path: join(folder, name('files', 'parquet')),
      columns: createFileColumns(settings.agents, settings.readAs),
      rowsPerGroup: FILES_PER_GROUP,
      metadata,
    });
  }

  get progress(): CensusProgress {
    return { captures: this.#captureCount, files: this.#fileCount, bytes: this.#bytes };
  }

  add({ task, captures, files, totals }: JudgedTask): void {
    for (const row of captures) {
      this.#captures.add(row);
      this.#outcomes[row.outcome]++;
    }
    for (const row of files) this.#addFile(row);
    this.#fileCount += files.length;
    this.#captureCount += captures.length;
    this.#bytes += totals.inputBytes;
    this.#inputs.push({ path: task.files[0]?.path ?? '', count: task.files.length, ...totals });
  }

  #addFile(row: FileRow): void {
    this.#files.add(row);
    for (const [index, agent] of this.#settings.agents.entries())
      if (row.classes[row.classOfAgent[index] as number]?.kind === 'undecided')
        this.#undecided[agent] = (this.#undecided[agent] ?? 0) + 1;
  }

  finish(): CensusSummary {
    return {
      ...this.#settings,
      captures: this.#captureCount,
      files: this.#fileCount,
      outcomes: this.#outcomes,
      undecided: this.#undecided,
      tables: {
        captures: { file: this.#name('captures', 'parquet'), ...this.#captures.finish() },
        files: { file: this.#name('files', 'parquet'), ...this.#files.finish() },
      },
      inputs: this.#inputs,
    };
  }

  discard(): void {
    this.#captures.discard();
    this.#files.discard();
  }
}
