/**
 * Where the URLs of a report stand in it, and how they are linked.
 *
 * @module
 */
import { WAYS } from '../../run/link-list.ts';
import type { ReportRows } from '../../run/report-rows.ts';
import { InLinks } from '../urls/in-links.ts';
import { UrlIndex } from '../urls/url-index.ts';

/** Knows places, links and which URLs some crawler cannot index, by keys. */
export class HtmlLinks {
  readonly #index: UrlIndex;
  readonly #links: InLinks;
  /** The place of each URL; -1 if it is not in the report. */
  readonly #places: Int32Array;
  /** 1: some crawler cannot index it; 2: it names such a one as a version in another language. */
  readonly #marks: Uint8Array;

  /** @param rows - with the URLs in order. */
  constructor(rows: ReportRows) {
    this.#index = new UrlIndex(rows);
    this.#places = new Int32Array(this.#index.count).fill(-1);
    let place = 0;
    for (const key of rows.keysInOrder()) this.#places[this.#index.find(key)] = place++;
    const marks = new Uint8Array(this.#index.count);
    this.#marks = marks;
    for (const { key } of rows.keysNotIndexable()) {
      const at = this.#index.find(key);
      if (at >= 0) marks[at] = 1;
    }
    this.#links = new InLinks(rows, this.#index, (from, to, ways) => {
      if ((ways & WAYS.alternate) !== 0 && ((marks[to] as number) & 1) !== 0)
        marks[from] = (marks[from] as number) | 2;
    });
  }

  /** -1 if it is not in the report. */
  placeOf(key: number): number {
    const at = this.#index.find(key);
    return at < 0 ? -1 : (this.#places[at] as number);
  }

  countOf(key: number): number {
    return this.#links.countOf(this.#index.find(key));
  }

  /** Place and ways of a few pages that lead there, one after the other; `null` if there is none. */
  sourcesOf(key: number): number[] | null {
    const sources = this.#links
      .sourcesOf(this.#index.find(key))
      .map(({ from, ways }) => [this.#places[from] as number, ways] as const)
      .filter(([place]) => place >= 0);
    return sources.length === 0 ? null : sources.flat();
  }

  isBad(key: number): boolean {
    return ((this.#marks[this.#index.find(key)] ?? 0) & 1) !== 0;
  }

  hasBadAlternate(key: number): boolean {
    return ((this.#marks[this.#index.find(key)] ?? 0) & 2) !== 0;
  }
}
