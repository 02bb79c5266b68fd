// URLs of a run that crawlers reach (breadth-first search), for several conditions in parallel: each condition is a bit, and a
// walk follows only links of pages that are allowed under it.
import { FOLLOWED, LINK_TYPES, visitLinks } from '../run/records/link-list.ts';
import { runsScripts } from '../run/script-crawlers.ts';
import type { ReportRows } from '../run/tables/report-rows.ts';
import type { UrlIndex } from './url-index.ts';

/** Conditions of one search. */
export const MAX_WALKS = 32;
/** All conditions. */
export const ALL = 0xffff_ffff;
const [PAGE, BLOCKED, QUEUED] = [1, 2, 4];

/** Searches the links of a run. URLs are numbers (UrlIndex). */
export class Walks {
  readonly #rows: ReportRows;
  readonly #index: UrlIndex;
  readonly #linked: Uint32Array;
  readonly #allowed: Uint32Array;
  readonly #marks: Uint8Array;
  readonly #scripts: number;

  /**
   * @param sitemaps - the conditions under which entries of sitemaps are starts, too.
   * @param scripts - the conditions under which links are followed that only scripts add.
   */
  constructor(rows: ReportRows, index: UrlIndex, sitemaps: number, scripts: number) {
    this.#scripts = scripts;
    this.#rows = rows;
    this.#index = index;
    this.#linked = new Uint32Array(index.count);
    this.#allowed = new Uint32Array(index.count);
    this.#marks = new Uint8Array(index.count);
    this.#each(rows.keysOf('pages'), (at) => {
      this.#marks[at] = (this.#marks[at] as number) | PAGE;
    });
    this.#each(rows.keysOf('blocked'), (at) => {
      this.#marks[at] = (this.#marks[at] as number) | BLOCKED;
    });
    const begin = (at: number, conditions: number): void => {
      this.#linked[at] = (this.#linked[at] as number) | conditions;
    };
    this.#each(rows.keysOf('starts'), (at) => begin(at, ALL));
    if (sitemaps !== 0) this.#each(rows.keysOf('inSitemaps'), (at) => begin(at, sitemaps));
  }

  /** Sets the conditions under which a URL is allowed. */
  setAllowed(url: number, conditions: number): void {
    this.#allowed[url] = conditions;
  }

  getAllowed(url: number): number {
    return this.#allowed[url] as number;
  }

  /** The conditions under which a reached page links to a URL. */
  getLinked(url: number): number {
    return this.#linked[url] as number;
  }

  /** The conditions under which its page is reached. */
  getReached(url: number): number {
    return this.hasPage(url) ? ((this.#linked[url] as number) & (this.#allowed[url] as number)) >>> 0 : 0;
  }

  /** Whether the run has fetched it. */
  hasPage(url: number): boolean {
    return ((this.#marks[url] as number) & PAGE) !== 0;
  }

  /** Whether the run did not fetch it because no crawler may. */
  isBlocked(url: number): boolean {
    return ((this.#marks[url] as number) & BLOCKED) !== 0;
  }

  /** Searches until no new URL is reached. */
  walk(): void {
    const queue = new Queue(this.#index.count);
    for (let at = 0; at < this.#index.count; at++) if (this.getReached(at) !== 0) this.#queue(at, queue);
    for (let from = queue.take(); from !== undefined; from = queue.take()) {
      this.#marks[from] = (this.#marks[from] as number) & ~QUEUED;
      const passed = this.getReached(from);
      const withScripts = (passed & this.#scripts) >>> 0;
      visitLinks(this.#rows.links.readList(this.#index.getKey(from), 'links'), FOLLOWED, (key, types) => {
        const conditions = (types & LINK_TYPES.rendered) === 0 ? passed : withScripts;
        const to = conditions === 0 ? -1 : this.#index.find(key);
        if (to >= 0) this.#follow(to, conditions, queue);
      });
    }
  }

  #follow(to: number, conditions: number, queue: Queue): void {
    const before = this.getReached(to);
    this.#linked[to] = (this.#linked[to] as number) | conditions;
    if (this.getReached(to) !== before) this.#queue(to, queue);
  }

  #queue(url: number, queue: Queue): void {
    if (((this.#marks[url] as number) & QUEUED) !== 0) return;
    this.#marks[url] = (this.#marks[url] as number) | QUEUED;
    queue.add(url);
  }

  #each(keys: Iterable<{ readonly key: number }>, act: (at: number) => void): void {
    for (const { key } of keys) {
      const at = this.#index.find(key);
      if (at >= 0) act(at);
    }
  }
}

/**
 * Returns the conditions under which links are followed that only scripts add: two for each crawler.
 *
 * @param agents - names of the crawlers of a search.
 */
export function getScriptConditions(agents: readonly string[]): number {
  return agents.reduce((sum, agent, place) => (runsScripts(agent) ? sum | (3 << (2 * place)) : sum), 0) >>> 0;
}

/** A queue of numbers in a ring buffer. */
class Queue {
  readonly #ring: Int32Array;
  #first = 0;
  #count = 0;

  /** @param capacity - the largest number of items. */
  constructor(capacity: number) {
    this.#ring = new Int32Array(Math.max(1, capacity));
  }

  add(number: number): void {
    this.#ring[(this.#first + this.#count++) % this.#ring.length] = number;
  }

  take(): number | undefined {
    if (this.#count === 0) return undefined;
    const number = this.#ring[this.#first];
    this.#first = (this.#first + 1) % this.#ring.length;
    this.#count--;
    return number;
  }
}
