// The changes from one run to a later one by cause: what the owner of a site must know, in a few groups instead of thousands of URLs.

import type { RunStore } from '../../run/run-store.ts';
import { getSettings } from '../../run/settings.ts';
import { BlockFinder } from './block-finder.ts';
import { type Cause, findCause } from './causes.ts';
import { type ChangeGroup, GroupCollector } from './change-groups.ts';
import { compareRecords, getComparable } from './compare.ts';
import { type FindingChange, findFindingChanges } from './finding-changes.ts';
import { groupTitleChanges, type TitleGroup } from './title-groups.ts';
import { UnlinkedUrls } from './unlinked-urls.ts';

/** URLs with the same cause. */
export interface CauseGroup {
  readonly cause: Cause;
  readonly group: ChangeGroup;
  /** Whether a start of the audit is among them, such as the home page. */
  readonly hasStart: boolean;
}

/** The changes from one run to a later one. */
export interface GroupedChanges {
  /** The crawlers of both runs. */
  readonly agents: readonly string[];
  /** Limits of the comparison. */
  readonly notes: readonly string[];
  /** URLs that are no longer indexable, by their cause now; the most URLs first. */
  readonly lost: readonly CauseGroup[];
  /** URLs that are indexable now, by their cause before. */
  readonly won: readonly CauseGroup[];
  /** URLs that were indexable, and that neither links nor sitemaps name any more. Only of complete runs. */
  readonly unlinked: ChangeGroup | null;
  /** URLs that were missing in an earlier run, and that links or sitemaps name again: they are indexable. */
  readonly linked: ChangeGroup | null;
  /** The URLs that are missing now, also since earlier runs. */
  readonly missing: UnlinkedUrls;
  readonly findings: readonly FindingChange[];
  /** Changed titles of pages that are indexable in both runs. */
  readonly titles: TitleGroup | null;
  /** Indexable URLs of the earlier run, by crawler. */
  readonly indexableBefore: Readonly<Record<string, number>>;
}

/** Causes that are kept apart; URLs of further ones are grouped by their reason only. */
const MAX_CAUSES = 100;

export async function groupChanges(before: RunStore, after: RunStore): Promise<GroupedChanges> {
  const { agents, notes, saysAppeared, saysDisappeared } = getComparable(before, after);
  const [old, now] = [getSettings(before), getSettings(after)];
  const { host } = new URL(now.starts[0] as string);
  const [oldBlocks, newBlocks] = [new BlockFinder(before), new BlockFinder(after)];
  const [lost, won] = [new Causes(host, now.starts), new Causes(host, now.starts)];
  const [unlinked, linked] = [new GroupCollector(host), new GroupCollector(host)];
  const missing = new UnlinkedUrls(before);
  for await (const change of compareRecords(before, after)) {
    if (change.kind === 'lost') lost.add(findCause(change.readAfter()), change.url, change.agent);
    else if (change.kind === 'won') {
      missing.remove(change.url, change.agent);
      won.add(findCause(change.readBefore()), change.url, change.agent);
    }
    // No page that the crawler may fetch leads to them any more.
    else if (change.kind === 'cut-off') {
      unlinked.add(change.url, change.agent);
      missing.add(change.url, change.agent);
    } else if (change.kind === 'reached') {
      if (missing.remove(change.url, change.agent)) linked.add(change.url, change.agent);
    }
    // A block hides the links to other URLs of the folder, which are blocked as well.
    else if (change.kind === 'disappeared')
      for (const agent of change.indexableFor) {
        const block = newBlocks.find(change.url, agent);
        if (block !== null) lost.add(block, change.url, agent);
        else {
          unlinked.add(change.url, agent);
          missing.add(change.url, agent);
        }
      }
    else if (change.kind === 'appeared')
      for (const agent of change.indexableFor) {
        if (missing.remove(change.url, agent)) linked.add(change.url, agent);
        else won.add(oldBlocks.find(change.url, agent), change.url, agent);
      }
  }
  const toPlaces = (all: readonly string[]): Map<string, number> =>
    new Map(agents.map((agent) => [agent, all.indexOf(agent)]));
  const sides = [
    { run: before, places: toPlaces(old.agents) },
    { run: after, places: toPlaces(now.agents) },
  ] as const;
  const toGroup = (collector: GroupCollector): ChangeGroup | null => {
    const group = collector.finish();
    return group.urls > 0 ? group : null;
  };
  return {
    agents,
    notes,
    lost: lost.finish(),
    won: won.finish(),
    unlinked: toGroup(unlinked),
    linked: toGroup(linked),
    missing,
    titles: await groupTitleChanges(before, after, { host, starts: now.starts }),
    findings: saysAppeared && saysDisappeared ? findFindingChanges(...sides, host) : [],
    indexableBefore: Object.fromEntries(
      agents.map((agent) => [agent, countIndexable(before, old.agents.indexOf(agent))]),
    ),
  };
}

function countIndexable({ rows }: RunStore, agent: number): number {
  return rows.countReasons(agent).find(({ reasons }) => reasons === 0)?.count ?? 0;
}

/** Groups of URLs by cause. */
class Causes {
  readonly #host: string;
  readonly #starts: ReadonlySet<string>;
  readonly #groups: Map<string, { cause: Cause; readonly collector: GroupCollector; hasStart: boolean }> =
    new Map();

  constructor(host: string, starts: readonly string[]) {
    this.#host = host;
    this.#starts = new Set(starts);
  }

  add(cause: Cause | null, url: string, agent: string): void {
    if (cause === null) return;
    const key = `${cause.reason} ${cause.source}`;
    const isKnown = this.#groups.has(key) || this.#groups.size < MAX_CAUSES;
    const entry = this.#groups.get(isKnown ? key : cause.reason) ?? {
      cause: isKnown
        ? cause
        : { ...cause, source: '', text: `${cause.reason}, for several causes`, target: null },
      collector: new GroupCollector(this.#host),
      hasStart: false,
    };
    // A target is named only if all URLs of the group have it.
    if (entry.cause.target !== cause.target) entry.cause = { ...entry.cause, target: null };
    entry.collector.add(url, agent);
    if (this.#starts.has(url)) entry.hasStart = true;
    this.#groups.set(isKnown ? key : cause.reason, entry);
  }

  finish(): CauseGroup[] {
    return [...this.#groups.values()]
      .map(({ cause, collector, hasStart }) => ({ cause, hasStart, group: collector.finish() }))
      .sort((a, b) => b.group.urls - a.group.urls || (a.cause.text < b.cause.text ? -1 : 1));
  }
}
