/**
 * Heads of the columns of tables that have a style of their own.
 *
 * @module
 */
import type { ComponentChildren, JSX } from 'preact';

/** The head of a column of numbers. */
export function NumberHead({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <th scope="col" class="number">
      {children}
    </th>
  );
}

interface ChartHeadProps {
  /** For screen readers: the drawings have no visible title. */
  readonly title: string;
  readonly isWide?: boolean;
}

/** The head of a column of drawings. */
export function ChartHead({ title, isWide = false }: ChartHeadProps): JSX.Element {
  return (
    <th scope="col" class={isWide ? 'wide' : undefined}>
      <span class="unseen">{title}</span>
    </th>
  );
}
