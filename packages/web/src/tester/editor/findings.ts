/**
 * Findings as the editor's diagnostics, with a button for those that can be mended.
 *
 * @module
 */
import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Finding } from '@maycrawl/core/lint';
import { visible } from '../../shared/visible.ts';

/** The findings at their places. Those about lines that are there no more are left out. */
export function diagnosticsOf(
  doc: Text,
  findings: readonly Finding[],
  mend: (finding: Finding) => void,
): Diagnostic[] {
  return findings
    .filter(({ line }) => line <= doc.lines)
    .map((finding): Diagnostic => {
      const { from, to } = rangeOf(doc, finding);
      const { severity, code } = finding;
      const told = { from, to, severity, source: code, message: visible(finding.message) };
      return finding.fix === undefined
        ? told
        : { ...told, actions: [{ name: 'Mend', apply: () => mend(finding) }] };
    });
}

/** A part of a line. */
type Place = Pick<Finding, 'line' | 'column' | 'length'>;

/** Puts the cursor where something is. */
export function goTo(view: EditorView, place: Place): void {
  if (place.line > view.state.doc.lines) return;
  const { from, to } = rangeOf(view.state.doc, place);
  view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
  view.focus();
}

function rangeOf(doc: Text, { line, column, length }: Place): { from: number; to: number } {
  const { from: start, to: end } = doc.line(line);
  const from = Math.min(start + column - 1, end);
  return { from, to: Math.min(from + length, end) };
}
