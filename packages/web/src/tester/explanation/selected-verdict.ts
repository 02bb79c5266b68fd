// The explained verdict for other parts of the page: the lines that the editor marks, and the announcement of changes.
import { visible } from '../../shared/visible.ts';
import type { DecidingLines } from '../editor/deciding-lines.ts';
import type { Explanation } from '../judging/explain.ts';
import type { AnnouncedCell } from './change-announcement.tsx';

const NO_LINES: DecidingLines = { winner: 0, overridden: [], isAllowed: false };

const VERDICT_WORDS: Readonly<Record<Explanation['kind'], string>> = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  'out-of-scope': 'not applicable',
};

/** Describes the verdict for the announcement of changes. */
export function describeVerdict(explanation: Explanation | null): AnnouncedCell | null {
  if (explanation === null) return null;
  const { crawler, url, kind } = explanation;
  return { name: `${crawler}, ${visible(url, 200)}`, value: VERDICT_WORDS[kind] };
}

/** Returns the lines of the editor that the explanation marks. */
export function getDecidingLines(explanation: Explanation | null): DecidingLines {
  if (explanation === null) return NO_LINES;
  const { line, candidates, kind } = explanation;
  const overridden = candidates.filter(({ result }) => result !== 'wins').map((each) => each.line);
  return { winner: line, overridden, isAllowed: kind === 'allowed' };
}
