// The JSON file of a census: its settings, and what was read. It is written last: where it is, the census is complete.
import { basename, dirname, resolve } from 'node:path';
import type { InputTotalsData } from './input-totals.ts';
import type { InputFormat } from './inputs/task.ts';
import type { Outcome } from './judge/outcome.ts';
import type { WrittenTable } from './tables/parquet-table.ts';

/** The version of the tables and of the JSON file. */
export const FORMAT = 3;

/** One of several parts of a census. slices.ts makes them. */
export interface Part {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** The SHA-256 of the paths of all parts: parts of different lists cannot be merged. Only if there are several. */
  readonly manifestSha256?: string;
}

/** What was read of an archive, or of adjacent files of one robots.txt each: the path of the first, and their number. */
export interface JudgedInput extends InputTotalsData {
  readonly path: string;
  readonly format: InputFormat;
  readonly count: number;
}

/** What a census depends on. A census with other settings is another one. */
export interface CensusSettings {
  readonly format: number;
  readonly maycrawl: string;
  /** The version of `@maycrawl/core`, which judges the files. */
  readonly core: string;
  /** The SHA-256 of the crawler catalogue, by which names of agents are resolved. */
  readonly catalogue: string;
  readonly profile: string;
  /** The names of the agents (`nameAgent`), which are the fields of the column `agents`. */
  readonly agents: readonly string[];
  /** The readings by which files are classified, too. */
  readonly readAs: readonly string[];
  /** Whether the whole linter ran. */
  readonly lint: boolean;
  readonly part: Part;
  /** The digest of the paths and lengths of all inputs: see inputs-digest.ts. */
  readonly inputsDigest: string;
}

/** The JSON file of a census. */
export interface CensusSummary extends CensusSettings {
  readonly captures: number;
  readonly files: number;
  /** The number of captures by outcome. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** The number of files whose class is undecided, by agent. */
  readonly undecided: Readonly<Record<string, number>>;
  /** The number of files whose class by another reading is undecided, by reading and agent. */
  readonly undecidedReadings: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly tables: Readonly<Record<'captures' | 'files', WrittenTable & { readonly file: string }>>;
  readonly inputs: readonly JudgedInput[];
}

/** A folder that has another census, or a damaged one. */
export class CensusError extends Error {
  override readonly name = 'CensusError';
  readonly code = 'unusable-census';
}

/** The names of settings in messages. */
export const SETTING_NAMES: Readonly<Record<keyof CensusSettings, string>> = {
  format: 'tables',
  maycrawl: 'versions of maycrawl',
  core: 'versions of @maycrawl/core',
  catalogue: 'crawler catalogues',
  profile: 'profiles',
  agents: 'agents',
  readAs: 'readings',
  lint: 'settings of the linter',
  part: 'parts',
  inputsDigest: 'inputs',
};

/** Returns the name of a file of a part: `captures-03-of-20.parquet`, or `captures.parquet` if it is the only part. */
export function formatFileName(part: Part, table: string, extension: string): string {
  return `${table}${formatPart(part)}.${extension}`;
}

/** Whether a path is that of a table of a census or of a part in a folder. */
export function isTableOf(folder: string, path: string): boolean {
  return (
    /^(?:captures|files)(?:-\d+-of-\d+)?\.parquet$/.test(basename(path)) &&
    resolve(dirname(path)) === resolve(folder)
  );
}

/** Whether a path is that of a table or of the JSON file of a census or of a part in a folder. */
export function isFileOf(folder: string, path: string): boolean {
  const isJson =
    /^census(?:-\d+-of-\d+)?\.json$/.test(basename(path)) && resolve(dirname(path)) === resolve(folder);
  return isJson || isTableOf(folder, path);
}

function formatPart({ index, count }: Part): string {
  if (count === 1) return '';
  const digits = String(count).length;
  return `-${String(index).padStart(digits, '0')}-of-${count}`;
}
