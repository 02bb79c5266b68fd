/**
 * All links to a URL, and all from it, with what they mean for each crawler.
 *
 * @module
 */
import { LINK_TYPES, unpackLinks } from '../run/link-list.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';

/** A link between two URLs. */
export interface UrlLink {
  readonly from: string;
  readonly to: string;
  /** All types: a page can have several links to a URL. */
  readonly types: readonly LinkType[];
  /** Whether each crawler of the run can follow it: it may fetch the page, and the link is not only `nofollow`. */
  readonly isFollowed: readonly boolean[];
}

/** The type of a link. */
type LinkType = keyof typeof LINK_TYPES;

/** Types that lead a crawler to the URL. */
const FOLLOWED =
  LINK_TYPES.link |
  LINK_TYPES.redirect |
  LINK_TYPES.refresh |
  LINK_TYPES.canonical |
  LINK_TYPES.alternate |
  LINK_TYPES.neighbour;

/** Finds all links to a URL, by reading the links of all pages. @param key - of the URL. */
export async function* findLinksTo(run: SqliteRun, key: number, agents: number): AsyncGenerator<UrlLink> {
  const to = (await run.url(key))?.url ?? '';
  for (const { key: from, links } of run.rows.readAllLinks()) {
    const link = unpackLinks(links).find((each) => each.key === key);
    if (link === undefined) continue;
    const url = (await run.url(from))?.url ?? '';
    yield createLink(url, to, link.types, await readAllowed(run, from, agents));
  }
}

/** Returns all links of a page. @param key - of the page. */
export async function* findLinksFrom(run: SqliteRun, key: number, agents: number): AsyncGenerator<UrlLink> {
  const from = (await run.url(key))?.url ?? '';
  const allowed = await readAllowed(run, key, agents);
  for (const { key: to, types } of await run.links(key))
    yield createLink(from, (await run.url(to))?.url ?? '', types, allowed);
}

function createLink(from: string, to: string, sum: number, allowed: readonly boolean[]): UrlLink {
  const types = (Object.keys(LINK_TYPES) as LinkType[]).filter((type) => (sum & LINK_TYPES[type]) !== 0);
  const isFollowed = allowed.map((isAllowed) => isAllowed && (sum & FOLLOWED) !== 0);
  return { from, to, types, isFollowed };
}

/** Reads for each crawler whether it may fetch a page. */
async function readAllowed(run: SqliteRun, key: number, agents: number): Promise<boolean[]> {
  const allowed: boolean[] = [];
  for (let agent = 0; agent < agents; agent++)
    allowed.push((await run.verdict(key, agent))?.isAllowed === true);
  return allowed;
}
