// The JSON file of a census as it is stored: the check that it is one. People edit such files, and disks damage them.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@maycrawl/core/internal';
import {
  CensusError,
  type CensusSettings,
  type CensusSummary,
  FORMAT,
  formatFileName,
  type Part,
  SETTING_NAMES,
} from './census-summary.ts';
import { OUTCOMES } from './judge/outcome.ts';

const MAX_PARTS = 999_999;

export interface InputPlaces {
  readonly count: number;
  /** Returns the path at a place; `undefined` if it is unknown. */
  readonly getPath: (place: number) => string | undefined;
}

/** A census whose files are all there. */
export interface CompleteCensus {
  readonly summary: CensusSummary;
  /** The number of inputs that could not be read to their end: with any, the census is to be judged again. */
  readonly unreadable: number;
}

/**
 * Reads the JSON file of a complete census; `undefined` if there is no such file.
 *
 * @param inputs - a file that could not be read may have another length now, so then the paths are compared instead of the digest of
 *   paths and lengths.
 * @throws {CensusError} if the census is another one, or its files are damaged.
 */
export function readComplete(
  path: string,
  settings: CensusSettings,
  folder: string,
  inputs: InputPlaces,
): CompleteCensus | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // Without the folder, there is no file: creating the folder reports what is wrong with its path.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new CensusError(`${path} cannot be read; remove it to judge again`, { cause: error });
  }
  const summary = parseSummary(text, path, 'remove it to judge again');
  const unreadable = countUnreadable(summary);
  for (const key of Object.keys(settings) as (keyof CensusSettings)[]) {
    const isSame = JSON.stringify(summary[key]) === JSON.stringify(settings[key]);
    if (!isSame && !(key === 'inputsDigest' && unreadable > 0 && hasPaths(summary, inputs)))
      throw new CensusError(`${path} is of a census with other ${SETTING_NAMES[key]}; choose another folder`);
  }
  for (const { file, bytes } of Object.values(summary.tables))
    if (statSync(join(folder, file), { throwIfNoEntry: false })?.size !== bytes)
      throw new CensusError(`${join(folder, file)} is missing or damaged; remove ${path} to judge again`);
  return { summary, unreadable };
}

/** Whether the inputs of a census have these paths. Of several in one entry, the path of the first is stored. */
function hasPaths({ inputs }: CensusSummary, { count: total, getPath }: InputPlaces): boolean {
  let place = 0;
  for (const { path, count } of inputs) {
    if (getPath(place) !== path) return false;
    place += count;
  }
  return place === total;
}

/** Counts the inputs that could not be read. Each of them has this problem once. */
function countUnreadable({ inputs }: CensusSummary): number {
  return inputs.reduce((sum, { problemCounts }) => sum + (problemCounts['unreadable-input'] ?? 0), 0);
}

/**
 * Parses the JSON file of a census or of a part.
 *
 * @param path - the path of the file, for messages.
 * @param advice - what to do, for the message about a damaged file.
 * @throws {CensusError} if it is damaged, or another version wrote it.
 */
export function parseSummary(text: string, path: string, advice: string): CensusSummary {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CensusError(`${path} is damaged; ${advice}`, { cause });
  }
  if (isObject(value) && Number.isInteger(value['format']) && value['format'] !== FORMAT)
    throw new CensusError(`${path}: another version of maycrawl wrote this census; ${advice}`);
  if (!isSummary(value)) throw new CensusError(`${path} is damaged; ${advice}`);
  return value;
}

/** Whether a value is the JSON file of a census: its fields have their types, and its numbers belong together. */
function isSummary(value: unknown): value is CensusSummary {
  if (!isObject(value)) return false;
  const summary = value as Partial<CensusSummary>;
  const { maycrawl, core, catalogue, profile, inputsDigest, agents, readAs, lint, part } = summary;
  const { captures, files, outcomes, undecided, undecidedReadings, tables, inputs } = summary;
  return (
    [maycrawl, core, catalogue, profile, inputsDigest].every(isText) &&
    isNames(agents) &&
    agents.length > 0 &&
    isNames(readAs) &&
    typeof lint === 'boolean' &&
    isPart(part) &&
    isCounts(outcomes, OUTCOMES) &&
    OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0) === captures &&
    isCounts(undecided, agents) &&
    isObject(undecidedReadings) &&
    readAs.every((name) => isCounts(undecidedReadings[name], agents)) &&
    isTable(tables?.captures, formatFileName(part, 'captures', 'parquet'), captures) &&
    isTable(tables?.files, formatFileName(part, 'files', 'parquet'), files) &&
    Array.isArray(inputs) &&
    inputs.every(isInput)
  );
}

function isPart(value: unknown): value is Part {
  if (!isObject(value)) return false;
  const { index, count } = value;
  return isCount(index) && isCount(count) && index >= 1 && index <= count && count <= MAX_PARTS;
}

/** Whether a value describes a table. Its file is in the same folder. */
function isTable(value: unknown, file: string, rows: unknown): boolean {
  return (
    isObject(value) &&
    value['file'] === file &&
    isCount(rows) &&
    value['rows'] === rows &&
    isCount(value['bytes']) &&
    isText(value['sha256'])
  );
}

function isInput(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { path, format, count, sha256, records, problemCounts, problems } = value;
  return (
    [path, format].every(isText) &&
    (sha256 === null || isText(sha256)) &&
    ['inputBytes', 'dataBytes', 'otherUrls', 'digests', 'wrongDigests'].every((name) =>
      isCount(value[name]),
    ) &&
    isCount(count) &&
    count > 0 &&
    isCounts(records) &&
    isCounts(problemCounts) &&
    Array.isArray(problems) &&
    problems.every((each) => isObject(each) && isText(each['code']) && isText(each['message']))
  );
}

/** Whether a value has numbers by names. @param names - those that it must have. */
function isCounts(value: unknown, names: readonly string[] = []): value is Record<string, number> {
  return (
    isObject(value) &&
    Object.values(value).every(isCount) &&
    names.every((name) => Object.hasOwn(value, name))
  );
}

/** Whether a value is a list of different texts. */
function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
