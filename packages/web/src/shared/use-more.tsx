// Long lists, which are shown in parts.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from './text.ts';

/** Items that are shown at first, and with each further step. */
const [INITIAL_COUNT, STEP] = [20, 200];

/** The number of entries of a long list that are shown, and a button for more. */
export function useMore(count: number): { readonly shown: number; readonly more: JSX.Element | null } {
  const [limit, setLimit] = useState(INITIAL_COUNT);
  const left = count - limit;
  const more =
    left <= 0 ? null : (
      <button type="button" onClick={() => setLimit(limit + STEP)}>
        Show {formatNumber(Math.min(STEP, left))} more
      </button>
    );
  return { shown: Math.min(limit, count), more };
}
