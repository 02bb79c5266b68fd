/**
 * All links to a URL, and all from it, with their texts and what they mean for each crawler.
 *
 * @module
 */
import { findLink, LINK_TYPES, readTypes } from '../run/link-list.ts';
import { readTextId } from '../run/page-lists.ts';
import { getSettings } from '../run/settings.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';

/** A link between two URLs. */
export interface UrlLink {
  readonly from: string;
  readonly to: string;
  /** All types: a page can have several links to a URL. */
  readonly types: readonly LinkType[];
  /**
   * The different texts of these links, at most five; empty if they have none, as a redirect. `null`: not recorded, because an earlier
   * release fetched the page.
   */
  readonly texts: readonly string[] | null;
  /** The crawlers of the run that can follow it: they may fetch the page, and the link is not only `nofollow`. */
  readonly followed: readonly string[];
}

/** The type of a link. */
export type LinkType = keyof typeof LINK_TYPES;

/** Types that lead a crawler to the URL. */
const FOLLOWED =
  LINK_TYPES.link |
  LINK_TYPES.redirect |
  LINK_TYPES.refresh |
  LINK_TYPES.canonical |
  LINK_TYPES.alternate |
  LINK_TYPES.neighbour;

/**
 * Finds all links to a URL, by reading the links of all pages, or all links of a page.
 *
 * @param direction - `to`: links to the URL; `from`: links of its page.
 * @param key - of the URL.
 */
export async function* findLinks(
  run: SqliteRun,
  direction: 'to' | 'from',
  key: number,
): AsyncGenerator<UrlLink> {
  const { agents } = await getSettings(run);
  const url = await readUrl(run, key);
  if (direction === 'from') {
    const allowed = await readAllowed(run, key, agents);
    const texts = run.rows.readTextIds(key);
    for (const [index, { key: to, types }] of (await run.links(key)).entries())
      yield createLink(run, url, await readUrl(run, to), { types, allowed, texts, index });
    return;
  }
  for (const { key: from, links, texts } of run.rows.linksWithTexts()) {
    const index = findLink(links, key);
    if (index < 0) continue;
    const allowed = await readAllowed(run, from, agents);
    yield createLink(run, await readUrl(run, from), url, {
      types: readTypes(links, index),
      allowed,
      texts,
      index,
    });
  }
}

/** A link as it is stored, and the crawlers that may fetch its page. */
interface StoredLink {
  /** The sum of its types. */
  readonly types: number;
  readonly allowed: readonly string[];
  /** The ids of the texts of the page. */
  readonly texts: Buffer | null;
  readonly index: number;
}

function createLink(
  run: SqliteRun,
  from: string,
  to: string,
  { types, allowed, texts, index }: StoredLink,
): UrlLink {
  return {
    from,
    to,
    types: (Object.keys(LINK_TYPES) as LinkType[]).filter((type) => (types & LINK_TYPES[type]) !== 0),
    texts: texts && run.rows.readTexts(readTextId(texts, index)),
    followed: (types & FOLLOWED) === 0 ? [] : allowed,
  };
}

async function readUrl(run: SqliteRun, key: number): Promise<string> {
  return (await run.url(key))?.url ?? '';
}

/** Reads which crawlers may fetch a page. */
async function readAllowed(run: SqliteRun, key: number, agents: readonly string[]): Promise<string[]> {
  const allowed: string[] = [];
  for (const [index, agent] of agents.entries())
    if ((await run.verdict(key, index))?.isAllowed === true) allowed.push(agent);
  return allowed;
}
