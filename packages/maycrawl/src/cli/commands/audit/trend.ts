// `maycrawl audit trend`: how the runs in a folder developed, for people and programs.
import type { NamedRunPoint } from '../../../api/audits-api.ts';
import { readRunPoints, selectTrend } from '../../../audit/report/trend/read-trend.ts';
import { describeFileError } from '../../../files/file-error.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { printLine, writeOut } from '../../output/standard-output.ts';
import { printTable } from '../../output/table.ts';
import { printMessage } from '../../output/terminal.ts';
import type { AuditTrendOptions } from './options.ts';

/**
 * Prints the runs of a folder, the oldest first: indexable URLs and errors by crawler; in JSON one run a line.
 *
 * @returns the exit code: 0, or 1 if the folder has no run of the site.
 * @throws {CommandError} if the folder cannot be read.
 */
export async function auditTrend(folder: string, { site, json }: AuditTrendOptions): Promise<number> {
  const points = await readRunPoints(folder).catch((cause: unknown) => {
    throw new CommandError(`cannot read ${visible(folder)}: ${describeFileError(cause)}`, { cause });
  });
  const { sites } = selectTrend(points);
  const wanted = site === undefined ? sites : sites.filter((each) => each.split(' ').includes(site));
  if (wanted.length === 0) {
    printMessage(
      `${visible(folder)} has no summaries of audits${site === undefined ? '' : ` of ${visible(site)}`}`,
    );
    return 1;
  }
  for (const name of wanted) {
    const { runs } = selectTrend(points, name);
    if (json) for (const run of runs) await writeOut(`${toJson(run)}\n`);
    else printRuns(name, runs);
  }
  return 0;
}

/** The numbers of an audit that did not finish do not count. */
const NO_NUMBERS: readonly string[] = ['–', '–', '–'];

function countErrors(findings: NamedRunPoint['agents'][number]['findings']): number {
  return findings.filter(({ severity }) => severity === 'error').reduce((sum, { count }) => sum + count, 0);
}

function printRuns(site: string, runs: readonly NamedRunPoint[]): void {
  printLine(visible(site));
  const rows = runs.flatMap(({ startedAt, state, name, agents }) =>
    agents.map(({ agent, judged, indexable, findings }) => [
      startedAt.slice(0, 16).replace('T', ' '),
      state,
      visible(agent),
      ...(state === 'unfinished'
        ? NO_NUMBERS
        : [indexable, judged - indexable, countErrors(findings)].map((count) => formatCount(count))),
      visible(name),
    ]),
  );
  printTable(['started (UTC)', 'state', 'crawler', 'indexable', 'not indexable', 'errors', 'run'], rows);
}
