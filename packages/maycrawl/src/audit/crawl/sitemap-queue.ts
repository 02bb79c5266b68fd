/**
 * Reads the sitemaps of a run beside its pages, one after another, for a limited time.
 *
 * @module
 */
import { getOrigin } from '@maycrawl/core/url';
import type { Classify, RunStore } from '../run/run-store.ts';
import type { PageClient } from './page-client.ts';
import { recordSitemap, SITEMAP_LIMITS } from './record-sitemap.ts';
import type { RobotsGuard, Site } from './robots-guard.ts';

/** How the sitemaps of a run are read. */
export interface SitemapQueueOptions {
  readonly run: RunStore;
  readonly guard: RobotsGuard;
  readonly client: PageClient;
  readonly classify: Classify;
  readonly signal: AbortSignal;
  /** Whether sitemaps are read. */
  readonly isOn: boolean;
  /** Milliseconds for all sitemaps together. */
  readonly timeLimit: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The sitemaps of a run. */
export class SitemapQueue {
  readonly #options: SitemapQueueOptions;
  readonly #origins: Set<string> = new Set();
  /** Whether there may be unread sitemaps: also when a run is resumed. */
  #isDue: boolean;
  #read = 0;
  #timeLeft: number;
  isRunning = false;

  constructor(options: SitemapQueueOptions) {
    this.#options = options;
    this.#isDue = options.isOn;
    this.#timeLeft = options.timeLimit;
  }

  /** Returns whether sitemaps stay unread because the time for all of them is over. A resumed run reads them. */
  async isOutOfTime(): Promise<boolean> {
    const { run, isOn } = this.#options;
    return isOn && this.#timeLeft <= 0 && (await run.unreadSitemaps()).length > 0;
  }

  /** Adds the sitemaps that the robots.txt of a site names. */
  async addSite(origin: string, site: Site): Promise<void> {
    if (!this.#options.isOn || this.#origins.has(origin)) return;
    this.#origins.add(origin);
    for (const url of site.sitemaps) await this.#options.run.addSitemap(url, 'robots.txt');
    this.#isDue = true;
  }

  /** Starts to read unread sitemaps, unless that is under way. @param onEnd - gets the error, if there was one. */
  start(onEnd: (error?: unknown) => void): void {
    if (!this.#isDue || this.isRunning || this.#timeLeft <= 0) return;
    this.#isDue = false;
    this.isRunning = true;
    this.#readAll().then(
      () => this.#end(onEnd),
      (error: unknown) => this.#end(() => onEnd(error)),
    );
  }

  #end(onEnd: () => void): void {
    this.isRunning = false;
    onEnd();
  }

  async #readAll(): Promise<void> {
    const { run, guard, client, classify, signal, now } = this.#options;
    const recording = {
      run,
      classify,
      limits: SITEMAP_LIMITS,
      requests: {
        request: (url: string) => client.open(url, SITEMAP_LIMITS.bytes, signal),
        findRefusal: async (url: string) =>
          (await guard.getSite(getOrigin(url), signal)).describeRefusal(url),
      },
    };
    for (;;) {
      const unread = await run.unreadSitemaps();
      if (unread.length === 0) return;
      for (const sitemap of unread) {
        signal.throwIfAborted();
        if (this.#timeLeft <= 0) return;
        const startedAt = now();
        if (++this.#read > SITEMAP_LIMITS.sitemaps)
          await run.closeSitemap(sitemap.id, 0, `not read, after ${SITEMAP_LIMITS.sitemaps} sitemaps`);
        else await recordSitemap(sitemap, recording, signal);
        this.#timeLeft -= Math.max(0, now() - startedAt);
      }
    }
  }
}
