/**
 * Diagnostics, findings and events as lines for people.
 *
 * @module
 */
import type { Severity } from '@maycrawl/core';
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

/** Formats a finding in one line. @param note - follows the code. */
export function formatFinding(
  { severity, line, column, code }: Finding,
  message: string,
  note: string = '',
): string {
  const { dim } = getColors(process.stdout);
  const place = `${line}:${column}`.padStart(9);
  return `${place}  ${formatSeverity(severity, 7)}  ${visible(message)} ${dim(code + note)}`;
}
