// A region with its own horizontal scrolling, also by keyboard.
import type { ComponentChildren, JSX } from 'preact';

interface ScrollRegionProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function ScrollRegion({ label, children }: ScrollRegionProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: else it could not be scrolled without a mouse.
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
