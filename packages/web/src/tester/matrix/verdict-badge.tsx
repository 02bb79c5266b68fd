/**
 * A verdict as a shape and a word: never as a colour alone.
 *
 * @module
 */
import type { JSX } from 'preact';
import { CELL } from '../judging/cell.ts';

const KINDS = {
  [CELL.none]: { name: 'none', word: 'not applicable', path: 'M4 8h8' },
  [CELL.disallowed]: { name: 'disallowed', word: 'disallowed', path: 'm4.5 4.5 7 7m0-7-7 7' },
  [CELL.allowed]: { name: 'allowed', word: 'allowed', path: 'm3.5 8.5 3 3 6-7' },
} as const;

interface VerdictBadgeProps {
  readonly cell: number | undefined;
  /** @defaultValue the verdict */
  readonly word?: string;
}

/** Shows a cell of the matrix, or that it is not evaluated yet. */
export function VerdictBadge({ cell, word }: VerdictBadgeProps): JSX.Element {
  const kind = KINDS[cell as keyof typeof KINDS];
  if (kind === undefined) return <span class="verdict unknown">…</span>;
  return (
    <span class={`verdict ${kind.name}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={kind.path} />
      </svg>
      {word ?? kind.word}
    </span>
  );
}
