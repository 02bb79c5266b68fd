/**
 * Announces to screen readers when an edit changes the verdict of the selected cell. They read a newly selected cell themselves.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { Explanation } from '../judging/explain.ts';

const LABELS: Readonly<Record<Explanation['kind'], string>> = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  'out-of-scope': 'not applicable',
};

/** A polite live region. */
export function VerdictAnnouncement({
  explanation,
}: {
  readonly explanation: Explanation | null;
}): JSX.Element {
  const last = useRef<Explanation | null>(null);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const before = last.current;
    last.current = explanation;
    if (before === null || explanation === null) return;
    const isSameCell = before.url === explanation.url && before.crawler === explanation.crawler;
    if (!isSameCell) setAnnouncement('');
    else if (before.kind !== explanation.kind)
      setAnnouncement(
        `Now ${LABELS[explanation.kind]}: ${explanation.crawler}, ${visible(explanation.url, 200)}`,
      );
  }, [explanation]);
  return (
    <p class="unseen" aria-live="polite">
      {announcement}
    </p>
  );
}
