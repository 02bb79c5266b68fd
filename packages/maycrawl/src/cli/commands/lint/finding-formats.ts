/**
 * Findings of the linter for people and for programs.
 *
 * @module
 */
import type { Severity } from '@maycrawl/core';
import { FINDING_SEVERITIES, type Finding } from '@maycrawl/core/lint';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import { findingsReport } from '../../../reports/findings.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { formatFinding } from '../../output/findings.ts';
import { formatAnnotation } from '../../output/github.ts';
import { getColors } from '../../output/terminal.ts';

/** The findings in a file. */
export interface Report {
  readonly name: string;
  readonly findings: readonly Finding[];
}

/** Formats the findings of each file (`index` counts from 0), or of all files as one document. */
type Format =
  | { readonly each: (report: Report, index: number) => string }
  | { readonly all: (reports: readonly Report[]) => string };

/** Names of formats on the command line. */
export type FormatName = 'text' | 'json' | 'sarif' | 'github';

/** The formats by their names. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  text: { each: formatText },
  json: { all: formatJson },
  sarif: { all: formatSarif },
  github: { each: formatGithub },
};

function formatText({ name, findings }: Report, index: number): string {
  const { bold } = getColors(process.stdout);
  const lines = findings.map((each) => formatFinding(each, each.message, each.fix ? ', --fix' : ''));
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

/** Severities in SARIF and in workflow commands. */
const LEVELS = {
  error: { sarif: 'error', github: 'error' },
  warning: { sarif: 'warning', github: 'warning' },
  info: { sarif: 'note', github: 'notice' },
} as const;

/** SARIF 2.1.0, which code hosts and editors read. */
function formatSarif(reports: readonly Report[]): string {
  const codes = Object.entries(FINDING_SEVERITIES).sort(([a], [b]) => (a < b ? -1 : 1));
  const rules = codes.map(
    ([id, severity]): ReportingDescriptor => ({
      id,
      defaultConfiguration: { level: LEVELS[severity].sarif },
    }),
  );
  const results = reports.flatMap(({ name, findings }) =>
    findings.map(
      ({ code, severity, message, line, column, length }): Result => ({
        ruleId: code,
        ruleIndex: codes.findIndex(([id]) => id === code),
        level: LEVELS[severity].sarif,
        message: { text: message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: toUri(name) },
              region: { startLine: line, startColumn: column, endColumn: column + length },
            },
          },
        ],
      }),
    ),
  );
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'maycrawl', rules } }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${toJson(log, 2)}\n`;
}

function toUri(name: string): string {
  return name.includes('://') ? name : encodeURI(name.replaceAll('\\', '/'));
}

/** Workflow commands of GitHub Actions, which become annotations. */
function formatGithub({ name, findings }: Report): string {
  const lines = findings.map(({ severity, line, column: col, length, code: title, message }) =>
    formatAnnotation(
      LEVELS[severity].github,
      { file: name, line, col, endColumn: col + length, title },
      message,
    ),
  );
  return lines.join('');
}
