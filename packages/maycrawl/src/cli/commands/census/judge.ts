/**
 * `maycrawl census judge`: judges the robots.txt files of archives for many agents, and writes tables.
 *
 * @module
 */
import { stat } from 'node:fs/promises';
import type { CensusSummary, Part } from '../../../census/census-summary.ts';
import { findInputs, STANDARD_INPUT } from '../../../census/inputs/find-inputs.ts';
import type { InputFile } from '../../../census/inputs/task.ts';
import { OTHER_READINGS, requireReading } from '../../../census/read-as/readings.ts';
import { slicePaths } from '../../../census/slices.ts';
import { writeCensus } from '../../../census/write-census.ts';
import { visible } from '../../../text/printable.ts';
import { readTextFile } from '../../input/file.ts';
import { requireProfile, resolveCrawler } from '../../input/options.ts';
import { requireStandardInput } from '../../input/standard-input.ts';
import { VERSION } from '../../options/fetch-options.ts';
import { CommandError } from '../../output/errors.ts';
import { createProgress } from '../../output/progress.ts';
import { printMessage } from '../../output/terminal.ts';
import { printSummary, withCensusErrors } from './output.ts';

export interface CensusJudgeOptions {
  readonly agents: string;
  readonly out: string;
  readonly manifest?: string;
  readonly slice?: string;
  readonly threads?: number;
  readonly profile: string;
  readonly readAs?: string;
  readonly lint?: boolean;
}

/** Maximum size of a file with agents, and of one with paths, in bytes. */
const MAX_AGENTS_BYTES = 1_000_000;
const MAX_MANIFEST_BYTES = 100_000_000;

/**
 * Judges inputs.
 *
 * @returns the exit code: 0, or 2 if an input could not be read or the user interrupted the command.
 * @throws {CommandError} if an option is invalid, an input does not exist, or the folder has another census.
 */
export async function censusJudge(names: readonly string[], options: CensusJudgeOptions): Promise<number> {
  const agents = await readAgents(options.agents);
  requireProfile(options.profile);
  const readAs = parseReadings(options.readAs);
  const slice = options.slice === undefined ? undefined : parseSlice(options.slice);
  const paths = options.manifest === undefined ? names : await readPaths(names, options.manifest);
  if (paths.length === 0) throw new CommandError('name an archive, a file or a folder, or --manifest');
  if (paths.includes(STANDARD_INPUT)) requireStandardInput();
  const { paths: wanted, part } =
    slice === undefined ? { paths, part: undefined } : slicePaths(paths, slice.index, slice.count);
  const inputs = await withCensusErrors(() => findInputs(wanted));
  // A part of a census with more parts than inputs is empty.
  if (inputs.length === 0 && part === undefined)
    throw new CommandError('the inputs contain no archive and no robots.txt');
  const { summary, isComplete } = await judge(inputs, { ...options, agents, part, readAs });
  if (summary === undefined) return 2;
  return printSummary(summary, options.out, isComplete);
}

type JudgeOptions = Omit<CensusJudgeOptions, 'agents' | 'readAs'> & {
  readonly agents: readonly string[];
  readonly readAs: readonly string[];
  readonly part: Part | undefined;
};

/** Judges until the end, or until the user interrupts the command: then there is no summary. */
async function judge(
  inputs: readonly InputFile[],
  { agents, part, out, profile, threads, readAs, lint = false }: JudgeOptions,
): Promise<{ readonly summary?: CensusSummary; readonly isComplete: boolean }> {
  const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
  const progress = await createProgress('captures', bytes === 0 ? undefined : bytes);
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => controller.abort();
  process.once('SIGINT', stop);
  try {
    return await withCensusErrors(() =>
      writeCensus(inputs, {
        ...{ agents, part, profile, readAs, lint, signal, folder: out, version: VERSION },
        ...(threads !== undefined && { threads }),
        onProgress: ({ captures, bytes: read }) => {
          progress.read(read);
          progress.show(captures);
        },
      }),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    printMessage('interrupted; nothing was written');
    return { isComplete: false };
  } finally {
    process.removeListener('SIGINT', stop);
    progress.finish();
  }
}

/** Reads agents: names with commas between them, or a file with one a line. */
async function readAgents(value: string): Promise<readonly string[]> {
  const isFile = await stat(value).then(
    (found) => found.isFile(),
    () => false,
  );
  const lines = isFile ? (await readTextFile(value, MAX_AGENTS_BYTES)).split('\n') : value.split(',');
  const names = lines.map((line) => line.replace(/^#.*/, '').trim()).filter((name) => name !== '');
  if (names.length === 0) throw new CommandError('--agents: there is no agent');
  for (const name of names) requireAgent(name);
  return names;
}

function requireAgent(name: string): void {
  try {
    resolveCrawler(name);
  } catch (cause) {
    throw new CommandError(`--agents: ${visible((cause as RangeError).message)}`, { cause });
  }
}

async function readPaths(names: readonly string[], manifest: string): Promise<readonly string[]> {
  if (names.length > 0) throw new CommandError('name inputs, or --manifest, not both');
  const lines = (await readTextFile(manifest, MAX_MANIFEST_BYTES)).split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** Parses the names of readings. */
function parseReadings(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  if (value === 'all') return OTHER_READINGS.map(({ name }) => name);
  try {
    return [...new Set(value.split(',').map((name) => requireReading(name.trim()).name))];
  } catch (cause) {
    throw new CommandError(`--read-as: ${visible((cause as RangeError).message)}`, { cause });
  }
}

/** Parses `i/n`. */
function parseSlice(text: string): Part {
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new CommandError(`--slice must be i/n with i from 1 to n, not ${visible(text)}`);
}
