// A number that opens their list.
import type { JSX } from 'preact';
import { formatNumber } from '../text.ts';

interface CountProps {
  readonly count: number;
  /** What is counted, for screen readers. */
  readonly label: string;
  readonly onChoose: () => void;
}

/** Shows a number. 0 opens nothing. */
export function CountButton({ count, label, onChoose }: CountProps): JSX.Element {
  if (count === 0) return <span class="zero">0</span>;
  return (
    <button type="button" class="link" aria-label={`${label}: ${formatNumber(count)}`} onClick={onChoose}>
      {formatNumber(count)}
    </button>
  );
}
