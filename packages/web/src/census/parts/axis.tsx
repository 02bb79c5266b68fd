// The axis of the bars of a table.
import type { JSX } from 'preact';
import { formatTick } from '../text.ts';

/** From 0 to a share. @param most - the end, from 0 to 1. */
export function ShareAxis({ most }: { readonly most: number }): JSX.Element {
  return <Axis labels={[0, most / 2, most].map(formatTick)} />;
}

export function Axis({ labels }: { readonly labels: readonly string[] }): JSX.Element {
  return (
    <div class="bar-axis">
      {labels.map((label) => (
        <span key={label}>{label}</span>
      ))}
    </div>
  );
}
