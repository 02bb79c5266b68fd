// The crawler catalogue: the best known crawlers, the product tokens that they look for, and the pages on which their operators document
// them. `@maycrawl/core/crawlers` documents these and many others, of which this module has only the names.
import { freezeDeep } from '../bytes/freeze.ts';
import { CATALOGUE_DATA } from './catalogue-data.ts';
import type { Crawler } from './crawler.ts';

/** A known crawler. */
export interface CatalogueEntry extends Crawler {
  /** The organisation that runs it. */
  readonly operator: string;
  /** Its name in the User-Agent header; `null` if it has no User-Agent of its own. */
  readonly header: string | null;
  /** URL of the operator's documentation, or of a third party's if the operator has none. */
  readonly source: string;
}

/** The known crawlers. */
export const CRAWLERS: readonly CatalogueEntry[] = /* @__PURE__ */ freezeDeep(
  CATALOGUE_DATA.flatMap(([operator, source, ...crawlers]) =>
    crawlers.map((crawler): CatalogueEntry => {
      const [name, further] = typeof crawler === 'string' ? [crawler] : crawler;
      return { name, operator, tokens: [name], obeys: 'rules', header: name, source, ...further };
    }),
  ),
);

/**
 * Finds a crawler by its name or its preferred token, case-insensitively.
 *
 * @param crawlers - the crawlers to search (default: {@link CRAWLERS}).
 * @returns `undefined` if there is no such crawler.
 */
export function findCrawler<C extends Crawler>(name: string, crawlers: readonly C[]): C | undefined;
export function findCrawler(name: string): CatalogueEntry | undefined;
export function findCrawler(name: string, crawlers: readonly Crawler[] = CRAWLERS): Crawler | undefined {
  const wanted = name.toLowerCase();
  return crawlers.find(
    (each) => each.name.toLowerCase() === wanted || each.tokens[0]?.toLowerCase() === wanted,
  );
}
