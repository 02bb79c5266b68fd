/**
 * Whether a crawler gets to the URLs that it may fetch. A URL can be allowed and indexable although every page that links to it is
 * disallowed.
 *
 * @module
 */
import type { UrlIndex } from '../links/url-index.ts';
import { getScriptConditions, MAX_WALKS, Walks } from '../links/walks.ts';
import type { Finding } from '../run/records/finding.ts';
import type { RunStore } from '../run/run-store.ts';

/** Crawlers of one pass: each needs two walks, with and without sitemaps. */
const TOGETHER = MAX_WALKS / 2;
/** The conditions of the walks that begin at the entries of sitemaps, too: every second bit. */
const WITH_SITEMAPS = 0xaaaa_aaaa;

/**
 * Finds indexable URLs that a crawler does not reach by links from a start: those in sitemaps (`orphan`), and those that it does not
 * reach at all (`not-reachable`). The run must be complete.
 */
export function* findUnreached(
  { rows }: RunStore,
  index: UrlIndex,
  agents: readonly string[],
): Generator<Finding> {
  for (let first = 0; first < agents.length; first += TOGETHER) {
    const scripts = getScriptConditions(agents.slice(first, first + TOGETHER));
    const walks = new Walks(rows, index, WITH_SITEMAPS, scripts);
    for (const { key, agent } of rows.allowedUrls(first, first + TOGETHER)) {
      const at = index.find(key);
      walks.setMay(at, walks.may(at) | (3 << (2 * (agent - first))));
    }
    walks.walk();
    for (const { key, agent } of rows.indexableUrls(first, first + TOGETHER)) {
      const [byLinks, withSitemaps] = [2 * (agent - first), 2 * (agent - first) + 1];
      const got = walks.got(index.find(key));
      if (((got >>> byLinks) & 1) !== 0) continue;
      const isReached = ((got >>> withSitemaps) & 1) !== 0;
      yield { code: isReached ? 'orphan' : 'not-reachable', agent, key, detail: null, targets: [] };
    }
  }
}
