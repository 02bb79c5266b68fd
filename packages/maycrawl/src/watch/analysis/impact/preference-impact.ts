// The impact of changed declarations about the use of content: for which crawlers and purposes they change, and by which lines.
import type { RobotsTxt } from '@maycrawl/core';
import { compareDeclarations, type DeclarationChange } from '@maycrawl/core/preferences';
import type { NamedCrawler } from '@maycrawl/core/proofs';
import type { Aspect } from '../../../api/watch/aspects.ts';
import { describeChanges } from '../../../preferences/describe-changes.ts';
import { declarationsReport } from '../../../reports/declarations.ts';
import type { FileImpact } from './impact-types.ts';

/** Limits of the lists in the details: a message has at most 4,000 characters of them. */
const DETAILS = { items: 100, chars: 3_000 };

/** Clauses in the title. */
const MAX_CLAUSES = 2;

/** The impact of changed declarations. It is empty if their effect is the same for the owner's crawlers. */
export interface PreferenceImpact extends FileImpact {
  /** Whether lines are worded differently, and have the same effect for every crawler. */
  readonly isReworded: boolean;
}

/**
 * Returns the impact of changed declarations.
 *
 * @param crawlers - those of the owner; `undefined` for all.
 */
export function getPreferenceImpact(
  before: RobotsTxt,
  after: RobotsTxt,
  crawlers: readonly NamedCrawler[] | undefined,
): PreferenceImpact {
  const comparison = compareDeclarations(before, after, { ...(crawlers && { crawlers }) });
  const { changes, licenses, undecided, equivalent, wording } = comparison;
  const aspects = new Set<Aspect>(changes.map(getAspect));
  if (licenses.length > 0) aspects.add('licenses');
  const clauses = describeChanges(comparison);
  const isUndecided = undecided.length > 0 || equivalent === null;
  if (isUndecided) aspects.add('undecided');
  return {
    aspects: [...aspects].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
    lines: [
      ...(clauses.length > 0 ? [clauses.slice(0, MAX_CLAUSES).join('; ')] : []),
      ...clauses.slice(MAX_CLAUSES),
      ...(isUndecided ? ['the declarations are too complex to find all changes'] : []),
    ],
    isReworded:
      crawlers === undefined && equivalent === true && wording.removed.length + wording.added.length > 0,
    details: aspects.size > 0 ? { preferences: declarationsReport(comparison, DETAILS) } : {},
  };
}

/** The aspects in the order of their importance. */
const ORDER: readonly Aspect[] = [
  'search-disallowed',
  'refusal-ended',
  'use-disallowed',
  'use-allowed',
  'licenses',
  'undecided',
];

function getAspect({ purpose, before, after }: DeclarationChange): Aspect {
  if (after.value === 'disallowed') return purpose === 'search' ? 'search-disallowed' : 'use-disallowed';
  return before.value === 'disallowed' ? 'refusal-ended' : 'use-allowed';
}
