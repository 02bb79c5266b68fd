// A verdict in a badge.
import type { JSX } from 'preact';
import { Badge, SHAPES } from '../../shared/badge.tsx';
import { CELL } from '../judging/cell.ts';

const KINDS = {
  [CELL.none]: { name: 'none', word: 'not applicable', shape: SHAPES.dash },
  [CELL.disallowed]: { name: 'disallowed', word: 'disallowed', shape: SHAPES.cross },
  [CELL.allowed]: { name: 'allowed', word: 'allowed', shape: SHAPES.check },
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
    <Badge class={`verdict ${kind.name}`} shape={kind.shape}>
      {word ?? kind.word}
    </Badge>
  );
}
