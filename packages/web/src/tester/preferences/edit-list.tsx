// Edits of the file as a diff: removed and added lines have signs, not only colours.
import type { PreferenceEdit } from '@maycrawl/core/preferences';
import type { JSX } from 'preact';
import { formatOmitted } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';

interface EditListProps {
  /** The text before the edits. */
  readonly text: string;
  /** The first edits, in file order. */
  readonly edits: readonly PreferenceEdit[];
  readonly total: number;
}

/** Lines before an edit that are shown. */
const CONTEXT = 2;

export interface DiffLine {
  readonly sign: ' ' | '-' | '+' | '…';
  /** The number of the line in the file before the edits; `null` for added lines. */
  readonly line: number | null;
  readonly text: string;
}

/** Creates the lines of a diff: the edits, each with the lines before it. */
export function createDiff(text: string, edits: readonly PreferenceEdit[]): DiffLine[] {
  const lines = text.split('\n');
  const diff: DiffLine[] = [];
  /** The last line that the diff contains. */
  let last = 0;
  for (const { line, removed, added } of edits) {
    const end = removed === null ? line : line - 1;
    const start = Math.max(last + 1, end - CONTEXT + 1);
    if (start > last + 1) diff.push({ sign: '…', line: null, text: '' });
    for (let at = start; at <= end; at++) diff.push({ sign: ' ', line: at, text: lines[at - 1] ?? '' });
    if (removed !== null) diff.push({ sign: '-', line, text: removed });
    for (const each of added) diff.push({ sign: '+', line: null, text: each });
    last = Math.max(last, line);
  }
  return diff;
}

const KINDS = { ' ': 'same', '-': 'removed', '+': 'added', '…': 'gap' } as const;
const NAMES = { ' ': '', '-': 'removed: ', '+': 'added: ', '…': 'lines that do not change' } as const;

export function EditList({ text, edits, total }: EditListProps): JSX.Element | null {
  if (total === 0) return null;
  const managed = [...new Set(edits.flatMap(({ managedBy }) => managedBy ?? []))];
  return (
    <section aria-labelledby="wish-edits">
      <h3 id="wish-edits">The edit</h3>
      <div class="diff">
        {createDiff(text, edits).map(({ sign, line, text: content }, at) => (
          <div key={at} class={`diff-${KINDS[sign]}`}>
            <span class="diff-line">{line ?? ''}</span>
            <span aria-hidden="true">{sign}</span>
            <span class="unseen">{NAMES[sign]}</span>
            <code>{visible(content, 300)}</code>
          </div>
        ))}
      </div>
      {total > edits.length && <p class="aside">{formatOmitted(total - edits.length, 'edit')}</p>}
      {managed.length > 0 && (
        <p class="aside">
          {visible(managed.join(', '), 100)} manages a part of these lines, and can overwrite the edit.
        </p>
      )}
    </section>
  );
}
