/**
 * The editor. It lives in a shadow root, where CodeMirror adopts its styles instead of writing them into the page, which the
 * page's policy forbids.
 *
 * @module
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
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
import { diagnosticsOf } from './findings.ts';
import { language } from './language.ts';
import { theme } from './theme.ts';

interface EditorProps {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly deciding: DecidingLines;
  readonly onText: (text: string) => void;
  readonly onMend: (finding: Finding) => void;
  /** Called when something was not put in, because the text would be longer than can be edited. */
  readonly onRefused: () => void;
  /** Called with the view once it is there. */
  readonly onReady: (view: EditorView) => void;
}

/** Edits a robots.txt. */
export function Editor(props: EditorProps): JSX.Element {
  const { text, findings, deciding } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** Texts that the editor has told of, and that have not come back as its `text` yet. */
  const told = useRef<string[]>([]);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.attachShadow({ mode: 'open' });
    const listener = EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      const edited = state.doc.toString();
      told.current.push(edited);
      latest.current.onText(edited);
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

  // What comes back may be older than what was typed meanwhile: only text that did not come from the editor replaces it.
  useEffect(() => {
    const index = told.current.indexOf(text);
    told.current.splice(0, index < 0 ? told.current.length : index + 1);
    if (index < 0 && view.current !== null) replaceText(view.current, text);
  }, [text]);

  useEffect(() => {
    if (view.current === null) return;
    const { state } = view.current;
    const diagnostics = diagnosticsOf(state.doc, findings, (finding) => latest.current.onMend(finding));
    view.current.dispatch(setDiagnostics(state, diagnostics));
  }, [findings]);

  useEffect(() => {
    view.current?.dispatch({ effects: setDecidingLines.of(deciding) });
  }, [deciding]);

  return <div class="editor" ref={host} />;
}

/** Everything that has no glyph or reorders others, beside what CodeMirror shows anyway. */
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
 * What is typed over several lines is put there by us: the browser would write styles into the elements that it joins, which
 * the page's policy forbids.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  const isJoining = !view.state.selection.main.empty || /[\r\n]/.test(data ?? '');
  if (inputType !== 'insertText' || data === null || isComposing || !isJoining) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Replaces what differs, so that the cursor and the history stay. */
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
