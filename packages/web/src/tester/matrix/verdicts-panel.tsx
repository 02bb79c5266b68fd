// The matrix, with fields and dialogs for its URLs and crawlers.
import type { JSX } from 'preact';
import type { Matrix } from '../judging/use-results.ts';
import { type PageState, type Update, withSelected } from '../state/page-state.ts';
import { ListsBar } from './lists-bar.tsx';
import { MatrixGrid } from './matrix.tsx';

interface VerdictsPanelProps {
  readonly state: PageState;
  readonly matrix: Matrix | null;
  readonly onUpdate: (update: Update) => void;
  readonly onNotice: (notice: string | null) => void;
}

export function VerdictsPanel({ state, matrix, onUpdate, onNotice }: VerdictsPanelProps): JSX.Element {
  const { urls, crawlers } = state;
  return (
    <>
      <ListsBar state={state} onUpdate={onUpdate} onNotice={onNotice} />
      {urls.length === 0 || crawlers.length === 0 ? (
        <p class="empty">Add a URL and choose a crawler to see verdicts.</p>
      ) : (
        <MatrixGrid
          state={state}
          matrix={matrix}
          onSelect={(row, column) => onUpdate(withSelected(row, column))}
        />
      )}
    </>
  );
}
