/**
 * Titles that changed from one run to another.
 *
 * @module
 */
import { getSettings } from '../../run/settings.ts';
import type { SqliteRun } from '../../run/sqlite/sqlite-run.ts';

/** A page with status 200 in both runs, and its titles; `null`: it has none. */
export interface TitleChange {
  readonly kind: 'title';
  readonly url: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Yields pages whose title changed, in the order of their URLs, if a crawler of both runs may fetch the page in both. */
export async function* compareTitles(before: SqliteRun, after: SqliteRun): AsyncGenerator<TitleChange> {
  const [old, now] = [await getSettings(before), await getSettings(after)];
  const agents = old.agents.flatMap((agent, place) => {
    const other = now.agents.indexOf(agent);
    return other < 0 ? [] : [[place, other] as const];
  });
  for (const { key, url, title } of before.rows.titles()) {
    const other = await after.findKey(url);
    if (other === undefined) continue;
    const newTitle = after.rows.title(other);
    if (newTitle === undefined || (newTitle ?? '') === (title ?? '')) continue;
    const isSeen = agents.some(([a, b]) => before.rows.isAllowed(key, a) && after.rows.isAllowed(other, b));
    if (isSeen) yield { kind: 'title', url, before: title, after: newTitle };
  }
}
