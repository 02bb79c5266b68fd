// Findings as diagnostics of the editor, with a button for those that have a fix.
import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Finding } from '@maycrawl/core/lint';
import { visible } from '../../shared/visible.ts';

/** Converts findings. Those about lines that no longer exist are omitted. */
export function createDiagnostics(
  doc: Text,
  findings: readonly Finding[],
  fix: (finding: Finding) => void,
): Diagnostic[] {
  return findings
    .filter(({ line }) => line <= doc.lines)
    .map((finding): Diagnostic => {
      const { from, to } = getRange(doc, finding);
      const { severity, code } = finding;
      const diagnostic = { from, to, severity, source: code, message: visible(finding.message) };
      return finding.fix === undefined
        ? diagnostic
        : { ...diagnostic, actions: [{ name: 'Fix', apply: () => fix(finding) }] };
    });
}

/** A part of a line. */
type Position = Pick<Finding, 'line' | 'column' | 'length'>;

/** Moves the cursor to a part of a line. */
export function goTo(view: EditorView, position: Position): void {
  if (position.line > view.state.doc.lines) return;
  const { from, to } = getRange(view.state.doc, position);
  view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
  view.focus();
}

function getRange(doc: Text, { line, column, length }: Position): { from: number; to: number } {
  const { from: start, to: end } = doc.line(line);
  const from = Math.min(start + column - 1, end);
  return { from, to: Math.min(from + length, end) };
}
