// Compares the requests of crawlers with the run of an audit: pages that no search crawler requested, and requests that are of no use.
import type { Reason } from '@maycrawl/core/indexability';
import { parseUrl } from '@maycrawl/core/url';
import { LRUCache } from 'lru-cache';
import { isIndexingCrawler } from '../audit/run/indexing-crawlers.ts';
import { unpackReasons } from '../audit/run/records/reasons.ts';
import type { RunStore } from '../audit/run/run-store.ts';
import { getSettings } from '../audit/run/settings.ts';
import { NO_DEPTH } from '../audit/run/tables/rows.ts';
import { getSegments } from '../audit/segments/segments.ts';
import { BoundedCounts } from './summary/bounded-counts.ts';
import type { AuditComparison, SegmentRequests } from './summary/log-summary.ts';

/** URLs in lists. */
const MAX_LISTED = 100;
/** URLs that no page links to, with a count. */
const MAX_UNLINKED = 10_000;
/** Keys of URLs in the cache. */
const MAX_CACHED = 50_000;

/** Reasons of URLs whose requests a crawler could do without, and the names of their counts. */
const USELESS: Readonly<Partial<Record<Reason, keyof SegmentRequests>>> = {
  blocked: 'blocked',
  noindex: 'noindex',
  redirect: 'redirected',
  'not-found': 'missing',
};

/** The requests of URLs of a run while a log is read. */
export class AuditRequests {
  readonly #run: RunStore;
  /** Index of the crawler of the run whose verdicts count: the first one that indexes pages, else the first one. */
  readonly #agent: number;
  readonly #keys: LRUCache<string, number> = new LRUCache({ max: MAX_CACHED });
  /** Requests of all crawlers by the key of the URL; their number is limited by the run. */
  readonly #requests: Map<number, number> = new Map();
  /** Keys of URLs that a search crawler requested. */
  readonly #searched: Set<number> = new Set();
  readonly #unlinked: BoundedCounts<string> = new BoundedCounts(MAX_UNLINKED);

  /** @param run - judged. */
  constructor(run: RunStore) {
    this.#run = run;
    this.#agent = Math.max(0, getSettings(run).agents.findIndex(isIndexingCrawler));
  }

  /** Adds a request for a page. @param url - absolute. @param isSearch - whether the crawler is one of a search engine. */
  add(url: string, isSearch: boolean): void {
    const key = this.#findKey(url);
    if (key < 0) {
      this.#unlinked.add(url);
      return;
    }
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    if (isSearch) this.#searched.add(key);
  }

  /** The key of a URL of the run; -1 for others. */
  #findKey(url: string): number {
    const cached = this.#keys.get(url);
    if (cached !== undefined) return cached;
    const parsed = parseUrl(url.split('#', 1)[0] ?? '');
    const key = (parsed === undefined ? undefined : this.#run.findKey(parsed.href)) ?? -1;
    this.#keys.set(url, key);
    return key;
  }

  /** Returns the comparison. */
  toComparison(): AuditComparison {
    const segments = getSegments(this.#run);
    const counts = segments.names.map((name) => createSegment(name));
    const unrequested: string[] = [];
    let unrequestedCount = 0;
    for (const { key, url, reasons } of this.#run.rows.judgedUrlsOf(this.#agent)) {
      const count = counts[segments.find(url)];
      if (count === undefined) continue;
      const requests = this.#requests.get(key) ?? 0;
      const [reason] = unpackReasons(reasons);
      if (reason === undefined) {
        count.indexable++;
        if (this.#searched.has(key)) count.searched++;
        else if (++unrequestedCount <= MAX_LISTED) unrequested.push(url);
      } else {
        const name = USELESS[reason];
        if (name !== undefined && name !== 'segment') count[name] += requests;
      }
    }
    this.#addUnlinkedOfRun();
    return {
      agent: getSettings(this.#run).agents[this.#agent] ?? '',
      unrequested: { count: unrequestedCount, urls: unrequested },
      unlinked: {
        count: this.#unlinked.size,
        urls: this.#unlinked
          .list()
          .slice(0, MAX_LISTED)
          .map(([url, requests]) => ({ url, requests })),
      },
      segments: counts.filter(({ segment: _, ...numbers }) =>
        Object.values(numbers).some((each) => each > 0),
      ),
    };
  }

  /** Adds requested URLs of the run to which no path of links leads. */
  #addUnlinkedOfRun(): void {
    for (const { key, depth } of this.#run.rows.keysAndDepths()) {
      const requests = this.#requests.get(key);
      if (requests === undefined || depth < NO_DEPTH) continue;
      const url = this.#run.url(key)?.url;
      if (url !== undefined) this.#unlinked.add(url, requests);
    }
  }
}

function createSegment(segment: string): SegmentRequests {
  return { segment, indexable: 0, searched: 0, blocked: 0, noindex: 0, redirected: 0, missing: 0 };
}
