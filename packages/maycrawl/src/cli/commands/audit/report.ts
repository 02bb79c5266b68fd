// `maycrawl audit report`: reports about a run, for people, spreadsheets and programs.

import { basename, extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { REASONS } from '@maycrawl/core/indexability';
import { findNearestName, truncate } from '@maycrawl/core/internal';
import { MAIN_PURPOSES } from '@maycrawl/core/preferences';
import { FINDING_KINDS } from '../../../audit/findings/finding-kinds.ts';
import { FAIL_ON, type FailOn, type FailureGroup } from '../../../audit/report/fail-on.ts';
import {
  type AgentSummary,
  describeEnd,
  describeVerdicts,
  type RunSummary,
  summarizeRun,
} from '../../../audit/report/summary.ts';
import type { UseSummary } from '../../../audit/report/use-summary.ts';
import { writeReports } from '../../../audit/report/write-report.ts';
import { formatCount } from '../../../text/counts.ts';
import { groupEqual } from '../../../text/group-equal.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson } from '../../output/standard-output.ts';
import { getColors, printMessage } from '../../output/terminal.ts';
import { findRunFile, withRun } from './open-run.ts';
import type { AuditReportOptions } from './options.ts';
import { parseSegments } from './settings.ts';

/** Maximum number of listed sites, and of characters of a detail. */
const [MAX_SITES, MAX_DETAIL] = [20, 120] as const;

/**
 * Writes reports about a run. The default is an HTML file beside the run.
 *
 * @returns the exit code: 1 if a URL has a reason of --fail-on, else 0.
 * @throws {CommandError} if the run cannot be read, or a report cannot be written.
 */
export async function auditReport(path: string, options: AuditReportOptions): Promise<number> {
  const failOn = requireFailOn(options);
  const segments = parseSegments(options.segment);
  const { out, csv, ndjson, xlsx, junit } = options;
  const hasTarget =
    [out, csv, ndjson, xlsx, junit].some((each) => each !== undefined) || options.json === true;
  const file = findRunFile(path);
  const html = hasTarget ? out : file === path ? `${withoutExtension(path)}.html` : path;
  return withRun(path, async (run) => {
    const targets = { html, csv, ndjson, xlsx, junit };
    const { files, failures } = await writeReports(run, targets, {
      ...{ name: basename(path), failOn, hasOutside: options.outside ?? false, segments },
    });
    const summary = summarizeRun(run, segments);
    if (options.json) printJson({ run: path, ...summary, failures, files }, 2);
    else process.stdout.write(await describeSummary(summary));
    for (const file of files) printMessage(`wrote ${file}`);
    if (!options.json) printFailures(failures);
    return failures.some(({ count }) => count > 0) ? 1 : 0;
  });
}

function withoutExtension(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

/** Parses --fail-on. @throws {CommandError} if a reason is unknown, or --junit has no reasons to report. */
export function requireFailOn({
  failOn: text,
  junit,
}: Pick<AuditReportOptions, 'failOn' | 'junit'>): FailOn[] {
  const failOn = parseFailOn(text);
  if (junit !== undefined && failOn.length === 0) throw new CommandError('--junit requires --fail-on');
  return failOn;
}

function parseFailOn(text: string | undefined): FailOn[] {
  if (text === undefined) return [];
  return text.split(',').map((word) => {
    const kind = FAIL_ON.find((each) => each === word.trim());
    if (kind !== undefined) return kind;
    const nearest = findNearestName(word.trim(), FAIL_ON);
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
    throw new CommandError(
      `--fail-on: unknown reason "${visible(word)}"${hint}; give any, severity:error, ${REASONS.join(', ')}, or a code of docs/findings.md`,
    );
  });
}

/** Prints the failures of --fail-on on standard error. */
export function printFailures(failures: readonly FailureGroup[]): void {
  for (const { agent, kind, count, urls } of failures) {
    if (count === 0) continue;
    const [first] = urls;
    const example = first === undefined ? '' : `, such as ${first.url} (${first.reason})`;
    printMessage(`${agent}: ${formatCount(count, 'URL')} for --fail-on ${kind}${example}`);
  }
}

/** Describes a run in a few lines. */
export async function describeSummary({
  counts,
  total,
  end,
  agents,
  robots,
  inSitemaps,
  segments,
  rendered,
  preferences,
}: RunSummary): Promise<string> {
  const { bold, red, yellow } = getColors(process.stdout);
  const audited = robots.filter(({ isAudited }) => isAudited);
  const states = Object.entries(counts).filter(([, count]) => count > 0);
  const lines = [
    bold(describeEnd(end, counts)),
    `${formatCount(total, 'URL')}: ${states.map(([state, count]) => `${formatCount(count)} ${state}`).join(', ')}; ${formatCount(inSitemaps)} in sitemaps`,
    ...(rendered === null ? [] : [rendered]),
    ...audited.slice(0, MAX_SITES).map(({ origin, policy, meaning }) => {
      const line = `${visible(origin)}/robots.txt: ${visible(meaning)}`;
      return policy.kind === 'disallow-all' || policy.kind === 'unknown' ? red(line) : line;
    }),
    ...(audited.length > MAX_SITES ? [`and ${formatCount(audited.length - MAX_SITES, 'other site')}`] : []),
  ];
  for (const group of groupEqual(agents, hasEqualResults)) {
    const [summary] = group as [AgentSummary];
    const { primary, findings } = summary;
    const names = group.map(({ agent }) => visible(agent)).join(', ');
    const reasons = REASONS.filter((reason) => primary[reason] > 0);
    const list = reasons.map((reason) => `${formatCount(primary[reason])} ${reason}`);
    const others = list.length === 0 ? '' : `; ${list.join(', ')}`;
    lines.push(
      `${names}: ${describeVerdicts(summary)}${others}`,
      ...findings.map(({ severity, title, code, count, largest }) => {
        const group = largest === null ? '' : `: ${visible(truncate(largest.detail, MAX_DETAIL))}`;
        const part =
          largest === null || largest.count === count || FINDING_KINDS[code].countsUrls
            ? ''
            : ` (${formatCount(largest.count)})`;
        const line = `  ${severity}: ${title} (${code})${group}${part}`;
        return severity === 'error' ? red(line) : severity === 'warning' ? yellow(line) : line;
      }),
    );
  }
  if (preferences !== null) lines.push(...describeUse(preferences));
  // Loaded late: a table needs packages that a small site does not.
  const table = segments.list.length < 2 ? '' : (await import('./segments.ts')).describeSegments(segments);
  return `${lines.join('\n')}\n${table}`;
}

/** Describes how the content may be used, as far as something is declared. */
function describeUse({ agents, tdmrep }: UseSummary): string[] {
  const groups = groupEqual(agents, (a, b) => isDeepStrictEqual(a.purposes, b.purposes));
  return [
    ...groups.flatMap((group) => {
      const names = group.map(({ agent }) => visible(agent)).join(', ');
      return MAIN_PURPOSES.flatMap((purpose) => {
        const count = group[0]?.purposes[purpose];
        if (count === undefined || count.allowed + count.disallowed === 0) return [];
        const words = USE_WORDS.flatMap(([name, word]) =>
          count[name] === 0 ? [] : [`${formatCount(count[name])} ${word}`],
        );
        return [`${names}: use for ${purpose}: ${words.join(', ')}`];
      });
    }),
    ...tdmrep.flatMap(({ origin, problem }) =>
      problem === null ? [] : [`${visible(origin)}/.well-known/tdmrep.json: ${visible(problem)}`],
    ),
  ];
}

const USE_WORDS = [
  ['allowed', 'allowed'],
  ['disallowed', 'disallowed'],
  ['unknown', 'not declared'],
  ['notApplicable', 'blocked'],
] as const;

/** Whether two crawlers have the same counts of everything. */
function hasEqualResults(
  { agent: _one, purposes: _its, ...results }: AgentSummary,
  { agent: _other, purposes: _their, ...others }: AgentSummary,
): boolean {
  return isDeepStrictEqual(results, others);
}
