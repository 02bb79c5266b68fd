/**
 * Rows of the URLs of an HTML report, and the links between them.
 *
 * @module
 */

import { InLinks } from '../../links/in-links.ts';
import { UrlIndex } from '../../links/url-index.ts';
import type { ReportRows } from '../../run/report-rows.ts';

/** Finds rows and links by the keys of URLs. */
export class HtmlLinks {
  readonly #index: UrlIndex;
  readonly #links: InLinks;
  /** The row of each URL; -1 if the report has none. */
  readonly #rows: Int32Array;

  /** @param rows - whose URLs are ordered. */
  constructor(rows: ReportRows) {
    this.#index = new UrlIndex(rows);
    this.#rows = new Int32Array(this.#index.count).fill(-1);
    let row = 0;
    for (const key of rows.keysInOrder()) this.#rows[this.#index.find(key)] = row++;
    this.#links = new InLinks(rows, this.#index);
  }

  /** The row of a URL; -1 if the report has none. */
  findRow(key: number): number {
    const at = this.#index.find(key);
    return at < 0 ? -1 : (this.#rows[at] as number);
  }

  /** The number of pages that link to a URL. */
  countLinks(key: number): number {
    return this.#links.getCount(this.#index.find(key));
  }

  /** Rows and link types of some pages that link to a URL, one after the other; `null` if there is none. */
  findSources(key: number): number[] | null {
    const sources = this.#links
      .getSources(this.#index.find(key))
      .map(({ from, types }) => [this.#rows[from] as number, types] as const)
      .filter(([row]) => row >= 0);
    return sources.length === 0 ? null : sources.flat();
  }
}
