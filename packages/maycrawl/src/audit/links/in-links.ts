// The links to each URL of a run: their number, and some of the pages.
import type { Discovery } from '@maycrawl/core/indexability';
import { ALL_TYPES, LINK_TYPES, visitLinks, WALKED } from '../run/records/link-list.ts';
import { readTextId } from '../run/records/page-lists.ts';
import type { ReportRows } from '../run/tables/report-rows.ts';
import type { UrlIndex } from './url-index.ts';

/** Pages that are stored for a URL: those nearest to a start. */
const MAX_SOURCES = 3;

/** A page that links to a URL. */
export interface Source {
  /** Its number (UrlIndex). */
  readonly from: number;
  /** The sum of its link types (run/link-list.ts). */
  readonly types: number;
  /** The id of the text of the link (run/page-lists.ts). */
  readonly text: number;
}

/** Links to URLs, in about 50 bytes per URL. */
export class InLinks {
  readonly #counts: Uint32Array;
  readonly #index: UrlIndex;
  readonly #from: Int32Array;
  readonly #types: Uint8Array;
  readonly #texts: Uint32Array;
  /** The number of other URLs to which each page links. */
  readonly #targets: Uint32Array;

  constructor(rows: ReportRows, index: UrlIndex) {
    this.#counts = new Uint32Array(index.count);
    this.#index = index;
    this.#from = new Int32Array(index.count * MAX_SOURCES).fill(-1);
    this.#types = new Uint8Array(index.count * MAX_SOURCES);
    this.#texts = new Uint32Array(index.count * MAX_SOURCES);
    this.#targets = new Uint32Array(index.count);
    for (const { key, links, texts } of rows.links.linksWithTexts()) {
      const from = index.find(key);
      visitLinks(links, ALL_TYPES, (target, types, place) => {
        const to = index.find(target);
        if (to < 0 || to === from) return;
        this.#add(to, { from, types, text: readTextId(texts, place) });
        if ((types & WALKED) !== 0) this.#targets[from] = (this.#targets[from] as number) + 1;
      });
    }
  }

  /** The number of other pages from which a visitor gets there. */
  getCount(url: number): number {
    return this.#counts[url] as number;
  }

  /** The number of other URLs to which a visitor gets from there. */
  getTargetCount(url: number): number {
    return this.#targets[url] as number;
  }

  /** Some pages that link to a URL: first those from which a visitor gets there, and of these the nearest to a start. */
  getSources(url: number): Source[] {
    const sources: Source[] = [];
    for (let at = url * MAX_SOURCES; at < (url + 1) * MAX_SOURCES && (this.#from[at] as number) >= 0; at++)
      sources.push({
        from: this.#from[at] as number,
        types: this.#types[at] as number,
        text: this.#texts[at] as number,
      });
    return sources;
  }

  #add(to: number, { from, types, text }: Source): void {
    if ((types & WALKED) !== 0) this.#counts[to] = (this.#counts[to] as number) + 1;
    let at = (to + 1) * MAX_SOURCES - 1;
    if ((this.#from[at] as number) >= 0 && !this.#isBetter(from, types, at)) return;
    const first = to * MAX_SOURCES;
    for (; at > first && this.#isBetter(from, types, at - 1); at--) {
      this.#from[at] = this.#from[at - 1] as number;
      this.#types[at] = this.#types[at - 1] as number;
      this.#texts[at] = this.#texts[at - 1] as number;
    }
    this.#from[at] = from;
    this.#types[at] = types;
    this.#texts[at] = text;
  }

  #isBetter(from: number, types: number, at: number): boolean {
    const other = this.#from[at] as number;
    if (other < 0) return true;
    const [isWalked, wasWalked] = [(types & WALKED) !== 0, ((this.#types[at] as number) & WALKED) !== 0];
    if (isWalked !== wasWalked) return isWalked;
    return this.#index.getDepth(from) < this.#index.getDepth(other);
  }
}

/** How a URL was found, as evidence. */
export function toDiscovery(types: number, url: string): Discovery {
  // An instant refresh is a redirect, too.
  if ((types & LINK_TYPES.refresh) === 0 && (types & LINK_TYPES.redirect) !== 0)
    return { by: 'redirect', url };
  if ((types & (LINK_TYPES.link | LINK_TYPES.nofollow | LINK_TYPES.neighbour)) !== 0)
    return { by: 'link', url };
  if ((types & LINK_TYPES.refresh) !== 0) return { by: 'refresh', url };
  return { by: (types & LINK_TYPES.canonical) !== 0 ? 'canonical' : 'alternate', url };
}
