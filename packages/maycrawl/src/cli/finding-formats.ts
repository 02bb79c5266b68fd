/**
 * Findings of the linter for people and for programs.
 *
 * @module
 */
import type { Severity } from '@maycrawl/core';
import { FINDINGS, type Finding } from '@maycrawl/core/lint';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import { colorsFor, toJson, visible } from './terminal.ts';

/** Writes findings about a file. */
export type Format = (name: string, findings: readonly Finding[]) => string;

/** By their names on the command line. */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['text', formatText],
  ['json', formatJson],
  ['sarif', formatSarif],
  ['github', formatGithub],
]);

function formatText(name: string, findings: readonly Finding[]): string {
  const { bold, red, yellow, dim } = colorsFor(process.stdout);
  const paint = { error: red, warning: yellow, info: dim };
  const lines = findings.map(({ severity, line, column, message, code, fix }) => {
    const place = `${line}:${column}`.padStart(9);
    return `${place}  ${paint[severity](severity.padEnd(7))}  ${visible(message)} ${dim(`${code}${fix ? ', --fix' : ''}`)}`;
  });
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  const total = `${count('error')} errors, ${count('warning')} warnings, ${count('info')} notes`;
  return `${[bold(visible(name)), ...lines, total].join('\n')}\n`;
}

function formatJson(name: string, findings: readonly Finding[]): string {
  const told = findings.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined }));
  return `${toJson({ robots: name, findings: told }, 2)}\n`;
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** SARIF 2.1.0, which code hosts and editors read. */
function formatSarif(name: string, findings: readonly Finding[]): string {
  const codes = Object.entries(FINDINGS).sort(([a], [b]) => (a < b ? -1 : 1));
  const rules = codes.map(
    ([id, severity]): ReportingDescriptor => ({
      id,
      defaultConfiguration: { level: LEVELS[severity] },
    }),
  );
  const results = findings.map(
    ({ code, severity, message, line, column, length }): Result => ({
      ruleId: code,
      ruleIndex: codes.findIndex(([id]) => id === code),
      level: LEVELS[severity],
      message: { text: message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(name) },
            region: { startLine: line, startColumn: column, endColumn: column + length },
          },
        },
      ],
    }),
  );
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'maycrawl', rules } }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${toJson(log, 2)}\n`;
}

function uriOf(name: string): string {
  return name.includes('://') ? name : encodeURI(name.replaceAll('\\', '/'));
}

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Workflow commands of GitHub Actions, which become annotations. */
function formatGithub(name: string, findings: readonly Finding[]): string {
  const data = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return findings
    .map(({ severity, line, column, length, code, message }) => {
      const place = `file=${property(name)},line=${line},col=${column},endColumn=${column + length}`;
      return `::${COMMANDS[severity]} ${place},title=${property(code)}::${data(visible(message))}\n`;
    })
    .join('');
}
