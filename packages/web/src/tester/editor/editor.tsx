// The editor. It is in a shadow root, where CodeMirror adopts style sheets instead of adding style elements, which the Content Security
// Policy of the page forbids.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Transaction } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Finding } from '@maycrawl/core/lint';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { MAX_EDITED } from '../state/robots-file.ts';
import { type DecidingLines, decidingLines, setDecidingLines } from './deciding-lines.ts';
import { applySuggestions, createDiagnostics } from './findings.ts';
import { language } from './language.ts';
import { theme } from './theme.ts';

interface EditorProps {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly deciding: DecidingLines;
  /** Called after an edit. @param isPaste - whether a paste replaced the whole text. */
  readonly onText: (text: string, isPaste: boolean) => void;
  readonly onFix: (finding: Finding) => void;
  /** Called when a change was refused because the text would be too long. */
  readonly onRefused: () => void;
  /** Called with the view when it is created. */
  readonly onReady: (view: EditorView) => void;
}

export function Editor(props: EditorProps): JSX.Element {
  const { text, findings, deciding } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** Texts that were reported, and have not come back as `text` yet. */
  const reported = useRef<string[]>([]);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.attachShadow({ mode: 'open' });
    const listener = EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (!docChanged) return;
      const edited = state.doc.toString();
      reported.current.push(edited);
      latest.current.onText(edited, transactions.some(isPasteOfAll));
    });
    const bound = EditorState.changeFilter.of(({ newDoc }) => {
      if (newDoc.length <= MAX_EDITED) return true;
      latest.current.onRefused();
      return false;
    });
    view.current = new EditorView({
      state: EditorState.create({ doc: text, extensions: [listener, bound, extensions] }),
      parent: root,
      root,
    });
    latest.current.onReady(view.current);
    return () => view.current?.destroy();
  }, []);

  // `text` may be older than the editor's: only a text that the editor has not reported replaces it.
  useEffect(() => {
    const index = reported.current.indexOf(text);
    reported.current.splice(0, index < 0 ? reported.current.length : index + 1);
    if (index < 0 && view.current !== null) replaceText(view.current, text);
  }, [text]);

  useEffect(() => {
    if (view.current === null) return;
    const editor = view.current;
    const diagnostics = createDiagnostics(
      editor.state.doc,
      findings,
      (finding) => latest.current.onFix(finding),
      (finding) => applySuggestions(editor, [finding]),
    );
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [findings]);

  useEffect(() => {
    view.current?.dispatch({ effects: setDecidingLines.of(deciding) });
  }, [deciding]);

  return <div class="editor" ref={host} />;
}

/** Whether a paste replaced the whole text, up to white space around it. */
function isPasteOfAll(transaction: Transaction): boolean {
  if (!transaction.isUserEvent('input.paste')) return false;
  const { changes, startState } = transaction;
  let rest = startState.doc.toString();
  changes.iterChanges((from, to) => {
    rest = `${startState.sliceDoc(0, from)}${startState.sliceDoc(to)}`;
  });
  return rest.trim() === '';
}

/** Characters without a glyph, or that reorder others, in addition to those that CodeMirror shows. */
const SPECIAL = /[\p{Cf}\p{Zl}\p{Zp}\u0080-\u009f]/gu;

const extensions = [
  lineNumbers(),
  decidingLines,
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSpecialChars({ addSpecialChars: SPECIAL }),
  history(),
  drawSelection(),
  language,
  theme,
  keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
  EditorView.contentAttributes.of({ 'aria-label': 'robots.txt', spellcheck: 'false', tabindex: '0' }),
  EditorView.domEventHandlers({ beforeinput: replaceSelection }),
];

/**
 * Inserts text that replaces several lines. The browser would add style attributes to the elements that it joins, which the Content
 * Security Policy of the page forbids.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  const isJoining = !view.state.selection.main.empty || /[\r\n]/.test(data ?? '');
  if (inputType !== 'insertText' || data === null || isComposing || !isJoining) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Replaces only the part that differs, so that the cursor and the undo history stay. */
function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString();
  if (old === text) return;
  let start = 0;
  while (start < old.length && old[start] === text[start]) start++;
  let end = 0;
  const longest = Math.min(old.length, text.length) - start;
  while (end < longest && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  view.dispatch({
    changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
  });
}
