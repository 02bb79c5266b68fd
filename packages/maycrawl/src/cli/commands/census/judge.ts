// `maycrawl census judge`: judges the robots.txt files of archives for many agents, and writes tables.
import { stat } from 'node:fs/promises';
import { isTableOf, type Part } from '../../../census/census-summary.ts';
import { findInputs, STANDARD_INPUT } from '../../../census/inputs/find-inputs.ts';
import { readPathList } from '../../../census/inputs/read-list.ts';
import type { RemoteOptions, S3Options } from '../../../census/inputs/remote/remote-options.ts';
import { createSiteInputs, readSiteList } from '../../../census/inputs/sites/site-list.ts';
import type { InputFile } from '../../../census/inputs/task.ts';
import { OTHER_READINGS, requireReading } from '../../../census/read-as/readings.ts';
import { slicePaths } from '../../../census/slices.ts';
import { writeCensus } from '../../../census/write-census.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { readTextFile } from '../../input/file.ts';
import { requireProfile, resolveCrawler } from '../../input/options.ts';
import { requireStandardInput } from '../../input/standard-input.ts';
import { VERSION } from '../../options/fetch-options.ts';
import { CommandError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';
import type { CensusJudgeOptions } from './options.ts';
import { requireOut, withCensusErrors, writeWithProgress } from './output.ts';

/** Maximum size of a file with agents, in bytes. */
const MAX_AGENTS_BYTES = 1_000_000;

/**
 * Judges inputs.
 *
 * @returns the exit code: 0, or 2 if an input could not be read or the user interrupted the command.
 * @throws {CommandError} if an option is invalid, an input does not exist, or the folder has another census.
 */
export async function censusJudge(names: readonly string[], options: CensusJudgeOptions): Promise<number> {
  const agents = await readAgents(options.agents);
  requireProfile(options.profile);
  requireOut(options.out);
  const readAs = parseReadings(options.readAs);
  const slice = options.slice === undefined ? undefined : parseSlice(options.slice);
  const remote = createRemoteOptions(names, options);
  const paths = await readPaths(names, options, remote);
  if (paths.length === 0)
    throw new CommandError('name an archive, a file or a folder, or --manifest or --sites');
  if (paths.includes(STANDARD_INPUT)) requireStandardInput();
  const { paths: wanted, part } =
    slice === undefined ? { paths, part: undefined } : slicePaths(paths, slice.index, slice.count);
  // One file of a long list must not be in the way of all others.
  const keepsMissing = options.manifest !== undefined;
  const found =
    options.sites === undefined
      ? await withCensusErrors(() => findInputs(wanted, { keepsMissing }))
      : createSiteInputs(wanted);
  // The folder of the census can be in that of the inputs: the same command has the same inputs again.
  const inputs = found.filter(({ path }) => !isTableOf(options.out, path));
  // A part of a census with more parts than inputs is empty.
  if (inputs.length === 0 && part === undefined)
    throw new CommandError('the inputs contain no archive and no robots.txt');
  return judge(inputs, { ...options, agents, part, readAs, remote });
}

type JudgeOptions = Omit<CensusJudgeOptions, 'agents' | 'readAs'> & {
  readonly agents: readonly string[];
  readonly readAs: readonly string[];
  readonly part: Part | undefined;
  readonly remote: RemoteOptions;
};

function judge(
  inputs: readonly InputFile[],
  { agents, part, out, profile, threads, readAs, lint = false, remote, ...fetching }: JudgeOptions,
): Promise<number> {
  const isSized = inputs.every((input) => input.bytes > 0);
  const total = isSized ? inputs.reduce((sum, input) => sum + input.bytes, 0) : inputs.length;
  return writeWithProgress(out, total > 1 ? total : undefined, (progress, signal) =>
    writeCensus(inputs, {
      ...{ agents, part, profile, readAs, lint, remote, signal, folder: out, version: VERSION },
      ...(threads !== undefined && { threads }),
      sites: {
        userAgent: fetching.userAgent,
        timeout: fetching.timeout,
        allowPrivateAddresses: fetching.allowPrivate,
        concurrency: fetching.concurrency,
        spacing: fetching.delay,
      },
      onProgress: ({ captures, bytes, inputs: count }) => {
        progress.read(isSized ? bytes : count);
        progress.show(captures);
      },
      onRepeat: (unreadable) =>
        printMessage(
          `${visible(out)}: ${formatCount(unreadable, 'input')} could not be read before; judging all again`,
        ),
    }),
  );
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

async function readPaths(
  names: readonly string[],
  { manifest, base, sites }: CensusJudgeOptions,
  remote: RemoteOptions,
): Promise<readonly string[]> {
  if ((names.length > 0 ? 1 : 0) + (manifest === undefined ? 0 : 1) + (sites === undefined ? 0 : 1) > 1)
    throw new CommandError('name inputs, or --manifest, or --sites, not several of them');
  if (manifest === undefined && base !== undefined) throw new CommandError('--base needs --manifest');
  if (sites !== undefined) return withCensusErrors(() => readSiteList(sites, { remote }));
  if (manifest === undefined) return names;
  return withCensusErrors(() => readPathList({ list: manifest, base }, { remote }));
}

/** Only URLs on the command line may be on private addresses: those in a list are content. */
function createRemoteOptions(
  names: readonly string[],
  { userAgent, timeout, allowPrivate, manifest = '', base = '', sites = '' }: CensusJudgeOptions,
): RemoteOptions {
  const s3 = readS3Options(process.env);
  const named = [...names, manifest, base, sites, s3.endpoint ?? ''];
  const openOrigins = named.filter((name) => /^https?:/i.test(name) && URL.canParse(name));
  return { userAgent, timeout, allowPrivateAddresses: allowPrivate, openOrigins, s3 };
}

/** Reads the variables that the tools of AWS read, too. */
function readS3Options(environment: NodeJS.ProcessEnv): S3Options {
  const read = (...names: readonly string[]): string | undefined =>
    names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== '');
  return {
    accessKeyId: read('AWS_ACCESS_KEY_ID'),
    secretAccessKey: read('AWS_SECRET_ACCESS_KEY'),
    sessionToken: read('AWS_SESSION_TOKEN'),
    region: read('AWS_REGION', 'AWS_DEFAULT_REGION'),
    endpoint: read('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'),
  };
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
