// `maycrawl logs`: which crawlers came, whether they are genuine, and whether they obeyed the rules that they had read.
import { createAgentResolver, resolveProfile } from '@maycrawl/core';
import {
  CRAWLER_RECORDS,
  createOperatorFinder,
  OPERATOR_RECORDS,
  type OperatorCatalogue,
  toDocumentedCrawler,
} from '@maycrawl/core/crawlers';
import { AuditRequests } from '../../../logs/audit-comparison.ts';
import { LogCrawlers } from '../../../logs/crawlers.ts';
import { judgeLog } from '../../../logs/judge-log.ts';
import { createLogsHtml } from '../../../logs/report/html-report.ts';
import type { Timeline } from '../../../logs/rules/timeline.ts';
import type { LogSummary } from '../../../logs/summary/log-summary.ts';
import { visible } from '../../../text/printable.ts';
import { readCatalogue } from '../../input/crawlers-file.ts';
import { readRobotsFile } from '../../input/file.ts';
import type { AgentResolver } from '../../input/options.ts';
import { parseOrigin } from '../../input/origin.ts';
import { CommandError, withCommandErrors } from '../../output/errors.ts';
import { printJson, writeOut } from '../../output/standard-output.ts';
import { writeFileAtomically } from '../../output/write-file.ts';
import { withRun } from '../audit/open-run.ts';
import { formatBlockList } from './block-list.ts';
import { writeCsvTables } from './csv-tables.ts';
import { openIdentifier } from './identity.ts';
import { LOG_ERRORS, openLogs, requireReadable } from './open-logs.ts';
import type { LogsOptions } from './options.ts';
import { parseTime } from './parse-time.ts';
import { printSummary } from './print-summary.ts';
import { readTimelines } from './versions.ts';

const CATALOGUE: OperatorCatalogue = { operators: OPERATOR_RECORDS, crawlers: CRAWLER_RECORDS };

/**
 * Judges the requests of logs, and prints the result.
 *
 * @returns the exit code: 0; 1 if there is what `failOn` names; 2 if too many lines cannot be read.
 * @throws {CommandError} if a file cannot be read, or an option is invalid.
 */
export async function logs(files: readonly string[], options: LogsOptions): Promise<number> {
  if (files.length === 0) throw new CommandError('name an access log, or - for standard input');
  requireChecks(options);
  const { audit } = options;
  const summary =
    audit === undefined
      ? await judgeFiles(files, options)
      : await withRun(audit, (run) => judgeFiles(files, options, new AuditRequests(run)));
  await printResults(summary, options);
  return getExitCode(summary, options);
}

/** Checks that what --fail-on names can be found. @throws {CommandError} if it cannot: the exit code would always be 0. */
function requireChecks(options: LogsOptions): void {
  const { failOn = [], robots, watchDatabase, ranges, dns, resolve, keys } = options;
  if (failOn.includes('violation') && robots === undefined && watchDatabase === undefined)
    throw new CommandError('--fail-on violation requires --robots or --watch-database');
  const isVerified = [ranges, dns, keys].some((each) => each !== undefined) || resolve === true;
  if (failOn.includes('spoofed') && !isVerified)
    throw new CommandError('--fail-on spoofed requires --ranges, --dns, --keys or --resolve');
}

async function judgeFiles(
  files: readonly string[],
  options: LogsOptions,
  audit?: AuditRequests,
): Promise<LogSummary> {
  const { since, until, agent, profile, whatIf, addresses, blockList } = options;
  const origins = [...new Set(options.site.map(parseOrigin))];
  const catalogue = options.crawlers === undefined ? CATALOGUE : await readCatalogue(options.crawlers);
  // Those of the catalogue are recognised anyway.
  const crawlers = options.crawlers === undefined ? [] : catalogue.crawlers.map(toDocumentedCrawler);
  const resolve = createAgentResolver(crawlers);
  const timelines = await readTimelines(origins, options);
  const other = whatIf === undefined ? undefined : await readRobotsFile(whatIf);
  const identity = await openIdentifier(options, createOperatorFinder(catalogue));
  const { log, finish } = await openLogs(files, options, crawlers);
  try {
    const summary = await withCommandErrors(LOG_ERRORS, () =>
      judgeLog(log, {
        sites: origins.map((origin, index) => ({ origin, timeline: timelines[index] as Timeline })),
        profile: resolveProfile(profile),
        crawlers: new LogCrawlers(resolve, catalogue),
        identify: identity.identify,
        ...(agent !== undefined && { only: toNames(agent, resolve, catalogue) }),
        ...(since !== undefined && { since: parseTime('--since', since) }),
        ...(until !== undefined && { until: parseTime('--until', until) }),
        ...(other !== undefined && { whatIf: other }),
        ...(audit !== undefined && { audit }),
        showsAddresses: addresses === true || blockList !== undefined,
      }),
    );
    requireReadable(log);
    return summary;
  } finally {
    finish();
    await identity.close();
  }
}

/** Returns the names of crawlers in lower case. @throws {CommandError} for a name that no request can have. */
function toNames(
  agents: readonly string[],
  resolve: AgentResolver,
  { crawlers }: OperatorCatalogue,
): ReadonlySet<string> {
  return new Set(
    agents.map((agent) => {
      const { name } = resolve(agent);
      const record = crawlers.find(({ token }) => token === name);
      if (name === '*' || name.startsWith('token:') || record?.kind === 'policy-token')
        throw new CommandError(
          `--agent ${visible(agent)}: no request has this name; name a crawler that sends requests`,
        );
      return name.toLowerCase();
    }),
  );
}

async function printResults(summary: LogSummary, options: LogsOptions): Promise<void> {
  const { blockList, json, csv, html } = options;
  if (csv !== undefined) await writeCsvTables(csv, summary);
  if (html !== undefined) await writeFileAtomically(html, Buffer.from(await createLogsHtml(summary)));
  if (blockList !== undefined) await writeOut(formatBlockList(summary, blockList));
  else if (json === true) printJson(summary);
  else printSummary(summary);
}

function getExitCode({ crawlers }: LogSummary, { failOn = [] }: LogsOptions): number {
  const hasViolation = crawlers.some(({ classes }) => classes.violation > 0);
  const hasSpoofed = crawlers.some(({ identity }) => identity.spoofed > 0);
  const isFailed =
    (failOn.includes('violation') && hasViolation) || (failOn.includes('spoofed') && hasSpoofed);
  return isFailed ? 1 : 0;
}
