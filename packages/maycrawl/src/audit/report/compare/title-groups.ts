// Changed titles of indexable pages as one group: a template that changes the titles of a whole site is one change for its owner.
import type { RunStore } from '../../run/run-store.ts';
import { type ChangeGroup, GroupCollector } from './change-groups.ts';
import { compareIndexableTitles, type TitleChange } from './title-changes.ts';

/** Different new titles that are counted. */
const MAX_TITLES = 1_000;
/** Changes that are quoted. */
const MAX_QUOTED = 10;

/** The pages whose title changed, and that are indexable in both runs. */
export interface TitleGroup {
  readonly group: ChangeGroup;
  /** The change of a start of the audit, such as the home page. */
  readonly start: TitleChange | null;
  /** The new title of the most pages; `null` as a title: they have none. */
  readonly common: { readonly title: string | null; readonly urls: number };
  readonly examples: readonly TitleChange[];
}

/** Groups changed titles; `null` if there are none. @param host - of the audit. */
export async function groupTitleChanges(
  before: RunStore,
  after: RunStore,
  { host, starts }: { readonly host: string; readonly starts: readonly string[] },
): Promise<TitleGroup | null> {
  const collector = new GroupCollector(host);
  const counts = new Map<string, number>();
  const examples: TitleChange[] = [];
  let start: TitleChange | null = null;
  for await (const { agents, ...change } of compareIndexableTitles(before, after)) {
    for (const agent of agents) collector.add(change.url, agent);
    if (examples.length < MAX_QUOTED) examples.push(change);
    if (start === null && starts.includes(change.url)) start = change;
    const title = change.after ?? '';
    const count = counts.get(title);
    if (count !== undefined || counts.size < MAX_TITLES) counts.set(title, (count ?? 0) + 1);
  }
  const group = collector.finish();
  if (group.urls === 0) return null;
  const [title, urls] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  return { group, start, common: { title: title === '' ? null : title, urls }, examples };
}
