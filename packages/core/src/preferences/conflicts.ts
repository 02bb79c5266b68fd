// Conflicts: declarations for one crawler and one URL that contradict each other, or that depend on how they are read.
import { READINGS } from './readings.ts';
import type { PreferenceStatement, PreferenceValue } from './statement.ts';

/**
 * The kind of a conflict.
 *
 * - `formats-disagree`: one format allows the use and another refuses it.
 * - `sources-disagree`: the same format allows the use in one source and refuses it in another.
 * - `readings-differ`: the value depends on a point that the formats leave open.
 * - `use-without-crawl`: the use is allowed, but robots.txt forbids the crawler to fetch the URL.
 */
export type ConflictCode = 'formats-disagree' | 'sources-disagree' | 'readings-differ' | 'use-without-crawl';

/** A conflict about one purpose. */
export interface PreferenceConflict {
  readonly code: ConflictCode;
  readonly purpose: string;
  /** A sentence for people. */
  readonly message: string;
  /** The statements that contradict each other. */
  readonly statements: readonly PreferenceStatement[];
}

interface Purpose {
  readonly readings: Readonly<Record<string, PreferenceValue>>;
  readonly statements: readonly (PreferenceStatement & { readonly countsUnder: readonly string[] })[];
}

export function findConflicts(
  purposes: Readonly<Record<string, Purpose>>,
  crawl: 'allowed' | 'disallowed' | 'out-of-scope',
): PreferenceConflict[] {
  return Object.entries(purposes).flatMap(([purpose, { readings, statements }]) => {
    const counted = statements.filter(({ countsUnder }) => countsUnder.includes(READINGS[0].name));
    return [
      ...findDisagreements(purpose, counted),
      ...findDifferences(purpose, readings, statements),
      ...(crawl === 'disallowed' ? findUselessGrants(purpose, counted) : []),
    ];
  });
}

function findDisagreements(
  purpose: string,
  statements: readonly PreferenceStatement[],
): PreferenceConflict[] {
  const allowing = selectFirst(statements, 'allowed');
  const refusing = selectFirst(statements, 'disallowed');
  for (const code of ['formats-disagree', 'sources-disagree'] as const)
    for (const refused of refusing) {
      const allowed = allowing.find((each) =>
        code === 'formats-disagree'
          ? each.format !== refused.format
          : each.format === refused.format && each.source !== refused.source,
      );
      if (allowed === undefined) continue;
      const message = `${describe(refused)} refuses ${purpose}, and ${describe(allowed)} allows it`;
      return [{ code, purpose, message, statements: [refused, allowed] }];
    }
  return [];
}

/** Returns the first statement of each format and source, so that the comparison of all pairs is short. */
function selectFirst(
  statements: readonly PreferenceStatement[],
  value: PreferenceStatement['value'],
): PreferenceStatement[] {
  const first = new Map<string, PreferenceStatement>();
  for (const each of statements) {
    const key = `${each.format} ${each.source}`;
    if (each.value === value && !first.has(key)) first.set(key, each);
  }
  return [...first.values()];
}

function findDifferences(
  purpose: string,
  readings: Purpose['readings'],
  statements: readonly PreferenceStatement[],
): PreferenceConflict[] {
  const values = new Set(Object.values(readings));
  if (values.size === 1) return [];
  const list = Object.entries(readings).map(([name, value]) => `${value} (${name})`);
  const message = `the value of ${purpose} depends on the reading: ${list.join(', ')}`;
  return [{ code: 'readings-differ', purpose, message, statements }];
}

function findUselessGrants(
  purpose: string,
  statements: readonly PreferenceStatement[],
): PreferenceConflict[] {
  // A permission of search for the whole site is usual, and most sites also disallow some paths.
  const allowing = statements.filter(
    ({ value, path }) => value === 'allowed' && (purpose !== 'search' || path !== null),
  );
  const [first] = allowing;
  if (first === undefined) return [];
  const message = `${describe(first)} allows ${purpose}, but robots.txt forbids the crawler to fetch the URL`;
  return [{ code: 'use-without-crawl', purpose, message, statements: allowing }];
}

function describe({ format, source, name, line, label }: PreferenceStatement): string {
  if (source === 'html') return 'the RSL document in the page';
  if (line !== null) return `line ${line}${source === 'rsl' ? ' of the RSL document' : ''}`;
  if (format === 'page') return `"${label}" in the ${source} ${name ?? ''}`.trimEnd();
  return source === 'tdmrep.json' ? source : `the ${source} ${name ?? ''}`.trimEnd();
}
