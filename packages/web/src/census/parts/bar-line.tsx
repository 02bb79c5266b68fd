/**
 * A bar without text: its numbers are beside it.
 *
 * @module
 */
import type { JSX } from 'preact';

interface BarLineProps {
  readonly parts: readonly {
    /** The class of its colour. */
    readonly name: string;
    /** Of the width, from 0 to 1. */
    readonly fraction: number;
  }[];
  /** For a pointer. */
  readonly title?: string;
  /** Whether the bar begins at the right. @defaultValue false */
  readonly isMirrored?: boolean;
}

/** Shows the bar. */
export function BarLine({ parts, title, isMirrored = false }: BarLineProps): JSX.Element {
  let from = 0;
  return (
    <svg class="bar-line" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {title !== undefined && <title>{title}</title>}
      {parts.map(({ name, fraction }) => {
        const x = from;
        const width = 100 * fraction;
        from += width;
        return (
          <rect key={name} class={`part ${name}`} x={isMirrored ? 100 - from : x} width={width} height="10" />
        );
      })}
    </svg>
  );
}
