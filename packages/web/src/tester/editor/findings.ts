// Findings as diagnostics of the editor, with buttons for those that have a fix or a suggestion.
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
  suggest: (finding: Finding) => void,
): Diagnostic[] {
  return findings
    .filter(({ line }) => line <= doc.lines)
    .map((finding): Diagnostic => {
      const { from, to } = getRange(doc, finding);
      const { severity, code } = finding;
      const diagnostic = { from, to, severity, source: code, message: visible(finding.message) };
      const actions = [
        ...(finding.fix === undefined ? [] : [{ name: 'Fix', apply: () => fix(finding) }]),
        ...(finding.suggestion === undefined
          ? []
          : [{ name: describeSuggestion(finding.suggestion), apply: () => suggest(finding) }]),
      ];
      return actions.length === 0 ? diagnostic : { ...diagnostic, actions };
    });
}

/** Names the button that applies a suggestion. */
export function describeSuggestion(suggestion: string): string {
  return `Correct to ${suggestion.split(':')[0]}`;
}

/** Replaces lines by the suggestions of their findings, except for lines that were edited since. */
export function applySuggestions(view: EditorView, findings: readonly Finding[]): void {
  const { doc } = view.state;
  const changes = findings.flatMap(({ suggestion, message, ...position }) => {
    if (suggestion === undefined || position.line > doc.lines) return [];
    const field = getRange(doc, position);
    // The message begins with the field that the finding is about.
    const isSame = message.startsWith(`"${doc.sliceString(field.from, field.to)}"`);
    const { from, to } = doc.line(position.line);
    return isSame ? [{ from, to, insert: suggestion }] : [];
  });
  view.dispatch({ changes });
  view.focus();
}

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
