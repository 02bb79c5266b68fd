// Diagnostics, findings and events as lines for people.
import type { Severity } from '@maycrawl/core';
import { groupFindings } from '@maycrawl/core/lint';
import { visible } from '../../text/printable.ts';
import { getColors } from './terminal.ts';

/** Formats a severity in its colour, padded with spaces. A damaged database can have others. */
export function formatSeverity(severity: string, width: number): string {
  const { red, yellow, dim } = getColors(process.stdout);
  const format = { error: red, warning: yellow, info: dim }[severity as Severity] ?? dim;
  return format(severity.padEnd(width));
}

/** A diagnostic or a finding. */
interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly line: number;
  readonly column: number;
}

/**
 * Formats findings: a line for all with the same message, at the place of the first.
 *
 * @param findings - in the order of the file.
 * @param describe - returns the message.
 * @param getNote - returns what follows the code.
 */
export function formatFindings<T extends Finding>(
  findings: readonly T[],
  describe: (finding: T) => string,
  getNote: (finding: T) => string = () => '',
): string[] {
  const { dim } = getColors(process.stdout);
  return groupFindings(findings, describe).map(({ findings: group, lines }) => {
    const [first] = group;
    const place = `${first.line}:${first.column}`.padStart(9);
    const others = group.length === 1 ? '' : ` (${group.length} times: ${lines})`;
    const text = `${visible(describe(first))}${others} ${dim(first.code + getNote(first))}`;
    return `${place}  ${formatSeverity(first.severity, 7)}  ${text}`;
  });
}
