/**
 * What a run is not to have: for continuous integration.
 *
 * @module
 */
import { decideCanonical, REASONS, type Reason } from '@maycrawl/core/indexability';
import { packReasons, unpackReasons } from '../judge/judge-run.ts';
import { parseStoredFacts } from '../run/former-names.ts';
import type { KeptFacts } from '../run/run-store.ts';
import { settingsOf } from '../run/settings.ts';
import type { SqliteRun } from '../run/sqlite-run.ts';

/** What can be named. */
export type FailOn = Reason | 'any' | 'conflict' | 'soft-404' | 'sitemap';

/** All of them. */
export const FAIL_ON: readonly FailOn[] = [...REASONS, 'any', 'conflict', 'soft-404', 'sitemap'];

/** So many URLs of a group are named. */
const NAMED = 100;

/** URLs that have one of the faults, for one crawler. */
export interface FailureGroup {
  readonly agent: string;
  readonly kind: FailOn;
  readonly count: number;
  /** The first of them in the order of the alphabet, 100 at most. */
  readonly urls: readonly { readonly url: string; readonly reason: string }[];
}

/** Which URLs have what a run must not have: a group for each crawler and kind, also where it is empty. */
export async function failuresOf(run: SqliteRun, kinds: readonly FailOn[]): Promise<FailureGroup[]> {
  const { agents } = await settingsOf(run);
  return agents.flatMap((agent, place) =>
    kinds.map((kind) => {
      const group = new Gathered();
      if (kind === 'conflict') gatherConflicts(run, place, group);
      else if (kind === 'soft-404') gatherSoft(run, place, group);
      else gatherReasons(run, place, kind, group);
      return { agent, kind, count: group.count, urls: group.urls() };
    }),
  );
}

/** Counts URLs, and keeps the first of them. */
class Gathered {
  count = 0;
  #first: { url: string; reason: string }[] = [];

  add(url: string, reason: string): void {
    this.count++;
    this.#first.push({ url, reason });
    if (this.#first.length >= NAMED * 10) this.#first = this.urls();
  }

  urls(): { url: string; reason: string }[] {
    return this.#first.sort((a, b) => (a.url < b.url ? -1 : 1)).slice(0, NAMED);
  }
}

function gatherReasons({ rows }: SqliteRun, agent: number, kind: FailOn, group: Gathered): void {
  const isReason = kind !== 'any' && kind !== 'sitemap';
  const mask = isReason ? packReasons([kind as Reason]) : packReasons(REASONS);
  for (const { url, reasons } of rows.urlsWithReasons(agent, mask, kind === 'sitemap'))
    group.add(url, unpackReasons(reasons).join(', '));
}

/** Pages whose canonicals disagree, as far as the crawler may see them. */
function gatherConflicts({ rows }: SqliteRun, agent: number, group: Gathered): void {
  for (const { url, facts } of rows.pagesWithCanonicals(agent)) {
    const canonical = decideCanonical(url, (parseStoredFacts(facts) as KeptFacts).canonicals);
    if (canonical.kind === 'conflict') group.add(url, canonical.urls.join(', '));
  }
}

/** Pages that answer 200 and say that they were not found, or have the content of one that was not. */
function gatherSoft({ rows }: SqliteRun, agent: number, group: Gathered): void {
  for (const { url, title, isGone } of rows.foundPages(agent)) {
    if (isGone === 1) group.add(url, 'the content of a page that was not found');
    else if (saysNotFound(title)) group.add(url, `its title is "${title}"`);
  }
}

/** Whether a title is one of pages that say that there is nothing. */
function saysNotFound(title: string | null): boolean {
  return (
    title !== null && /^\W*(?:(?:error|http)\W*)?404\b|^\W*(?:(?:page|file|url)\s*)?not found\b/i.test(title)
  );
}
