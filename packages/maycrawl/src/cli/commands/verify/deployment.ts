// `maycrawl verify --source FILE --built FILE --deployed URL`: whether crawlers get the robots.txt of the repository.
import { describePolicy, parse } from '@maycrawl/core';
import { isPageWithoutRules } from '@maycrawl/core/lint';
import { Budget } from '@maycrawl/core/proofs';
import { hasScheme } from '@maycrawl/core/url';
import type { Source } from '../../../batch/judge.ts';
import { compareStages } from '../../../deployment/compare-stages.ts';
import { STAGE_NAMES, STAGES, type Stage } from '../../../deployment/deployed-file.ts';
import { checkEnvironment, type EnvironmentReport } from '../../../deployment/environment.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { toSentence } from '../../../text/sentence.ts';
import { isUnreachable, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { DEPLOYMENT_FORMATS } from './deployment-formats.ts';
import { isAccepted, type ReadFile } from './deployment-report.ts';
import type { VerifyOptions } from './options.ts';

/** Whether the options are those of this check. */
export function isDeployment({ source, built, deployed, environment }: Partial<VerifyOptions>): boolean {
  return [source, built, deployed, environment].some((each) => each !== undefined);
}

/**
 * Compares the files and prints what differs.
 *
 * @returns the exit code: 0 if all is as it should be, 1 if a file differs or is wrong for its environment, 2 if that is undecided.
 * @throws {CommandError} if a file cannot be read, or the options contradict each other.
 */
export async function verifyDeployment(options: VerifyOptions): Promise<number> {
  const files = await readFiles(options);
  const budget = new Budget();
  const pairs = files.flatMap((before, index) =>
    files.slice(index + 1).map((after) => compareStages(before, after, budget)),
  );
  const environment = await checkLast(files, options, budget);
  const report = { files, pairs, environment, acceptManaged: options.acceptManaged === true };
  process.stdout.write(DEPLOYMENT_FORMATS[options.format](report));
  const results = [...pairs.map((pair) => isAccepted(pair, report)), environment?.met];
  if (results.includes(false)) return 1;
  return results.includes(null) ? 2 : 0;
}

async function readFiles(options: VerifyOptions): Promise<ReadFile[]> {
  const given = STAGES.flatMap((stage) => {
    const name = options[stage];
    return name === undefined ? [] : [{ stage, name }];
  });
  if (given.length < 2 && (given.length === 0 || options.environment === undefined))
    throw new CommandError(
      'give two or three of --source, --built and --deployed, or one with --environment',
    );
  if (options.deployed !== undefined && !hasScheme(options.deployed))
    throw new CommandError(`--deployed is the URL of the site, not ${visible(options.deployed)}`);
  if (options.offline === true && given.some(({ name }) => hasScheme(name)))
    throw new CommandError('--offline cannot verify what a server sends: omit it');
  if (given.filter(({ name }) => name === '-').length > 1)
    throw new CommandError('only one file can be standard input');
  // A stored response is not what the server sends now.
  const reader = new SourceReader({ ...options, fresh: true, offline: false, database: 'none' });
  try {
    const files: ReadFile[] = [];
    for (const { stage, name } of given) files.push(toReadFile(stage, await reader.read(name)));
    return files;
  } finally {
    await reader.close();
  }
}

function toReadFile(stage: Stage, source: Source): ReadFile {
  const { name, policy, message, hops, robots } = source;
  if (isUnreachable(source))
    throw new CommandError(
      `cannot verify: ${visible(name)} is unreachable (${visible(message ?? '')}), so what it serves is unknown`,
    );
  const file = STAGE_NAMES[stage];
  const notes = [
    ...(policy.kind === 'rules'
      ? []
      : [`${file}: ${describePolicy(policy)}${message === undefined ? '' : ` (${message})`}`]),
    ...(isPageWithoutRules(robots)
      ? [`${file} is an HTML page without rules, so crawlers may fetch every URL`]
      : []),
    ...(robots.truncated
      ? [`crawlers ignore the bytes of ${file} after the first ${formatCount(robots.maxBytes)}`]
      : []),
    ...(hops.length > 1
      ? [`${file} comes from ${hops.at(-1)?.url ?? ''}, after ${formatCount(hops.length - 1, 'redirect')}`]
      : []),
  ];
  return {
    ...{ stage, name, redirects: hops.slice(1).map(({ url }) => url), notes: notes.map(toSentence) },
    robots: parse(robots.bytes, { profile: robots.profile }),
  };
}

/** Checks the environment of the file that is nearest to crawlers. */
async function checkLast(
  files: readonly ReadFile[],
  options: VerifyOptions,
  budget: Budget,
): Promise<EnvironmentReport | null> {
  const { environment } = options;
  const file = files.at(-1);
  if (environment === undefined || file === undefined) return null;
  const isRequested = environment !== 'production' && file.stage === 'deployed';
  const hasAuthentication = isRequested ? await requiresAuthentication(file.name, options) : undefined;
  return checkEnvironment(environment, file, { budget, hasAuthentication });
}

/** The server requires authentication. A 403 may be for this User-Agent or address alone, and says nothing about crawlers. */
const UNAUTHORIZED = 401;

/** Requests the home page, once and without redirects. A failure is not a denial. */
async function requiresAuthentication(
  name: string,
  { userAgent, timeout, allowPrivate }: Pick<VerifyOptions, 'userAgent' | 'timeout' | 'allowPrivate'>,
): Promise<boolean> {
  const { DocumentError, DocumentRequests } = await import('../../../documents/document-requests.ts');
  const { origin } = new URL(name);
  if (!origin.startsWith('http')) return false;
  const requests = new DocumentRequests({
    ...{ userAgent, timeout, allowPrivateAddresses: allowPrivate, openOrigins: [origin] },
  });
  try {
    const { status } = await requests.request(`${origin}/`, { maxBytes: 1 });
    return status === UNAUTHORIZED;
  } catch (error) {
    if (error instanceof DocumentError) return false;
    throw error;
  } finally {
    await requests.close();
  }
}
