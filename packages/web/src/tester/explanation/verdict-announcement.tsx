/**
 * Tells those who do not see it when an edit changes the verdict of the selected cell. Moving to another cell tells nothing:
 * that is read aloud anyway.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { Explanation } from '../judging/explain.ts';

const WORDS: Readonly<Record<Explanation['kind'], string>> = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  'out-of-scope': 'without an answer',
};

/** A polite live region. */
export function VerdictNews({ explanation }: { readonly explanation: Explanation | null }): JSX.Element {
  const last = useRef<Explanation | null>(null);
  const [news, setNews] = useState('');
  useEffect(() => {
    const before = last.current;
    last.current = explanation;
    if (before === null || explanation === null) return;
    const isSameCell = before.url === explanation.url && before.crawler === explanation.crawler;
    if (!isSameCell) setNews('');
    else if (before.kind !== explanation.kind)
      setNews(`Now ${WORDS[explanation.kind]}: ${explanation.crawler}, ${visible(explanation.url, 200)}`);
  }, [explanation]);
  return (
    <p class="unseen" aria-live="polite">
      {news}
    </p>
  );
}
