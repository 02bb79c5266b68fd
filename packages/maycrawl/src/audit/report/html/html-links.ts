/**
 * Rows of the URLs of an HTML report, and the links between them.
 *
 * @module
 */

import { InLinks } from '../../links/in-links.ts';
import { UrlIndex } from '../../links/url-index.ts';
import { LINK_TYPES } from '../../run/link-list.ts';
import type { ReportRows } from '../../run/report-rows.ts';

/** Finds rows, links, and URLs that some crawler cannot index, by the keys of URLs. */
export class HtmlLinks {
  readonly #index: UrlIndex;
  readonly #links: InLinks;
  /** The row of each URL; -1 if the report has none. */
  readonly #rows: Int32Array;
  /** 1: some crawler cannot index it; 2: it names such a URL as a version in another language. */
  readonly #marks: Uint8Array;

  /** @param rows - whose URLs are ordered. */
  constructor(rows: ReportRows) {
    this.#index = new UrlIndex(rows);
    this.#rows = new Int32Array(this.#index.count).fill(-1);
    let row = 0;
    for (const key of rows.keysInOrder()) this.#rows[this.#index.find(key)] = row++;
    const marks = new Uint8Array(this.#index.count);
    this.#marks = marks;
    for (const { key } of rows.keysNotIndexable()) {
      const at = this.#index.find(key);
      if (at >= 0) marks[at] = 1;
    }
    this.#links = new InLinks(rows, this.#index, (from, to, types) => {
      if ((types & LINK_TYPES.alternate) !== 0 && ((marks[to] as number) & 1) !== 0)
        marks[from] = (marks[from] as number) | 2;
    });
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

  isBad(key: number): boolean {
    return ((this.#marks[this.#index.find(key)] ?? 0) & 1) !== 0;
  }

  hasBadAlternate(key: number): boolean {
    return ((this.#marks[this.#index.find(key)] ?? 0) & 2) !== 0;
  }
}
