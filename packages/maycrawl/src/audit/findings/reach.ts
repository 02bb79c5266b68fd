// Whether a crawler gets to the URLs that it may fetch. A URL can be allowed and indexable although every page that links to it is
// disallowed.
import type { UrlIndex } from '../links/url-index.ts';
import { getScriptConditions, MAX_WALKS, Walks } from '../links/walks.ts';
import type { Finding } from '../run/records/finding.ts';
import type { RunStore } from '../run/run-store.ts';

/** Kinds about URLs that a crawler does not reach. */
export const REACH_KINDS = {
  'not-reachable': {
    severity: 'error',
    rank: 40,
    about: 'indexing',
    one: '1 indexable URL cannot be reached by the crawler',
    many: '# indexable URLs cannot be reached by the crawler',
    sentence: 'Can be indexed, but the crawler cannot reach it.',
    cost: 'The crawler does not find them: no sitemap lists them, and it may fetch no page that links to them.',
    action: 'Allow a page that links to them, or add them to a sitemap.',
    actionForOne: 'Allow a page that links to it, or add it to a sitemap.',
    decision:
      'The run is complete, and the URL is indexable for the crawler, but no chain of links, redirects and sitemap entries leads to it from a start through pages that this crawler may fetch.',
    example: '/shop/ is disallowed, and only /shop/ links to /sale',
    source: 'links',
  },
  orphan: {
    severity: 'info',
    rank: 20,
    about: 'indexing',
    one: '1 URL in a sitemap cannot be reached by links',
    many: '# URLs in sitemaps cannot be reached by links',
    sentence: 'Is in a sitemap, but cannot be reached by links.',
    cost: 'The crawler finds them only in the sitemap, and search engines consider such URLs less important.',
    action: 'Link to them from pages that the crawler may fetch.',
    actionForOne: 'Link to it from a page that the crawler may fetch.',
    decision:
      'The run is complete, and the crawler reaches the indexable URL by a sitemap, but not by links from a start.',
    example: 'Only /sitemap.xml names /landing',
    source: 'links',
  },
} as const;

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
): Generator<Finding<keyof typeof REACH_KINDS>> {
  for (let first = 0; first < agents.length; first += TOGETHER) {
    const scripts = getScriptConditions(agents.slice(first, first + TOGETHER));
    const walks = new Walks(rows, index, WITH_SITEMAPS, scripts);
    for (const { key, agent } of rows.urlsThatAre('allowed = 1', first, first + TOGETHER)) {
      const at = index.find(key);
      walks.setAllowed(at, walks.getAllowed(at) | (3 << (2 * (agent - first))));
    }
    walks.walk();
    for (const { key, agent } of rows.urlsThatAre('indexable = 1', first, first + TOGETHER)) {
      const [byLinks, withSitemaps] = [2 * (agent - first), 2 * (agent - first) + 1];
      const reached = walks.getReached(index.find(key));
      if (((reached >>> byLinks) & 1) !== 0) continue;
      const isReached = ((reached >>> withSitemaps) & 1) !== 0;
      yield { code: isReached ? 'orphan' : 'not-reachable', agent, key, detail: null, targets: [] };
    }
  }
}
