// A value as a shape and a word: never as a colour alone.
import type { ComponentChildren, JSX } from 'preact';

/** Shapes that several badges have. */
export const SHAPES = {
  check: 'm3.5 8.5 3 3 6-7',
  cross: 'm4.5 4.5 7 7m0-7-7 7',
  dash: 'M4 8h8',
  exclamation: 'M8 3v6M8 12v.6',
} as const;

interface BadgeProps {
  /** Has the colour. */
  readonly class: string;
  /** The path of the shape, in a square of 16. */
  readonly shape: string;
  /** Pixels of the shape. @defaultValue 14 */
  readonly size?: number;
  readonly children: ComponentChildren;
}

export function Badge({ class: name, shape, size = 14, children }: BadgeProps): JSX.Element {
  return (
    <span class={name}>
      <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
        <path d={shape} />
      </svg>
      {children}
    </span>
  );
}
