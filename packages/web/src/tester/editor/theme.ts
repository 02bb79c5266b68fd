// The theme of the editor. Its colours are custom properties of the page, which apply in the shadow root.
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

export const theme: Extension = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '14px' },
  // The host element shows the focus, around the gutters too.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection)',
  },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--active-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--active-line)', color: 'var(--text)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 10px', minWidth: '28px' },
  '.cm-deciding': { width: '16px', textAlign: 'center', color: 'var(--text)' },
  '.cm-gutter-lint': { width: '18px' },
  '.cm-winner.cm-allowed': {
    backgroundColor: 'var(--allowed-fill)',
    boxShadow: 'inset 3px 0 var(--allowed)',
  },
  '.cm-winner.cm-disallowed': {
    backgroundColor: 'var(--disallowed-fill)',
    boxShadow: 'inset 3px 0 var(--disallowed)',
  },
  '.cm-winner': { fontWeight: '600' },
  '.cm-overridden': {
    backgroundColor: 'var(--overridden-fill)',
    textDecoration: 'line-through var(--text-muted)',
  },
  '.cm-specialChar': { color: 'var(--disallowed)', fontWeight: '700' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--border)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px rgb(0 0 0 / .18)',
    maxWidth: 'min(32rem, 90vw)',
    fontFamily: 'var(--sans)',
  },
  '.cm-diagnostic': { padding: '6px 10px', borderLeftWidth: '3px' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
    borderRadius: '4px',
    padding: '2px 8px',
    font: 'inherit',
    cursor: 'pointer',
  },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)', borderColor: 'var(--border)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--selection)' },
});
