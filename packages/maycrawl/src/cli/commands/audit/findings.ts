/**
 * `maycrawl audit findings`: what is wrong with the URLs of a run, the most urgent first.
 *
 * @module
 */
import { FINDING_KINDS } from '../../../audit/findings/finding-kinds.ts';
import { summarizeRun } from '../../../audit/report/summary.ts';
import { FINDING_CODES, type FindingCode } from '../../../audit/run/finding.ts';
import { getSettings } from '../../../audit/run/settings.ts';
import type { UrlFinding } from '../../../audit/run/sqlite/finding-table.ts';
import type { SqliteRun } from '../../../audit/run/sqlite/sqlite-run.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { getColors } from '../../output/terminal.ts';
import { withRun } from './open-run.ts';

export interface AuditFindingsOptions {
  /** Codes of kinds. */
  readonly code?: readonly string[];
  readonly json?: boolean;
}

/** URLs of a kind that are listed unless codes are given. */
const MAX_LISTED = 5;

/**
 * Prints the findings of a run by crawler and kind: all of them if kinds are given, otherwise some URLs of each; in JSON all, one object a line.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the run cannot be read, or a code is unknown.
 */
export async function auditFindings(path: string, options: AuditFindingsOptions): Promise<number> {
  const codes = options.code?.map(requireCode);
  return withRun(path, async (run) => {
    if (options.json) await writeJson(run, codes ?? FINDING_CODES);
    else await writeText(run, codes);
    return 0;
  });
}

function requireCode(code: string): FindingCode {
  const known = FINDING_CODES.find((each) => each === code);
  if (known === undefined)
    throw new CommandError(`unknown finding "${visible(code)}"; findings: ${FINDING_CODES.join(', ')}`);
  return known;
}

async function writeJson(run: SqliteRun, codes: readonly FindingCode[]): Promise<void> {
  const { agents } = await getSettings(run);
  for (const [place, agent] of agents.entries())
    for (const code of codes)
      for (const { url, detail, targets } of run.findings.list(code, place))
        await writeOut(
          `${toJson({ code, severity: FINDING_KINDS[code].severity, agent, url, detail, targets })}\n`,
        );
}

async function writeText(run: SqliteRun, codes: readonly FindingCode[] | undefined): Promise<void> {
  const { bold, red, yellow } = getColors(process.stdout);
  const { agents } = await summarizeRun(run);
  for (const [place, { agent, findings }] of agents.entries()) {
    const shown = findings.filter(({ code }) => codes === undefined || codes.includes(code));
    await writeOut(bold(`${visible(agent)}: ${shown.length === 0 ? 'no findings' : ''}\n`));
    for (const { code, severity, count, title } of shown) {
      const colour = severity === 'error' ? red : severity === 'warning' ? yellow : (text: string) => text;
      const { cost, action } = FINDING_KINDS[code];
      await writeOut(`${colour(`${severity}: ${title}`)} (${code})\n  ${cost}\n  ${action}\n`);
      let listed = 0;
      for (const finding of run.findings.list(code, place)) {
        if (codes === undefined && listed === MAX_LISTED) break;
        await writeOut(`    ${describe(finding)}\n`);
        listed++;
      }
      if (listed < count) await writeOut(`    and ${formatCount(count - listed, 'other')}\n`);
    }
  }
}

function describe({ url, detail, targets }: UrlFinding): string {
  const about = detail === null ? '' : ` (${visible(detail)})`;
  return `${[url, ...targets].map((each) => visible(each)).join(' → ')}${about}`;
}
