// Changed declarations about the use of content, in words. Crawlers with the same statements are one group.

import { formatList, truncate } from '@maycrawl/core/internal';
import type {
  DeclarationChange,
  DeclarationComparison,
  DeclaredPreference,
  LicenseReference,
  PreferenceStatement,
  PreferenceValue,
} from '@maycrawl/core/preferences';
import { ANY_OTHER_CRAWLER, type NamedCrawler } from '@maycrawl/core/proofs';
import { formatCrawlers, joinGroups } from '../text/crawler-names.ts';
import { describeStatement } from './describe-statement.ts';
import { getPurposeName } from './purposes.ts';

/** `disallowed`, `allowed`: a statement says so now. The others: there is no statement any more that said so. */
export type ChangeDirection = 'disallowed' | 'allowed' | 'no-longer-disallowed' | 'no-longer-allowed';

/** The phrases, in the order of sentences. */
const PHRASES: Readonly<Record<ChangeDirection, string>> = {
  disallowed: 'newly disallowed',
  'no-longer-disallowed': 'no longer disallowed',
  allowed: 'newly allowed',
  'no-longer-allowed': 'no longer allowed',
};

const VALUE_NAMES: Readonly<Record<PreferenceValue, string>> = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  unknown: 'nothing declared',
  'not-applicable': 'not fetchable',
};

/** Returns the name of the value that a file declares for a purpose. */
export function getValueName(value: PreferenceValue): string {
  return VALUE_NAMES[value];
}

/** Returns the direction of a change. */
export function getDirection({
  before,
  after,
}: Readonly<Record<'before' | 'after', Pick<DeclaredPreference, 'value'>>>): ChangeDirection {
  if (after.value === 'disallowed' || after.value === 'allowed') return after.value;
  return before.value === 'disallowed' ? 'no-longer-disallowed' : 'no-longer-allowed';
}

/**
 * Describes changes in clauses: "AI training newly disallowed for GPTBot and 12 others (line 14: …)", one for each
 * direction and set of purposes. They quote the files: escape them for a terminal.
 */
export function describeChanges({
  changes,
  licenses,
}: Pick<DeclarationComparison, 'changes' | 'licenses'>): string[] {
  const purposes = new Map<string, string[]>();
  for (const direction of Object.keys(PHRASES) as ChangeDirection[]) {
    const own = changes.filter((each) => getDirection(each) === direction);
    for (const purpose of new Set(own.map((each) => each.purpose))) {
      const groups = groupByStatements(
        own.filter((each) => each.purpose === purpose),
        direction,
      );
      const phrase = `${PHRASES[direction]} ${joinGroups(groups)}`;
      purposes.set(phrase, [...(purposes.get(phrase) ?? []), getPurposeName(purpose)]);
    }
  }
  return [
    ...Array.from(purposes, ([phrase, names]) => `${formatList(names)} ${phrase}`),
    ...licenses.map(({ crawlers, before, after }) => describeLicenses(crawlers, before, after)),
  ];
}

/** Statements of a group in a sentence. */
const MAX_STATEMENTS = 2;

/** The crawlers that represent a group of several. */
const FIRST_CRAWLERS: readonly string[] = ['GPTBot', 'Googlebot', ANY_OTHER_CRAWLER];

/** Describes groups of crawlers with the same deciding statements: "for GPTBot and 12 others (line 14: …)". */
function groupByStatements(changes: readonly DeclarationChange[], direction: ChangeDirection): string[] {
  // Changes with the same crawlers share their list, which can be as long as a file.
  const statements = new Map<readonly NamedCrawler[], Set<string>>();
  for (const { crawlers, before, after } of changes) {
    const isGone = direction.startsWith('no-longer');
    const { statement } = isGone ? before : after;
    const own = statements.get(crawlers) ?? new Set();
    statements.set(crawlers, own);
    if (statement !== null) own.add(`${isGone ? 'was ' : ''}${quoteStatement(statement)}`);
  }
  const groups = new Map<string, string[]>();
  for (const [crawlers, own] of statements) {
    const listed = [...own].slice(0, MAX_STATEMENTS).join('; ');
    const more = own.size > MAX_STATEMENTS ? ` and ${own.size - MAX_STATEMENTS} more` : '';
    const reason = own.size === 0 ? '' : ` (${listed}${more})`;
    groups.set(reason, [...(groups.get(reason) ?? []), ...crawlers.map(({ name }) => name)]);
  }
  return Array.from(groups, ([reason, names]) => `for ${formatReaders(names)}${reason}`);
}

/** Formats the names of crawlers, each once: `GPTBot and 12 others`. */
export function formatReaders(names: readonly string[]): string {
  return formatCrawlers([...new Set(names)], FIRST_CRAWLERS);
}

/** Characters of a quoted statement. */
const MAX_QUOTED = 80;

function quoteStatement(statement: PreferenceStatement): string {
  return truncate(describeStatement(statement), MAX_QUOTED);
}

function describeLicenses(
  crawlers: readonly NamedCrawler[],
  before: readonly LicenseReference[],
  after: readonly LicenseReference[],
): string {
  const format = (licenses: readonly LicenseReference[]): string => {
    const [first] = licenses;
    if (first === undefined) return 'none';
    const more = licenses.length > 1 ? ` and ${licenses.length - 1} more` : '';
    return `${truncate(first.url, MAX_QUOTED)} (line ${first.line ?? '-'})${more}`;
  };
  const names = formatReaders(crawlers.map(({ name }) => name));
  return `licence changed for ${names}: ${format(before)} to ${format(after)}`;
}
