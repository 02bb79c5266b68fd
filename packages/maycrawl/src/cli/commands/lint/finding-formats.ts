// Findings of the linter for people and for programs.
import type { Severity } from '@maycrawl/core';
import { groupFindings } from '@maycrawl/core/lint';
import { findingsReport } from '../../../reports/findings.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { formatFindings } from '../../output/findings.ts';
import { formatAnnotation } from '../../output/github.ts';
import { getColors } from '../../output/terminal.ts';
import { formatCodeQuality } from './code-quality.ts';
import { getRepositoryPath } from './locations.ts';
import type { Report } from './report.ts';
import { formatSarif } from './sarif.ts';

/** Formats the findings of each file (`index` counts from 0), or of all files as one document. */
type Format =
  | { readonly each: (report: Report, index: number) => string }
  | { readonly all: (reports: readonly Report[], rulesUrl?: string) => string };

/** Names of formats on the command line. */
export type FormatName = 'text' | 'json' | 'sarif' | 'github' | 'code-quality';

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  text: { each: formatText },
  json: { all: formatJson },
  sarif: { all: formatSarif },
  github: { each: formatGithub },
  'code-quality': { all: formatCodeQuality },
};

function formatText({ name, findings }: Report, index: number): string {
  const { bold } = getColors(process.stdout);
  const lines = formatFindings(
    findings,
    ({ message }) => message,
    ({ fix }) => (fix ? ', --fix' : ''),
  );
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  const counts = [
    formatCount(count('error'), 'error'),
    formatCount(count('warning'), 'warning'),
    formatCount(count('info'), 'note'),
  ];
  return `${index === 0 ? '' : '\n'}${[bold(visible(name)), ...lines, counts.join(', ')].join('\n')}\n`;
}

function formatJson(reports: readonly Report[]): string {
  const list = reports.map(({ name, findings }) => ({ robots: name, findings: findingsReport(findings) }));
  // One file is one object, as with other commands.
  return `${toJson(list.length === 1 ? list[0] : list, 2)}\n`;
}

/** Severities in workflow commands. */
const GITHUB_LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/**
 * Workflow commands of GitHub Actions, which become annotations. GitHub shows ten of each level in a step, so findings with the same
 * message are one.
 */
function formatGithub({ name, findings }: Report): string {
  const file = name.includes('://') ? name : (getRepositoryPath(name) ?? name);
  return groupFindings(findings, ({ message }) => message)
    .map(({ findings: group, lines }) => {
      const [{ severity, line, column: col, length, code: title, message }] = group;
      const others = group.length === 1 ? '' : ` (${group.length} times: ${lines})`;
      const properties = { file, line, col, endColumn: col + length, title };
      return formatAnnotation(GITHUB_LEVELS[severity], properties, `${message}${others}`);
    })
    .join('');
}
