/**
 * Findings of the linter for people and for programs.
 *
 * @module
 */
import type { Severity } from '@maycrawl/core';
import { FINDING_SEVERITIES, type Finding } from '@maycrawl/core/lint';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import { findingsReport } from '../../../reports/findings.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { getColors } from '../../output/terminal.ts';

/** What was found in a file. */
export interface Report {
  readonly name: string;
  readonly findings: readonly Finding[];
}

/** How findings are written: those of each file by themselves, or all as one document. `index` counts the files from 0. */
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
  const { bold, red, yellow, dim } = getColors(process.stdout);
  const paint = { error: red, warning: yellow, info: dim };
  const lines = findings.map(({ severity, line, column, message, code, fix }) => {
    const place = `${line}:${column}`.padStart(9);
    return `${place}  ${paint[severity](severity.padEnd(7))}  ${visible(message)} ${dim(`${code}${fix ? ', --fix' : ''}`)}`;
  });
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  const total = `${count('error')} errors, ${count('warning')} warnings, ${count('info')} notes`;
  return `${index === 0 ? '' : '\n'}${[bold(visible(name)), ...lines, total].join('\n')}\n`;
}

function formatJson(reports: readonly Report[]): string {
  const told = reports.map(({ name, findings }) => ({ robots: name, findings: findingsReport(findings) }));
  // One file is one object, as with other commands.
  return `${toJson(told.length === 1 ? told[0] : told, 2)}\n`;
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** SARIF 2.1.0, which code hosts and editors read. */
function formatSarif(reports: readonly Report[]): string {
  const codes = Object.entries(FINDING_SEVERITIES).sort(([a], [b]) => (a < b ? -1 : 1));
  const rules = codes.map(
    ([id, severity]): ReportingDescriptor => ({ id, defaultConfiguration: { level: LEVELS[severity] } }),
  );
  const results = reports.flatMap(({ name, findings }) =>
    findings.map(
      ({ code, severity, message, line, column, length }): Result => ({
        ruleId: code,
        ruleIndex: codes.findIndex(([id]) => id === code),
        level: LEVELS[severity],
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

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** A message of a workflow command. */
export function escapeData(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

/** The value of a property of a workflow command. */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Workflow commands of GitHub Actions, which become annotations. */
function formatGithub({ name, findings }: Report): string {
  const lines = findings.map(({ severity, line, column, length, code, message }) => {
    const place = `file=${escapeProperty(name)},line=${line},col=${column},endColumn=${column + length}`;
    return `::${COMMANDS[severity]} ${place},title=${escapeProperty(code)}::${escapeData(message)}\n`;
  });
  return lines.join('');
}
