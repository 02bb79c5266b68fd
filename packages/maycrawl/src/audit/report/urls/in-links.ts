/**
 * What leads to each URL of a run: how many pages, and a few of them.
 *
 * @module
 */
import type { Discovery } from '@maycrawl/core/indexability';
import { WALKED, WAYS } from '../../run/link-list.ts';
import type { ReportRows } from '../../run/report-rows.ts';
import { NO_DEPTH } from '../../run/rows.ts';
import type { UrlIndex } from './url-index.ts';

/** So many pages that lead to a URL are kept: those nearest to a start. */
const KEPT = 3;
const BYTES = 9;

/** A page that leads to a URL. */
export interface Source {
  /** Its number (UrlIndex). */
  readonly from: number;
  /** The sum of its ways (link-list.ts). */
  readonly ways: number;
}

/** What leads to URLs: some 40 bytes for each. */
export class InLinks {
  readonly #counts: Uint32Array;
  readonly #depths: Int32Array;
  readonly #from: Int32Array;
  readonly #ways: Uint8Array;

  /** @param onLead - is told of each lead: the numbers of the page and of the URL, and the ways. */
  constructor(
    rows: ReportRows,
    index: UrlIndex,
    onLead: (from: number, to: number, ways: number) => void = () => {},
  ) {
    this.#counts = new Uint32Array(index.count);
    this.#depths = readDepths(rows, index.count);
    this.#from = new Int32Array(index.count * KEPT).fill(-1);
    this.#ways = new Uint8Array(index.count * KEPT);
    for (const { key, leads } of rows.allLeads()) {
      const from = index.find(key);
      for (let at = 0; at + BYTES <= leads.length; at += BYTES) {
        const to = index.find(leads.readDoubleLE(at));
        const ways = leads[at + 8] as number;
        if (to < 0 || to === from) continue;
        onLead(from, to, ways);
        this.#add(from, to, ways);
      }
    }
  }

  /** How many pages lead a visitor there, the URL itself not counted. */
  countOf(url: number): number {
    return this.#counts[url] as number;
  }

  /** A few of what leads there: pages from which a visitor gets there first, and of these the nearest to a start. */
  sourcesOf(url: number): Source[] {
    const sources: Source[] = [];
    for (let at = url * KEPT; at < (url + 1) * KEPT && (this.#from[at] as number) >= 0; at++)
      sources.push({ from: this.#from[at] as number, ways: this.#ways[at] as number });
    return sources;
  }

  #add(from: number, to: number, ways: number): void {
    if ((ways & WALKED) !== 0) this.#counts[to] = (this.#counts[to] as number) + 1;
    let at = (to + 1) * KEPT - 1;
    if ((this.#from[at] as number) >= 0 && !this.#isBetter(from, ways, at)) return;
    const first = to * KEPT;
    for (; at > first && this.#isBetter(from, ways, at - 1); at--) {
      this.#from[at] = this.#from[at - 1] as number;
      this.#ways[at] = this.#ways[at - 1] as number;
    }
    this.#from[at] = from;
    this.#ways[at] = ways;
  }

  #isBetter(from: number, ways: number, at: number): boolean {
    const other = this.#from[at] as number;
    if (other < 0) return true;
    const [isWalked, wasWalked] = [(ways & WALKED) !== 0, ((this.#ways[at] as number) & WALKED) !== 0];
    if (isWalked !== wasWalked) return isWalked;
    return (this.#depths[from] as number) < (this.#depths[other] as number);
  }
}

function readDepths(rows: ReportRows, count: number): Int32Array {
  const depths = new Int32Array(count).fill(NO_DEPTH);
  let at = 0;
  for (const { depth } of rows.keysAndDepths()) depths[at++] = depth;
  return depths;
}

/** The way by which a URL was found, in the words of the evidence. */
export function discoveryOf(ways: number, url: string): Discovery {
  if ((ways & WAYS.redirect) !== 0) return { by: 'redirect', url };
  if ((ways & (WAYS.link | WAYS.nofollow | WAYS.neighbour)) !== 0) return { by: 'link', url };
  if ((ways & WAYS.refresh) !== 0) return { by: 'refresh', url };
  return { by: (ways & WAYS.canonical) !== 0 ? 'canonical' : 'alternate', url };
}
