// The links of a run, with their texts, the responses of their targets, and what they mean for each crawler.
import { countLinks, FOLLOWED, findLink, LINK_TYPES, readKey, readTypes } from '../run/records/link-list.ts';
import { readTextId } from '../run/records/page-lists.ts';
import type { RunStore } from '../run/run-store.ts';
import { runsScripts } from '../run/script-crawlers.ts';
import { getSettings } from '../run/settings.ts';
import type { PageLinks } from '../run/tables/link-rows.ts';
import { findResourceLinks } from './resource-links.ts';
import { hasStatus, TargetStatuses } from './target-statuses.ts';
import type { LinkSelection, LinkType, UrlLink } from './url-link.ts';

/** Finds links, in the order of the keys of their pages. */
export function* findLinks(run: RunStore, { from, to, statuses }: LinkSelection): Generator<UrlLink> {
  const { agents } = getSettings(run);
  const responses = new TargetStatuses(run);
  const pages = from === undefined ? run.rows.links.linksWithTexts() : [readPage(run, from)];
  for (const { key, links, texts } of pages) {
    const indexes = to === undefined ? Array(countLinks(links)).keys() : findIndexes(links, to);
    let page: { readonly url: string; readonly allowed: readonly string[] } | undefined;
    for (const index of indexes) {
      const target = readKey(links, index);
      const response = responses.ofKey(target);
      if (statuses !== undefined && !hasStatus(response, statuses)) continue;
      page ??= { url: readUrl(run, key), allowed: readAllowed(run, key, agents) };
      const { url, allowed } = page;
      const link = createLink(run, { types: readTypes(links, index), allowed, texts, index });
      yield { from: url, to: readUrl(run, target), ...link, ...response };
    }
  }
  if (statuses !== undefined) yield* findResourceLinks(run, responses, { from, to, statuses });
}

function* findIndexes(links: Buffer, to: number): Generator<number> {
  for (let index = findLink(links, to); index >= 0; index = findLink(links, to, index + 1)) yield index;
}

function readPage({ rows }: RunStore, key: number): PageLinks {
  return { key, links: rows.links.readList(key, 'links'), texts: rows.links.readList(key, 'texts') };
}

/** A link as it is stored, and the crawlers that may fetch its page. */
interface StoredLink {
  /** The sum of its types. */
  readonly types: number;
  readonly allowed: readonly string[];
  /** The ids of the texts of the page. */
  readonly texts: Buffer;
  readonly index: number;
}

function createLink(
  run: RunStore,
  { types, allowed, texts, index }: StoredLink,
): Pick<UrlLink, 'types' | 'texts' | 'followed'> {
  return {
    types: (Object.keys(LINK_TYPES) as LinkType[]).filter((type) => (types & LINK_TYPES[type]) !== 0),
    texts: run.rows.links.readTexts(readTextId(texts, index)),
    followed:
      (types & FOLLOWED) === 0
        ? []
        : allowed.filter((agent) => (types & LINK_TYPES.rendered) === 0 || runsScripts(agent)),
  };
}

function readUrl(run: RunStore, key: number): string {
  return run.url(key)?.url ?? '';
}

/** Reads which crawlers may fetch a page. */
function readAllowed(run: RunStore, key: number, agents: readonly string[]): string[] {
  const allowed: string[] = [];
  for (const [index, agent] of agents.entries())
    if (run.verdicts.get(key, index)?.isAllowed === true) allowed.push(agent);
  return allowed;
}
