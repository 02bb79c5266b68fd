// `maycrawl audit replay`: what another robots.txt would change in a run, without a request.

import { type ReplayChange, replay } from '../../../audit/report/replay/replay.ts';
import { getSettings } from '../../../audit/run/settings.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { readRobotsFile } from '../../input/file.ts';
import { requireCrawler } from '../../input/options.ts';
import { writeOut } from '../../output/standard-output.ts';
import { getColors, printMessage } from '../../output/terminal.ts';
import { withRun } from './open-run.ts';
import type { AuditReplayOptions } from './options.ts';

interface Count {
  lost: number;
  /** Of these, pages that were indexable. */
  indexable: number;
  gained: number;
  /** Of these, pages that the run has not seen. */
  unseen: number;
}

/**
 * Prints which pages would be lost and gained, and a summary at the end; in JSON one object a line.
 *
 * @returns the exit code: 1 if pages would be lost, else 0.
 * @throws {CommandError} if the run or the file cannot be read.
 */
export async function auditReplay(path: string, options: AuditReplayOptions): Promise<number> {
  const robots = await readRobotsFile(options.robots);
  const named = options.agent?.map((name) => requireCrawler(name).name);
  return withRun(path, async (run) => {
    const agents = named ?? getSettings(run).agents;
    const sites = run.rows.getAuditedHosts().size;
    if (sites > 1) printMessage(`the run has ${sites} sites; the file replaces the robots.txt of each`);
    const counts = new Map<string, Count>(
      agents.map((agent) => [agent, { lost: 0, indexable: 0, gained: 0, unseen: 0 }]),
    );
    for (const change of replay(run, { robots, agents })) {
      add(counts.get(change.agent), change);
      await writeOut(options.json ? `${toJson(change)}\n` : describe(change));
    }
    for (const [agent, count] of counts)
      await writeOut(
        options.json ? `${toJson({ kind: 'summary', agent, ...count })}\n` : formatSummary(agent, count),
      );
    return [...counts.values()].some(({ lost }) => lost > 0) ? 1 : 0;
  });
}

function add(count: Count | undefined, change: ReplayChange): void {
  if (count === undefined) return;
  if (change.kind === 'lost') {
    count.lost++;
    if (change.wasIndexable) count.indexable++;
  } else {
    count.gained++;
    if (!change.seen) count.unseen++;
  }
}

function formatSummary(agent: string, { lost, indexable, gained, unseen }: Count): string {
  const { bold } = getColors(process.stdout);
  const text = `${formatCount(lost)} lost (${formatCount(indexable)} of them indexable), ${formatCount(gained)} gained (${formatCount(unseen)} of them not seen yet)`;
  return bold(`${visible(agent)}: ${text}\n`);
}

function describe(change: ReplayChange): string {
  const { red, green } = getColors(process.stdout);
  const { url, agent } = change;
  const about = `${visible(url)}  ${visible(agent)}`;
  if (change.kind === 'gained')
    return `${green('gained')}  ${about}: ${change.seen ? 'allowed now' : 'allowed now, not seen yet'}\n`;
  const { cause, line, rule, wasIndexable, reason } = change;
  const text =
    cause === 'unlinked'
      ? 'only blocked pages link to it'
      : rule === null
        ? 'blocked'
        : `blocked by line ${line}: ${visible(rule)}`;
  const former = wasIndexable || reason === null ? '' : ` (was not indexable: ${reason})`;
  return `${red('lost  ')}  ${about}: ${text}${former}\n`;
}
