// Announces to screen readers when an edit changes the value of the selected cell. They read a newly selected cell themselves.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface AnnouncedCell {
  /** The crawler, the URL, and what the value is about. */
  readonly name: string;
  readonly value: string;
}

/** A polite live region. @param cell - `null` if no cell is selected. */
export function ChangeAnnouncement({ cell }: { readonly cell: AnnouncedCell | null }): JSX.Element {
  const last = useRef<AnnouncedCell | null>(null);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const before = last.current;
    last.current = cell;
    if (before === null || cell === null) return;
    if (before.name !== cell.name) setAnnouncement('');
    else if (before.value !== cell.value) setAnnouncement(`Now ${cell.value}: ${cell.name}`);
  }, [cell?.name, cell?.value]);
  return (
    <p class="unseen" aria-live="polite">
      {announcement}
    </p>
  );
}
