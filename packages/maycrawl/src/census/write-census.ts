// Judges inputs, and writes the census to a folder: the tables `captures` and `files`, and a JSON file about them.

import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CRAWLERS } from '@maycrawl/core';
import { checkOptions } from '@maycrawl/core/internal';
import {
  CensusError,
  type CensusSettings,
  type CensusSummary,
  FORMAT,
  formatFileName,
  type Part,
} from './census-summary.ts';
import { CensusWriter } from './census-writer.ts';
import { STANDARD_INPUT } from './inputs/find-inputs.ts';
import { checkRemoteOptions } from './inputs/remote/remote-options.ts';
import { checkSiteOptions } from './inputs/sites/fetch-sites.ts';
import type { InputFile } from './inputs/task.ts';
import { digestInputs } from './inputs-digest.ts';
import { nameAgent } from './judge/judged-agents.ts';
import { type JudgedPart, type JudgeInputsOptions, judgeInputs } from './judge-inputs.ts';
import { readComplete } from './stored-summary.ts';

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
  /** Is called if the folder has the census already, but inputs could not be read: all are judged again. Receives their number. */
  readonly onRepeat?: (unreadable: number) => void;
}

/** How far a census is. */
export interface CensusProgress {
  readonly captures: number;
  readonly files: number;
  /** Inputs that were read. */
  readonly inputs: number;
  /** Bytes of the inputs that were read. */
  readonly bytes: number;
}

/**
 * Judges inputs and writes the tables. A census that is complete is not written again, unless an input could not be read.
 *
 * @throws {TypeError} for an unknown or missing option, or one of a wrong type.
 * @throws {RangeError} if an agent or the profile does not exist, or two agents have the same name.
 * @throws {CensusError} if the folder has a census with other inputs or settings.
 * @throws the signal's reason if it is aborted: then no file remains.
 * @throws the error of the file system.
 */
export async function writeCensus(
  inputs: readonly InputFile[],
  options: CensusOptions,
): Promise<{ readonly summary: CensusSummary; readonly isComplete: boolean }> {
  checkCensusOptions(options);
  const settings = createSettings(inputs, options);
  const path = join(options.folder, formatFileName(settings.part, 'census', 'json'));
  const places = { count: inputs.length, getPath: (place: number) => inputs[place]?.path };
  const complete = readComplete(path, settings, options.folder, places);
  if (complete !== undefined && inputs.some((input) => input.path === STANDARD_INPUT))
    throw new CensusError(`${path} is there already, and standard input may differ; choose another folder`);
  if (complete?.unreadable === 0) return { summary: complete.summary, isComplete: true };
  if (complete !== undefined) options.onRepeat?.(complete.unreadable);
  const writer = new CensusWriter(settings, options.folder);
  try {
    for await (const part of judgeInputs(inputs, { ...options, agents: settings.agents })) {
      addPart(writer, part);
      options.onProgress?.(writer.progress);
    }
    return { summary: await writer.finish(complete), isComplete: false };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function checkCensusOptions(options: CensusOptions): void {
  checkOptions<CensusOptions>(
    'writeCensus',
    options,
    {
      ...{ agents: 'array', profile: 'string', readAs: 'array', lint: 'boolean', remote: 'object' },
      ...{ threads: 'number', sites: 'object', signal: 'object', folder: 'string', version: 'string' },
      ...{ part: 'object', onProgress: 'function', onRepeat: 'function' },
    },
    ['agents', 'profile', 'folder', 'version'],
  );
  const { remote, sites, part } = options;
  if (remote !== undefined) checkRemoteOptions(remote);
  if (sites !== undefined) checkSiteOptions(sites);
  if (part !== undefined)
    checkOptions<Part>(
      'part of a census',
      part,
      { index: 'number', count: 'number', manifestSha256: 'string' },
      ['index', 'count'],
    );
}

function addPart(writer: CensusWriter, { task, result }: JudgedPart): void {
  if ('batch' in result) {
    writer.addCaptures(result.batch.captures);
    writer.addFiles(result.batch.files);
    return;
  }
  const [first] = task.files;
  if (first === undefined) return;
  const { path, format } = first;
  writer.addInput({ path, format, count: task.files.length, ...result.totals });
}

function createSettings(inputs: readonly InputFile[], options: CensusOptions): CensusSettings {
  const { version, profile, agents, readAs = [], lint = false, part = { index: 1, count: 1 } } = options;
  const names = agents.map(nameAgent);
  // Agents, and columns of tables, have the same name in any case.
  const lowerNames = names.map((name) => name.toLowerCase());
  const twice = names.find((_, index) => lowerNames.indexOf(lowerNames[index] as string) < index);
  if (twice !== undefined) throw new RangeError(`${twice} is given twice`);
  // As a name of a field, JavaScript has another meaning for it.
  if (names.includes('__proto__')) throw new RangeError('an agent cannot have the name __proto__');
  return {
    format: FORMAT,
    maycrawl: version,
    core: readCoreVersion(),
    catalogue: hash('sha256', JSON.stringify(CRAWLERS)),
    profile,
    agents: names,
    readAs,
    lint,
    part,
    inputsDigest: digestInputs(inputs),
  };
}

function readCoreVersion(): string {
  const require = createRequire(import.meta.url);
  return (require('@maycrawl/core/package.json') as { readonly version: string }).version;
}
