// The links of a run, with their texts and what they mean for each crawler.
import { countLinks, FOLLOWED, findLink, LINK_TYPES, readKey, readTypes } from '../run/records/link-list.ts';
import { readTextId } from '../run/records/page-lists.ts';
import type { RunStore } from '../run/run-store.ts';
import { runsScripts } from '../run/script-crawlers.ts';
import { getSettings } from '../run/settings.ts';
import type { PageLinks } from '../run/tables/link-rows.ts';

/** A link between two URLs. */
export interface UrlLink {
  readonly from: string;
  readonly to: string;
  /** All types: a page can have several links to a URL. */
  readonly types: readonly LinkType[];
  /** The different texts of these links, at most five; empty if they have none, as a redirect. */
  readonly texts: readonly string[];
  /** The crawlers of the run that can follow it: they may fetch the page, the link is not only `nofollow`, and they run scripts if only a script adds it. */
  readonly followed: readonly string[];
}

/** The type of a link. */
export type LinkType = keyof typeof LINK_TYPES;

/** Which links are found, by keys of URLs. @defaultValue all links of the run */
export interface LinkSelection {
  /** Only links of this page. */
  readonly from?: number | undefined;
  /** Only links to this URL. They are found by reading the links of all pages, unless `from` is given. */
  readonly to?: number | undefined;
}

/** Finds links, in the order of the keys of their pages. */
export function* findLinks(run: RunStore, { from, to }: LinkSelection): Generator<UrlLink> {
  const { agents } = getSettings(run);
  const pages = from === undefined ? run.rows.links.linksWithTexts() : [readPage(run, from)];
  for (const { key, links, texts } of pages) {
    const indexes = to === undefined ? Array(countLinks(links)).keys() : findIndexes(links, to);
    let page: { readonly url: string; readonly allowed: readonly string[] } | undefined;
    for (const index of indexes) {
      page ??= { url: readUrl(run, key), allowed: readAllowed(run, key, agents) };
      const { url, allowed } = page;
      const target = readUrl(run, readKey(links, index));
      yield createLink(run, url, target, { types: readTypes(links, index), allowed, texts, index });
    }
  }
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
  from: string,
  to: string,
  { types, allowed, texts, index }: StoredLink,
): UrlLink {
  return {
    from,
    to,
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
