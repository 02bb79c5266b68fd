/**
 * Reads the sitemaps of a run beside its pages, one after another.
 *
 * @module
 */
import { originOf } from '@maycrawl/client/origins';
import type { Classify, RunStore } from '../run/run-store.ts';
import type { Gate, Site } from './gate.ts';
import type { PageClient } from './page-client.ts';
import { readSitemap, SITEMAP_LIMITS } from './sitemaps.ts';

export interface LaneOptions {
  readonly run: RunStore;
  readonly gate: Gate;
  readonly client: PageClient;
  readonly classify: Classify;
  /** Milliseconds for one sitemap. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Whether sitemaps are read. */
  readonly isOn: boolean;
}

/** The sitemaps of a run. */
export class SitemapLane {
  readonly #options: LaneOptions;
  readonly #origins: Set<string> = new Set();
  /** Whether some may not have been read: as a run is gone on with. */
  #isDue: boolean;
  #read = 0;
  isRunning = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#isDue = options.isOn;
  }

  /** Adds the sitemaps that the robots.txt of a site names. */
  async addOf(origin: string, site: Site): Promise<void> {
    if (!this.#options.isOn || this.#origins.has(origin)) return;
    this.#origins.add(origin);
    for (const url of site.sitemaps) await this.#options.run.addSitemap(url, 'robots.txt');
    this.#isDue = true;
  }

  /** Begins to read what was not, if nobody does. @param onEnd - is told the error, if there was one. */
  start(onEnd: (error?: unknown) => void): void {
    if (!this.#isDue || this.isRunning) return;
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
    const { run, gate, client, signal } = this.#options;
    const reading = {
      ...{ run, classify: this.#options.classify, timeout: this.#options.timeout, limits: SITEMAP_LIMITS },
      open: (url: string, either: AbortSignal) => client.open(url, either),
      mayFetch: async (url: string) => (await gate.site(originOf(url), signal)).mayFetch(url),
    };
    for (;;) {
      const unread = await run.unreadSitemaps();
      if (unread.length === 0) return;
      for (const sitemap of unread) {
        signal.throwIfAborted();
        if (++this.#read > SITEMAP_LIMITS.sitemaps)
          await run.closeSitemap(sitemap.id, 0, `not read, after ${SITEMAP_LIMITS.sitemaps} sitemaps`);
        else await readSitemap(sitemap, reading, signal);
      }
    }
  }
}
