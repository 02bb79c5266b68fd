// `maycrawl census compare`: what changed between two crawls.
import {
  type AgentComparison,
  type CensusComparison,
  type ComparedCensus,
  compareCensuses,
} from '../../../census/compare-censuses.ts';
import type { Example, SiteCount } from '../../../census/report/site-count.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printTable } from '../../output/table.ts';
import { printMessage } from '../../output/terminal.ts';
import type { CensusCompareOptions } from './options.ts';
import { runLimited } from './query-limits.ts';

/** Agents in the message about those that are not compared. */
const MAX_OMITTED = 20;

/**
 * Compares two censuses.
 *
 * @param folders - those of the first and of the second census.
 * @returns the exit code: 0, or 2 if the user interrupted the command.
 * @throws {CommandError} if a folder has no complete census, or they cannot be compared.
 */
export async function censusCompare(
  folders: readonly string[],
  { format, examples, ...limits }: CensusCompareOptions,
): Promise<number> {
  const [before, after, ...others] = folders;
  if (before === undefined || after === undefined || others.length > 0)
    throw new CommandError('name the folders of two censuses');
  return runLimited(limits, async (options) => {
    const comparison = await compareCensuses(before, after, { ...options, examples });
    printOmitted(comparison.omittedAgents);
    for (const text of comparison.breaks) printMessage(text);
    if (format === 'json') printJson(comparison, 2);
    else printText(comparison);
    return 0;
  });
}

/** Reports agents that are not compared. */
function printOmitted(agents: readonly string[]): void {
  if (agents.length === 0) return;
  const others =
    agents.length > MAX_OMITTED ? `, and ${formatCount(agents.length - MAX_OMITTED, 'other')}` : '';
  printMessage(`only one census has these agents: ${agents.slice(0, MAX_OMITTED).join(', ')}${others}`);
}

function printText({ before, after, sites, agents }: CensusComparison): void {
  printTable(
    ['census', 'from', 'to', 'sites', 'only here'],
    [before, after].map((each) => [
      visible(each.name),
      ...formatTimes(each),
      formatCount(each.sites),
      formatCount(each.onlySites),
    ]),
  );
  printLine(`\n${formatCount(sites, 'site')} in both\n`);
  printTable(
    ['agent', 'blocked before', 'after', 'newly blocked', 'newly allowed', 'known sites'],
    agents.map((each) => [
      visible(each.agent),
      formatShare(each.blockedBefore, each.knownSites),
      formatShare(each.blockedAfter, each.knownSites),
      formatCount(each.newlyBlocked.count),
      formatCount(each.newlyAllowed.count),
      formatCount(each.knownSites),
    ]),
  );
  for (const each of agents) printAgent(each, sites);
}

function formatTimes({ from, to }: ComparedCensus): [string, string] {
  const [first, last] = [from, to].map((time) => time?.slice(0, 10) ?? '');
  return [first ?? '', last ?? ''];
}

function formatShare(count: number, all: number): string {
  return all === 0 ? '' : `${formatCount(count)} (${((100 * count) / all).toFixed(1)} %)`;
}

function printAgent(
  { agent, transitions, newlyBlocked, newlyAllowed }: AgentComparison,
  sites: number,
): void {
  const changed = transitions.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return;
  printLine(`\n${visible(agent)}`);
  printTable(
    ['  before', 'after', 'sites'],
    changed.map((each) => [`  ${each.before}`, each.after, formatShare(each.sites.count, sites)]),
  );
  printExamples('newly blocked', newlyBlocked);
  printExamples('newly allowed', newlyAllowed);
}

function printExamples(title: string, { count, examples }: SiteCount): void {
  if (examples.length === 0) return;
  printLine(`  ${title}, ${examples.length} of ${formatCount(count)}:`);
  for (const example of examples) printLine(`    ${formatExample(example)}`);
}

/** Formats a site with the line that decides about the URL that shows its class in the second census. */
function formatExample({ host, witnesses }: Example): string {
  const [witness] = witnesses;
  if (witness === undefined) return visible(host);
  const verdict = witness.isAllowed ? 'allowed' : 'disallowed';
  const reason = witness.line === 0 ? 'no rule matches' : `line ${witness.line}`;
  return `${visible(host)}: ${visible(witness.path)} is ${verdict} (${reason})`;
}
