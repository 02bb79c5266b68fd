// The number of pages that link to each URL of a run.
import { visitLinks, WALKED } from '../run/records/link-list.ts';
import type { ReportRows } from '../run/tables/report-rows.ts';
import type { UrlIndex } from './url-index.ts';

/** Yields the keys of the URLs that other pages link to, with the number of those pages. It takes four bytes per URL. */
export function* countInLinks(
  rows: ReportRows,
  index: UrlIndex,
): Generator<{ readonly key: number; readonly links: number }> {
  const counts = new Uint32Array(index.count);
  for (const { key, list } of rows.links.allLists('links'))
    visitLinks(list, WALKED, (target) => {
      const to = target === key ? -1 : index.find(target);
      if (to >= 0) counts[to] = (counts[to] as number) + 1;
    });
  for (const [place, links] of counts.entries()) if (links > 0) yield { key: index.getKey(place), links };
}
