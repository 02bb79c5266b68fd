// What the crawlers of a run use pages for, from the catalogue. Findings about indexing are not for a crawler that only trains a model.
import { CRAWLER_RECORDS, type CrawlerPurpose } from '@maycrawl/core/crawlers';

const PURPOSES: ReadonlyMap<string, readonly CrawlerPurpose[]> = new Map(
  CRAWLER_RECORDS.map(({ token, name = token, purposes }) => [name, purposes]),
);

/** Returns what a crawler uses pages for, the main purpose first; empty if that is not documented. @param agent - its name (`resolveAgent`). */
export function getPurposes(agent: string): readonly CrawlerPurpose[] {
  return PURPOSES.get(agent) ?? [];
}

/** Whether a crawler indexes pages for a search engine. One whose purposes are not documented counts as such. */
export function isIndexingCrawler(agent: string): boolean {
  const purposes = getPurposes(agent);
  return purposes.length === 0 || purposes.includes('search');
}
