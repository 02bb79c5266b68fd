// Answers and verdicts about a page as a shape and a word: never as a colour alone.
import type { PageJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { CELL } from '../judging/cell.ts';
import { VerdictBadge } from '../matrix/verdict-badge.tsx';

/** The result for a crawler: `indexable`, `unknown`, or why it may not index the page. */
export function ResultBadge({
  result,
}: {
  readonly result: PageJson<'CrawlerResult'>['result'];
}): JSX.Element {
  if (result === 'unknown') return <span class="verdict unknown">unknown</span>;
  const cell = result === 'indexable' ? CELL.allowed : CELL.disallowed;
  return <VerdictBadge cell={cell} word={result.replace('-', ' ')} />;
}

export function RobotsBadge({ verdict }: { readonly verdict: PageJson<'Verdict'> }): JSX.Element {
  if (verdict.allowed === null) return <span class="verdict unknown">no verdict</span>;
  return <VerdictBadge cell={verdict.allowed ? CELL.allowed : CELL.disallowed} />;
}

/** The line that decides, or why no rule decides: "line 3", "no rule matches", "no robots.txt (status 404)". */
export function describeCause({ line, reason, message }: PageJson<'Verdict'>): string {
  if (line > 0) return `line ${line}`;
  const text = REASONS[reason];
  if (message === null) return text ?? reason;
  return text === undefined ? message : `${text} (${message})`;
}

const REASONS: Readonly<Record<string, string>> = {
  'no-rule-matched': 'no rule matches',
  'no-group': 'no group applies',
  'robots-txt': 'always allowed',
  'crawler-exempt': 'ignores robots.txt',
  unavailable: 'no robots.txt',
  unreachable: 'robots.txt cannot be fetched',
  'outage-expired': 'robots.txt was not fetched for a long time',
};
