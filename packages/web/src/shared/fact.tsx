// An entry of a description list.
import type { ComponentChildren, JSX } from 'preact';

interface FactProps {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A name and its value, for a `dl`. */
export function Fact({ name, children }: FactProps): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
