/**
 * Faults that make an audit fail, for continuous integration.
 *
 * @module
 */
import { decideCanonical, REASONS, type Reason } from '@maycrawl/core/indexability';
import { packReasons, unpackReasons } from '../judge/judge-run.ts';
import { parseStoredFacts } from '../run/former-names.ts';
import type { StoredFacts } from '../run/run-store.ts';
import { getSettings } from '../run/settings.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';

/** A kind of fault. */
export type FailOn = Reason | 'any' | 'conflict' | 'soft-404' | 'sitemap';

/** All kinds. */
export const FAIL_ON: readonly FailOn[] = [...REASONS, 'any', 'conflict', 'soft-404', 'sitemap'];

/** URLs of a group that are listed. */
const MAX_LISTED = 100;

/** URLs with a fault, for one crawler. */
export interface FailureGroup {
  readonly agent: string;
  readonly kind: FailOn;
  readonly count: number;
  /** The first 100, in alphabetical order. */
  readonly urls: readonly { readonly url: string; readonly reason: string }[];
}

/** Finds faults: a group for each crawler and kind, which may be empty. */
export async function findFailures(run: SqliteRun, kinds: readonly FailOn[]): Promise<FailureGroup[]> {
  const { agents } = await getSettings(run);
  return agents.flatMap((agent, place) =>
    kinds.map((kind) => {
      const group = new FailureCollector();
      if (kind === 'conflict') collectConflicts(run, place, group);
      else if (kind === 'soft-404') collectSoft404s(run, place, group);
      else collectReasons(run, place, kind, group);
      return { agent, kind, count: group.count, urls: group.urls() };
    }),
  );
}

/** Counts URLs, and stores the first of them. */
class FailureCollector {
  count = 0;
  #first: { url: string; reason: string }[] = [];

  add(url: string, reason: string): void {
    this.count++;
    this.#first.push({ url, reason });
    if (this.#first.length >= MAX_LISTED * 10) this.#first = this.urls();
  }

  urls(): { url: string; reason: string }[] {
    return this.#first.sort((a, b) => (a.url < b.url ? -1 : 1)).slice(0, MAX_LISTED);
  }
}

function collectReasons({ rows }: SqliteRun, agent: number, kind: FailOn, group: FailureCollector): void {
  const isReason = kind !== 'any' && kind !== 'sitemap';
  const mask = isReason ? packReasons([kind as Reason]) : packReasons(REASONS);
  for (const { url, reasons } of rows.urlsWithReasons(agent, mask, kind === 'sitemap'))
    group.add(url, unpackReasons(reasons).join(', '));
}

/** Pages with several different canonicals, if the crawler may fetch them. */
function collectConflicts({ rows }: SqliteRun, agent: number, group: FailureCollector): void {
  for (const { url, facts } of rows.pagesWithCanonicals(agent)) {
    const canonical = decideCanonical(url, (parseStoredFacts(facts) as StoredFacts).canonicals);
    if (canonical.kind === 'conflict') group.add(url, canonical.urls.join(', '));
  }
}

/** Pages with status 200 whose title is that of an error page, or with the content of a page that was not found. */
function collectSoft404s({ rows }: SqliteRun, agent: number, group: FailureCollector): void {
  for (const { url, title, isGone } of rows.foundPages(agent)) {
    if (isGone === 1) group.add(url, 'the content of a page that was not found');
    else if (isNotFoundTitle(title)) group.add(url, `its title is "${title}"`);
  }
}

/** Whether a title is that of an error page. */
function isNotFoundTitle(title: string | null): boolean {
  return (
    title !== null && /^\W*(?:(?:error|http)\W*)?404\b|^\W*(?:(?:page|file|url)\s*)?not found\b/i.test(title)
  );
}
