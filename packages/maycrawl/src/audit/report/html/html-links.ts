/**
 * Rows of the URLs of an HTML report, and the links between them.
 *
 * @module
 */

import { Interned } from '../../../reports/interned.ts';
import { InLinks } from '../../links/in-links.ts';
import { UrlIndex } from '../../links/url-index.ts';
import { ALL_TYPES, visitLinks } from '../../run/records/link-list.ts';
import { NO_TEXT, readTextId } from '../../run/records/page-lists.ts';
import type { ReportRows } from '../../run/tables/report-rows.ts';
import type { PackedLinks } from './report-data.ts';

/** Links in a report: three megabytes. Of more links, a row has some. */
const MAX_LINKS = 300_000;

/** Finds rows and links by the keys of URLs. */
export class HtmlLinks {
  /** Whether the report contains all links. */
  readonly areComplete: boolean;
  /** The texts of links from a page to a URL. */
  readonly texts: Interned<readonly string[]> = new Interned();
  readonly #tables: ReportRows;
  readonly #index: UrlIndex;
  readonly #links: InLinks;
  /** The row of each URL; -1 if the report has none. */
  readonly #rows: Int32Array;
  /** The numbers of texts by their ids. */
  readonly #numbers: Map<number, number> = new Map([[NO_TEXT, this.texts.number([])]]);

  /** @param rows - whose URLs are ordered. */
  constructor(rows: ReportRows) {
    this.#tables = rows;
    this.#index = new UrlIndex(rows);
    this.#rows = new Int32Array(this.#index.count).fill(-1);
    let row = 0;
    for (const key of rows.keysInOrder()) this.#rows[this.#index.find(key)] = row++;
    this.areComplete = row === this.#index.count && rows.links.countLinks() <= MAX_LINKS;
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

  /** The number of URLs to which a page links. */
  countTargets(key: number): number {
    return this.#links.getTargetCount(this.#index.find(key));
  }

  /** Row, link types and number of the text of some pages that link to a URL, one after the other; `null` without such pages. */
  findSources(key: number): number[] | null {
    if (this.areComplete) return null;
    const sources = this.#links
      .getSources(this.#index.find(key))
      .map(({ from, types, text }) => [this.#rows[from] as number, types, this.#getNumber(text)] as const)
      .filter(([row]) => row >= 0);
    return sources.length === 0 ? null : sources.flat();
  }

  /** All links, if the report contains them. */
  *all(): Generator<PackedLinks> {
    if (!this.areComplete) return;
    for (const { key, links, texts } of this.#tables.links.linksWithTexts()) {
      const found: (readonly [row: number, types: number, text: number])[] = [];
      visitLinks(links, ALL_TYPES, (target, types, place) => {
        const row = this.findRow(target);
        if (row >= 0) found.push([row, types, this.#getNumber(readTextId(texts, place))]);
      });
      let previous = 0;
      const packed = [this.findRow(key)];
      for (const [row, types, text] of found.sort(([a], [b]) => a - b)) {
        packed.push(row - previous, types, text);
        previous = row;
      }
      yield packed;
    }
  }

  #getNumber(id: number): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.texts.number(this.#tables.links.readTexts(id));
      this.#numbers.set(id, number);
    }
    return number;
  }
}
