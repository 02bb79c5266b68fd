// Findings of the linter as diagnostics of the protocol.
import type { FINDING_SEVERITIES, Finding } from '@maycrawl/core/lint';
import type { Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import { compareSeverities } from '../../reports/severities.ts';
import { formatCount } from '../../text/counts.ts';
import { visible } from '../../text/printable.ts';
import { getRulePage } from '../../text/rule-help.ts';
import type { RobotsDocument } from '../robots-document.ts';

/** Editors become slow with more diagnostics of one file. */
const MAX_DIAGNOSTICS = 1000;

const LEVELS: Readonly<Record<Finding['severity'], DiagnosticSeverity>> = { error: 1, warning: 2, info: 3 };
const UNNECESSARY: DiagnosticTag = 1;
/** Findings about lines without which the file would have the same effect, which editors display faded. */
const UNNECESSARY_CODES: ReadonlySet<string> = new Set<keyof typeof FINDING_SEVERITIES>([
  'redundant-rule',
  'redundant-rule-by-default',
  'unreachable-rule',
]);

/**
 * Converts findings to diagnostics, the most severe ones if there are too many, with one about the others.
 *
 * @param rulesUrl - the folder with the pages of the findings on the web; without it, diagnostics have no links.
 */
export function toDiagnostics(
  document: RobotsDocument,
  findings: readonly Finding[],
  rulesUrl: string | undefined,
): Diagnostic[] {
  const omitted = findings.length - MAX_DIAGNOSTICS;
  const shown = omitted > 0 ? sortBySeverity(findings).slice(0, MAX_DIAGNOSTICS) : findings;
  const diagnostics = shown.map((finding) => toDiagnostic(document, finding, rulesUrl));
  if (omitted > 0)
    diagnostics.push(
      createDiagnostic(
        document,
        `${formatCount(omitted, 'further finding')}, the least severe, are not shown: "maycrawl lint" prints all`,
      ),
    );
  return diagnostics;
}

/** Converts a finding. */
export function toDiagnostic(
  document: RobotsDocument,
  finding: Finding,
  rulesUrl: string | undefined,
): Diagnostic {
  const { code, severity, message } = finding;
  return {
    range: document.toRange(finding),
    severity: LEVELS[severity],
    code,
    source: 'maycrawl',
    message: visible(message),
    ...(rulesUrl !== undefined && { codeDescription: { href: getRulePage(rulesUrl, code) } }),
    ...(UNNECESSARY_CODES.has(code) && { tags: [UNNECESSARY] }),
  };
}

/** Creates a diagnostic about the file that is no finding. */
export function createDiagnostic(document: RobotsDocument, message: string): Diagnostic {
  return { range: document.toLineRange(1), severity: LEVELS.warning, source: 'maycrawl', message };
}

function sortBySeverity(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => compareSeverities(a.severity, b.severity));
}
