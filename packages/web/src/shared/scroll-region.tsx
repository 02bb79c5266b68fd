/**
 * What can be wider than the screen: it is scrolled by itself, also with the keyboard.
 *
 * @module
 */
import type { ComponentChildren, JSX } from 'preact';

interface ScrollRegionProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Shows something wide. */
export function ScrollRegion({ label, children }: ScrollRegionProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: else it could not be scrolled without a mouse.
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
