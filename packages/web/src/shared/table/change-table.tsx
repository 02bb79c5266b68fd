// A table of changes: what, where, before and after.
import type { ComponentChildren, JSX } from 'preact';
import { ScrollRegion } from '../grid/scroll-region.tsx';
import { formatOmitted } from '../text.ts';
import { DataTable } from './data-table.tsx';

/** Changes that are listed. */
export const MAX_CHANGES = 200;

interface ChangeTableProps<Change> {
  readonly label: string;
  /** The titles of the columns, and their cells. On a phone, the third and the fourth are labelled as before and after. */
  readonly columns: readonly (readonly [title: string, getCell: (change: Change) => ComponentChildren])[];
  readonly changes: readonly Change[];
  /** How many changes there are. @defaultValue the number of `changes` */
  readonly total?: number;
  /** What changes are called. @defaultValue `change` */
  readonly noun?: string;
}

/** Shows the first changes, and how many more there are; nothing if there are none. */
export function ChangeTable<Change>({
  label,
  columns,
  changes,
  total = changes.length,
  noun = 'change',
}: ChangeTableProps<Change>): JSX.Element {
  const shown = changes.slice(0, MAX_CHANGES);
  return (
    <>
      {shown.length > 0 && (
        <ScrollRegion label={label}>
          <DataTable
            class="changes"
            columns={columns.map(([title, getCell]) => ({ title, getCell }))}
            rows={shown}
          />
        </ScrollRegion>
      )}
      {total > shown.length && <p>{formatOmitted(total - shown.length, noun)}</p>}
    </>
  );
}

/** How a verdict changes. The symbol distinguishes them without colours. */
const DIRECTION_LABELS: Readonly<Record<'blocked' | 'allowed', string>> = {
  blocked: '▼ newly blocked',
  allowed: '▲ newly allowed',
};

/** How a verdict changes. */
export function Direction({ direction }: { readonly direction: 'blocked' | 'allowed' }): JSX.Element {
  return <span class={`direction ${direction}`}>{DIRECTION_LABELS[direction]}</span>;
}
