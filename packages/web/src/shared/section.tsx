// A section of a report of one page.
import type { ComponentChildren, JSX } from 'preact';

interface TitledSectionProps {
  /** Its fragment. */
  readonly name: string;
  readonly title: string;
  /** What the section shows, in a sentence with numbers. */
  readonly finding?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function TitledSection({ name, title, finding, children }: TitledSectionProps): JSX.Element {
  return (
    <section class="card" id={name} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} tabIndex={-1}>
        {title}
      </h2>
      {finding !== undefined && <p class="finding">{finding}</p>}
      {children}
    </section>
  );
}

/** Scrolls to a section, whose title gets the focus. @param name - of the section. */
export function showSection(name: string): void {
  const title = document.getElementById(`${name}-title`);
  title?.scrollIntoView();
  title?.focus({ preventScroll: true });
}
