// `maycrawl diff`: what an edit of a robots.txt changes, for every URL.

import { type Allowed, type Disallowed, describePolicy, parse, type RobotsTxt } from '@maycrawl/core';
import { compareDeclarations } from '@maycrawl/core/preferences';
import {
  Budget,
  compareFiles,
  compareRecords,
  type FileComparison,
  type RecordComparison,
  type VerdictChange,
} from '@maycrawl/core/proofs';
import type { NamedCrawler } from '../../../batch/judge.ts';
import { comparisonReport } from '../../../reports/comparison.ts';
import { formatCount } from '../../../text/counts.ts';
import { formatCrawlers, getCrawlerName } from '../../../text/crawler-names.ts';
import { formatFirst } from '../../../text/first-names.ts';
import { visible } from '../../../text/printable.ts';
import { requireCrawler } from '../../input/options.ts';
import { isUnreachable, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { getColors, printMessage } from '../../output/terminal.ts';
import type { DiffOptions } from '../options.ts';
import { printDeclarations } from './declarations.ts';
import { readFromGit } from './git.ts';
import { compareUrls, type UrlChanges } from './url-changes.ts';

interface Side {
  readonly name: string;
  readonly robots: RobotsTxt;
}

/**
 * Compares two files, and prints what changes: the conclusion in the first line, then each change with an example.
 *
 * @returns the exit code: 0 if nothing changes, 1 if something does, 2 if that could not be decided.
 * @throws {CommandError} if a file cannot be read.
 */
export async function diff(oldName: string, newName: string, options: DiffOptions): Promise<number> {
  if ([oldName, newName, options.urls].filter((name) => name === '-').length > 1)
    throw new CommandError('only one file can be standard input');
  const crawlers = options.agent?.map((name) => requireCrawler(name));
  const budget = new Budget(options.maxStates);
  const reader = new SourceReader(options);
  const [before, after] = await readSides(oldName, newName, reader, options.profile);
  const comparison = compareFiles(before.robots, after.robots, { ...(crawlers && { crawlers }), budget });
  // Other records have no effect on the verdicts for given crawlers.
  const records = crawlers === undefined ? compareRecords(before.robots, after.robots) : undefined;
  const declarations = compareDeclarations(before.robots, after.robots, {
    ...(crawlers && { crawlers }),
    ...(options.maxStates !== undefined && { maxStates: options.maxStates }),
  });
  const urls =
    options.urls === undefined
      ? undefined
      : await compareUrls(
          options.urls,
          before.robots,
          after.robots,
          getCrawlers(crawlers, comparison),
          options,
        );
  if (options.json)
    printJson(
      {
        ...comparisonReport(comparison, { declarations, ...(records && { records }) }),
        ...(urls && { urls: urls.listed, urlCount: urls.count }),
      },
      2,
    );
  else {
    const sameness = describeSameness(before, after, crawlers, records);
    await printComparison(comparison, { sameness, ...(urls && { urls }) });
    for (const line of records === undefined ? [] : describeRecords(records)) printLine(line);
    await printDeclarations(declarations);
  }
  if (comparison.equivalent === null) return 2;
  return comparison.equivalent ? 0 : 1;
}

async function readSides(
  oldName: string,
  newName: string,
  reader: SourceReader,
  profile: string,
): Promise<[Side, Side]> {
  try {
    return [await readSide(oldName, reader, profile), await readSide(newName, reader, profile)];
  } finally {
    // Before the proofs: until then Ctrl-C only aborts requests.
    await reader.close();
  }
}

async function readSide(name: string, reader: SourceReader, profile: string): Promise<Side> {
  if (name.startsWith('git:')) return { name, robots: parse(await readFromGit(name), { profile }) };
  const source = await reader.read(name);
  const { message, policy, robots } = source;
  if (isUnreachable(source))
    throw new CommandError(`cannot compare: ${visible(name)} is unreachable (${visible(message ?? '')})`);
  if (policy.kind !== 'rules') printMessage(`${visible(name)}: ${describePolicy(policy)}`);
  if (robots.truncated)
    printMessage(`${visible(name)}: bytes after the first ${formatCount(robots.maxBytes)} are ignored`);
  // Without its URL: the comparison is independent of the origin.
  return { name, robots: parse(robots.bytes, { profile }) };
}

/** Describes files with the same verdicts. */
function describeSameness(
  before: Side,
  after: Side,
  crawlers: readonly NamedCrawler[] | undefined,
  records: RecordComparison | undefined,
): string {
  if (Buffer.from(before.robots.bytes).equals(after.robots.bytes)) return 'The files are the same.';
  const named =
    crawlers === undefined ? 'every crawler' : crawlers.map(({ name }) => formatName(name)).join(', ');
  if (records !== undefined && records.equivalent !== true)
    return `Same verdicts for ${named} and every URL; records other than rules changed.`;
  return crawlers === undefined
    ? 'Same for every crawler and URL: only formatting changed.'
    : `Same for ${named} and every URL.`;
}

const MAX_NAMES = 10;

/** Describes the changes of records other than rules, a line for each kind of change. */
function describeRecords(records: RecordComparison): string[] {
  if (records.equivalent === null) return ['Undecided whether records other than rules changed.'];
  const listed = (names: readonly string[]): string => visible(formatFirst(names, MAX_NAMES));
  const { addedNames, removedNames, changedAgents, hasSitemapChanges, hasUngroupedChanges } = records;
  return [
    ...(removedNames.length > 0 ? [`No longer named: ${listed(removedNames)}`] : []),
    ...(addedNames.length > 0 ? [`Newly named: ${listed(addedNames)}`] : []),
    ...(changedAgents.length > 0 ? [`Other records changed for: ${listed(changedAgents)}`] : []),
    ...(hasSitemapChanges ? ['The sitemaps changed.'] : []),
    ...(hasUngroupedChanges ? ['Records outside of groups changed.'] : []),
  ];
}

/** Maximum number of crawlers with --urls: the work is the product of crawlers and URLs. */
const MAX_CRAWLERS = 50;

/**
 * Returns the crawlers for --urls: the named ones, or one of each set of crawlers with the same changes.
 *
 * @throws {CommandError} if there are too many sets.
 */
function getCrawlers(
  named: readonly NamedCrawler[] | undefined,
  { comparisons }: FileComparison,
): readonly NamedCrawler[] {
  if (named !== undefined) return named;
  const changed = comparisons.filter(({ equivalent }) => equivalent !== true);
  if (changed.length > MAX_CRAWLERS)
    throw new CommandError(
      `the verdicts for ${changed.length} crawlers change in different ways: choose crawlers with --agent`,
    );
  // If no verdict changes, one crawler is enough to validate the list.
  return (changed.length > 0 ? changed : comparisons.slice(0, 1)).flatMap(({ crawlers }) =>
    crawlers.slice(0, 1),
  );
}

/** Prints what changes: the conclusion first, then each change. */
export async function printComparison(
  { equivalent, comparisons }: FileComparison,
  {
    urls,
    sameness = 'Same for every crawler and URL.',
  }: { readonly urls?: UrlChanges; readonly sameness?: string } = {},
): Promise<void> {
  const { bold, red, green } = getColors(process.stdout);
  const { printTable } = await import('../../output/table.ts');
  const changed = comparisons.filter(({ changes }) => changes.length > 0);
  const lines: string[] = [];
  if (equivalent === true) {
    lines.push(bold(sameness));
  } else {
    for (const { crawlers, changes } of changed)
      lines.push(bold(`${formatNames(crawlers)}: ${summarizeChanges(changes)}`));
    const open = comparisons.filter((each) => each.equivalent === null);
    for (const { crawlers } of open)
      lines.push(
        bold(`${formatNames(crawlers)}: undecided; the proof exceeds its budget (see --max-states)`),
      );
  }
  printLine(lines.join('\n'));
  for (const { crawlers, changes } of changed) {
    printLine(`\n${formatNames(crawlers)}`);
    const rows = changes.map(({ direction, example, before, after }) => [
      direction === 'blocked' ? red('newly blocked') : green('newly allowed'),
      visible(example),
      describeRule(before),
      describeRule(after),
    ]);
    printTable(['change', 'for example', 'before', 'after'], rows);
    if (crawlers.length > 1)
      printLine(`(the same for ${crawlers.map(({ name }) => formatName(name)).join(', ')})`);
  }
  if (urls === undefined) return;
  const { count, listed } = urls;
  printLine(`\n${bold(`${count} of the URLs change.`)}`);
  if (count > 0)
    printTable(
      ['change', 'crawler', 'URL'],
      listed.map(({ direction, agent, url }) => [
        direction === 'blocked' ? red('newly blocked') : green('newly allowed'),
        formatName(agent),
        visible(url),
      ]),
    );
  if (count > listed.length) printLine(`(and ${count - listed.length} more)`);
}

function summarizeChanges(changes: readonly VerdictChange[]): string {
  const count = (direction: VerdictChange['direction']): number =>
    changes.filter((each) => each.direction === direction).length;
  const counts = [
    [count('blocked'), 'newly blocked'],
    [count('allowed'), 'newly allowed'],
  ] as const;
  return counts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${what} in ${formatCount(number, 'case')}`)
    .join(', ');
}

function formatNames(crawlers: readonly NamedCrawler[]): string {
  return visible(formatCrawlers(crawlers.map(({ name }) => name)));
}

function formatName(crawler: string): string {
  return visible(getCrawlerName(crawler));
}

function describeRule({ line, rule }: Allowed | Disallowed): string {
  return rule === null ? 'no rule' : `line ${line}: ${rule.kind} ${visible(rule.text)}`;
}
