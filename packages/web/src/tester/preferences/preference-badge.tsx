// A preference in a badge.
import type { PreferenceReport, PreferenceValue } from '@maycrawl/core/preferences';
import type { JSX } from 'preact';
import { Badge } from '../../shared/badge.tsx';
import { CELL } from '../judging/cell.ts';
import { VerdictBadge } from '../matrix/verdict-badge.tsx';
import { VALUE_WORDS } from './texts.ts';

const CELLS = { allowed: CELL.allowed, disallowed: CELL.disallowed, 'not-applicable': CELL.none };

export function PreferenceBadge({ value }: { readonly value: PreferenceValue }): JSX.Element {
  if (value !== 'unknown') return <VerdictBadge cell={CELLS[value]} word={VALUE_WORDS[value]} />;
  return (
    <Badge class="verdict undeclared" shape="M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.8-1.1 1.6M8 12.6v.1">
      {VALUE_WORDS.unknown}
    </Badge>
  );
}

const CRAWL_CELLS = { allowed: CELL.allowed, disallowed: CELL.disallowed, 'out-of-scope': CELL.none };

export function CrawlBadge({ crawl }: { readonly crawl: PreferenceReport['crawl'] }): JSX.Element {
  return <VerdictBadge cell={CRAWL_CELLS[crawl]} />;
}
