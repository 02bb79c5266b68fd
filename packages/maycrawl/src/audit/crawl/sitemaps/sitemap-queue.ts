// Reads the sitemaps of a run beside its pages, one after another, until a limit of the run is reached. The sites take turns.
import { getOrigin } from '@maycrawl/core/url';
import type { Classify } from '../../run/records/url.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { StoredSitemap } from '../../run/tables/sitemap-table.ts';
import type { PageClient } from '../page-client.ts';
import type { RobotsGuard, Site } from '../robots-guard.ts';
import { recordSitemap, SITEMAP_LIMITS, type SitemapRecording } from './record-sitemap.ts';

/** What the sitemaps of a run may have together. */
interface TotalLimits {
  readonly sitemaps: number;
  /** Decoded. */
  readonly bytes: number;
}
const LIMITS: TotalLimits = { sitemaps: 50_000, bytes: 10 * 2 ** 30 };
/** After this number of sitemaps in a row without a response, the other ones of a site are not requested. */
const MAX_UNANSWERED = 3;
/** Sitemaps that are read before the order is computed again. */
const CHUNK = 100;

/** How the sitemaps of a run are read. */
export interface SitemapQueueOptions {
  readonly run: RunStore;
  readonly guard: RobotsGuard;
  readonly client: PageClient;
  readonly classify: Classify;
  readonly signal: AbortSignal;
  readonly isOn: boolean;
  /** Milliseconds for all sitemaps together. */
  readonly timeLimit: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What the sitemaps may have together. @defaultValue 50,000 sitemaps and 10 GiB */
  readonly limits?: TotalLimits;
}

/** What was requested of a site. */
interface SiteHistory {
  requests: number;
  /** Sitemaps in a row without a response. */
  unanswered: number;
}

export class SitemapQueue {
  readonly #options: SitemapQueueOptions;
  readonly #limits: TotalLimits;
  readonly #recording: SitemapRecording;
  readonly #origins: Set<string> = new Set();
  readonly #histories: Map<string, SiteHistory> = new Map();
  readonly #stop: AbortController = new AbortController();
  readonly #signal: AbortSignal;
  /** Whether there may be unread sitemaps: also when a run is resumed. */
  #isDue: boolean;
  #read = 0;
  #bytes = 0;
  /** Sitemaps in the run; `undefined` until they are counted. */
  #stored: number | undefined;
  #timeLeft: number;
  isRunning = false;

  constructor(options: SitemapQueueOptions) {
    const { run, guard, client, classify, signal, limits = LIMITS } = options;
    this.#options = options;
    this.#limits = limits;
    this.#isDue = options.isOn;
    this.#timeLeft = options.timeLimit;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#recording = {
      ...{ run, classify, limits: SITEMAP_LIMITS },
      addSitemap: (url, index) => this.#add(url, index),
      requests: {
        request: (url: string) => client.open(url, SITEMAP_LIMITS.bytes, this.#signal),
        findRefusal: async (url: string) =>
          (await guard.getSite(getOrigin(url), this.#signal)).describeRefusal(url),
      },
    };
  }

  /** Returns whether sitemaps stay unread because a limit was reached. A resumed run reads them. */
  hasUnread(): boolean {
    const { run, isOn } = this.#options;
    return isOn && run.sitemaps.listUnread().length > 0;
  }

  /** Adds the sitemaps that the robots.txt of a site names. */
  addSite(origin: string, site: Site): void {
    if (!this.#options.isOn || this.#origins.has(origin)) return;
    this.#origins.add(origin);
    for (const url of site.sitemaps) this.#options.run.sitemaps.add(url, 'robots.txt');
    this.#stored = undefined;
    this.#isDue = true;
  }

  /** Starts to read unread sitemaps, unless that is under way. @param onEnd - gets the error, if there was one. */
  start(onEnd: (error?: unknown) => void): void {
    if (!this.#isDue || this.isRunning || this.#timeLeft <= 0 || this.#signal.aborted) return;
    this.#isDue = false;
    this.isRunning = true;
    this.#readAll().then(
      () => this.#end(onEnd),
      (error: unknown) => this.#end(() => (this.#stop.signal.aborted ? onEnd() : onEnd(error))),
    );
  }

  /** Ends the reading, also of the sitemap that is being read: a limit of the run is reached. */
  stop(): void {
    this.#stop.abort(new Error('a limit of the run is reached'));
  }

  #end(onEnd: () => void): void {
    this.isRunning = false;
    onEnd();
  }

  async #readAll(): Promise<void> {
    const { run, now } = this.#options;
    for (;;) {
      const unread = this.#orderByTurns(run.sitemaps.listUnread());
      if (unread.length === 0) return;
      for (const sitemap of unread.slice(0, CHUNK)) {
        this.#signal.throwIfAborted();
        if (this.#timeLeft <= 0) return;
        const startedAt = now();
        await this.#readOne(sitemap);
        this.#timeLeft -= Math.max(0, now() - startedAt);
      }
    }
  }

  async #readOne(sitemap: StoredSitemap): Promise<void> {
    const { run } = this.#options;
    const history = this.#getHistory(sitemap);
    const { sitemaps, bytes } = this.#limits;
    const refusal =
      this.#read >= sitemaps
        ? `not read, after ${sitemaps} sitemaps`
        : this.#bytes >= bytes
          ? `not read, after ${bytes} bytes of sitemaps`
          : history.unanswered >= MAX_UNANSWERED
            ? `not requested, after ${MAX_UNANSWERED} sitemaps in a row of ${getSite(sitemap)} without a response`
            : null;
    if (refusal !== null) {
      const isLimit = this.#read >= sitemaps || this.#bytes >= bytes;
      const code = isLimit ? 'not-read' : 'sitemap-not-fetched';
      run.sitemaps.close(sitemap.id, 0, [{ code, detail: refusal }]);
      return;
    }
    this.#read++;
    history.requests++;
    const read = await recordSitemap(sitemap, this.#recording, this.#signal);
    this.#bytes += read.bytes;
    history.unanswered = read.isUnanswered ? history.unanswered + 1 : 0;
  }

  /** Adds a sitemap of an index. Returns `false` if the run has too many. */
  #add(url: string, index: string): boolean {
    const { run } = this.#options;
    this.#stored ??= run.sitemaps.list().length;
    if (this.#stored >= this.#limits.sitemaps) return false;
    if (run.sitemaps.add(url, index)) this.#stored++;
    return true;
  }

  /** Orders sitemaps so that the site with the fewest requests is first, and those of one site in their order. */
  #orderByTurns(sitemaps: readonly StoredSitemap[]): StoredSitemap[] {
    const counts = new Map<SiteHistory, number>();
    const turns = sitemaps.map((sitemap) => {
      const history = this.#getHistory(sitemap);
      const turn = counts.get(history) ?? history.requests;
      counts.set(history, turn + 1);
      return { sitemap, turn };
    });
    return turns.sort((a, b) => a.turn - b.turn).map(({ sitemap }) => sitemap);
  }

  #getHistory(sitemap: StoredSitemap): SiteHistory {
    const site = getSite(sitemap);
    const history = this.#histories.get(site) ?? { requests: 0, unanswered: 0 };
    this.#histories.set(site, history);
    return history;
  }
}

/** Returns scheme and host of a sitemap, as written; empty if it is no http or https URL. */
function getSite({ url }: StoredSitemap): string {
  return /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
}
