// Findings of the linter, and the fixes of some of them.
import type { MessageData, Severity } from '../model/diagnostics/diagnostic-kinds.ts';
import { type Diagnostic, describeDiagnostic } from '../model/diagnostics/diagnostics.ts';
import type { RobotsRecord } from '../syntax/record.ts';
import { type FindingCode, LINT_KINDS, type LintCode } from './finding-kinds.ts';

/** A replacement of one line. */
export interface LineEdit {
  /** Line number, from 1. */
  readonly line: number;
  /** The new line as a byte string without line end, or `null` to delete the line. */
  readonly replacement: string | null;
}

/** A replacement of one line, and of those that belong to it. */
export interface Fix extends LineEdit {
  /** Edits of further lines: where lines move to `line`, they are deleted. */
  readonly others?: readonly LineEdit[];
}

/** One finding. Columns and lengths count UTF-16 code units; lines and columns start at 1. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** One or two sentences in English. */
  readonly message: string;
  /** A change that resolves the finding and changes no verdict. */
  readonly fix?: Fix;
  /**
   * The line of the finding as its author probably meant it, without line end. It would change verdicts, so a person decides: `fix` does not
   * apply it.
   */
  readonly suggestion?: string;
}

export function toFinding(diagnostic: Diagnostic): Finding {
  const { code, severity, line, column, length } = diagnostic;
  return { code, severity, line, column, length, message: describeDiagnostic(diagnostic) };
}

/**
 * Creates a finding about the value of a record, or about a part of it.
 *
 * @param offset - start of the part in the value.
 * @param length - length of the part.
 */
export function createFinding(
  code: LintCode,
  { line, valueColumn, text }: Pick<RobotsRecord, 'line' | 'valueColumn' | 'text'>,
  data: MessageData = {},
  offset = 0,
  length: number = text.length - offset,
): Finding {
  const { severity, describe } = LINT_KINDS[code];
  return { code, severity, line, column: valueColumn + offset, length, message: describe(data) };
}
