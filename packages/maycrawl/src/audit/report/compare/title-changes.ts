// Titles that changed from one run to another.
import { timeSlices } from '@maycrawl/client/internal';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings } from '../../run/settings.ts';

/** A page with status 200 in both runs, and its titles; `null`: it has none. */
export interface TitleChange {
  readonly kind: 'title';
  readonly url: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A changed title, and the keys of the page in the runs. */
interface KeyedChange extends TitleChange {
  readonly keys: readonly [before: number, after: number];
}

/** A crawler of both runs, and its places among the crawlers of each. */
type SharedAgent = readonly [agent: string, before: number, after: number];

/** Yields pages whose title changed, in the order of their URLs, if a crawler of both runs may fetch the page in both. */
export async function* compareTitles(before: RunStore, after: RunStore): AsyncGenerator<TitleChange> {
  const agents = findSharedAgents(before, after);
  for await (const { keys, ...change } of readChanges(before, after)) {
    const [a, b] = keys;
    const isSeen = agents.some(
      ([, old, now]) => before.verdicts.get(a, old)?.isAllowed && after.verdicts.get(b, now)?.isAllowed,
    );
    if (isSeen) yield change;
  }
}

/** Yields pages whose title changed, with the crawlers for which they are indexable in both runs, if there are any. */
export async function* compareIndexableTitles(
  before: RunStore,
  after: RunStore,
): AsyncGenerator<TitleChange & { readonly agents: readonly string[] }> {
  const shared = findSharedAgents(before, after);
  for await (const { keys, ...change } of readChanges(before, after)) {
    const [a, b] = keys;
    const agents = shared.filter(
      ([, old, now]) => before.verdicts.get(a, old)?.isIndexable && after.verdicts.get(b, now)?.isIndexable,
    );
    if (agents.length > 0) yield { ...change, agents: agents.map(([agent]) => agent) };
  }
}

function findSharedAgents(before: RunStore, after: RunStore): SharedAgent[] {
  const [old, now] = [getSettings(before), getSettings(after)];
  return old.agents.flatMap((agent, place) => {
    const other = now.agents.indexOf(agent);
    return other < 0 ? [] : [[agent, place, other] as const];
  });
}

async function* readChanges(before: RunStore, after: RunStore): AsyncGenerator<KeyedChange> {
  for (const { key, url, title } of before.rows.titles()) {
    const other = after.findKey(url);
    if (other === undefined) continue;
    const newTitle = after.rows.title(other);
    if (newTitle === undefined || (newTitle ?? '') === (title ?? '')) continue;
    yield { kind: 'title', url, before: title, after: newTitle, keys: [key, other] };
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
  }
}
