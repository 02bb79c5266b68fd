/**
 * Pages with status 200 that look like pages that were not found.
 *
 * @module
 */

import type { Finding } from '../run/finding.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';

/** Finds pages with status 200 whose title is that of an error page, or with the content of a page that was not found. */
export function* findSoft404s({ rows }: SqliteRun, agent: number): Generator<Finding> {
  for (const { key, title, isGone } of rows.foundPages(agent)) {
    const detail = isGone === 1 ? 'the content of a page that was not found' : describeTitle(title);
    if (detail !== null) yield { code: 'soft-404', agent, key, detail, targets: [] };
  }
}

/** Describes the title of an error page; `null` for other titles. */
function describeTitle(title: string | null): string | null {
  const isNotFound =
    title !== null && /^\W*(?:(?:error|http)\W*)?404\b|^\W*(?:(?:page|file|url)\s*)?not found\b/i.test(title);
  return isNotFound ? `its title is "${title}"` : null;
}
