// Long lists, which are shown in parts.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from './text.ts';

/** Items that are shown at first, and with each further step. */
const [INITIAL_COUNT, STEP] = [20, 200];

/** The number of entries of a long list that are shown, and a button for more. */
interface ShownPart {
  readonly shown: number;
  readonly more: JSX.Element | null;
}

export function useMore(count: number): ShownPart {
  const [limit, setLimit] = useState(INITIAL_COUNT);
  return limitList(count, limit, setLimit);
}

/** Returns a function that does the same for several lists, by their names. */
export function useMoreOfEach(): (name: string, count: number) => ShownPart {
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map());
  return (name, count) =>
    limitList(count, limits.get(name) ?? INITIAL_COUNT, (limit) =>
      setLimits(new Map(limits).set(name, limit)),
    );
}

function limitList(count: number, limit: number, onLimit: (limit: number) => void): ShownPart {
  const left = count - limit;
  const more =
    left <= 0 ? null : (
      <button type="button" class="more" onClick={() => onLimit(limit + STEP)}>
        Show {formatNumber(Math.min(STEP, left))} more
      </button>
    );
  return { shown: Math.min(limit, count), more };
}
