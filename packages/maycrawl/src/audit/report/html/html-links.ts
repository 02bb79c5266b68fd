// Rows of the URLs of an HTML report, and the links between them.

import type { ValueTable } from '../../../reports/report-data.ts';
import { InLinks } from '../../links/in-links.ts';
import { UrlIndex } from '../../links/url-index.ts';
import { ALL_TYPES, visitLinks } from '../../run/records/link-list.ts';
import { NO_TEXT, readTextId } from '../../run/records/page-lists.ts';
import type { ReportRows } from '../../run/tables/report-rows.ts';
import type { LinkRow } from './report-data.ts';

/** Links in a report. If there are more, it has some of the links to each URL. */
const MAX_LINKS = 300_000;

/** Finds rows and links by the keys of URLs. */
export class HtmlLinks {
  /** Whether the report contains all links. */
  readonly areComplete: boolean;
  readonly #tables: ReportRows;
  readonly #index: UrlIndex;
  readonly #links: InLinks;
  /** The row of each URL; -1 if the report has none. */
  readonly #rows: Int32Array;
  readonly #values: ValueTable;
  /** The texts of links from a page to a URL, by their ids. */
  readonly #texts: Map<number, LinkRow['text']> = new Map([[NO_TEXT, null]]);

  /** @param rows - whose URLs are ordered. */
  constructor(rows: ReportRows, values: ValueTable) {
    this.#tables = rows;
    this.#values = values;
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

  /** The links of the report: all, ordered by their pages, or some, ordered by the URLs that they lead to. */
  all(): Generator<LinkRow> {
    return this.areComplete ? this.#allLinks() : this.#someLinks();
  }

  *#allLinks(): Generator<LinkRow> {
    for (const { key, links, texts } of this.#tables.links.linksWithTexts()) {
      const from = this.findRow(key);
      const found: LinkRow[] = [];
      visitLinks(links, ALL_TYPES, (target, types, place) => {
        const to = this.findRow(target);
        if (to >= 0) found.push({ from, to, types, text: this.#getText(readTextId(texts, place)) });
      });
      yield* found.sort((a, b) => a.to - b.to);
    }
  }

  *#someLinks(): Generator<LinkRow> {
    let to = 0;
    for (const key of this.#tables.keysInOrder()) {
      for (const { from, types, text } of this.#links.getSources(this.#index.find(key))) {
        const row = this.#rows[from] as number;
        if (row >= 0) yield { from: row, to, types, text: this.#getText(text) };
      }
      to++;
    }
  }

  #getText(id: number): LinkRow['text'] {
    let text = this.#texts.get(id);
    if (text === undefined) {
      text = this.#values.add(this.#tables.links.readTexts(id));
      this.#texts.set(id, text);
    }
    return text;
  }
}
