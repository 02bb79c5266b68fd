// Schedules the requests of a crawl: a queue for each host, at the pace of the host, and one writer of the results. No URL is requested
// twice: a URL that was taken out of the run is busy until its result is written.

import {
  type CollectedResponse,
  isOverloaded,
  RequestError,
  type RequestPace,
} from '@maycrawl/client/internal';
import { isOwnRefusal } from '@maycrawl/client/policy';
import { getOrigin } from '@maycrawl/core/url';
import type { Visit } from '../run/records/page.ts';
import type { Classify, Waiting } from '../run/records/url.ts';
import type { RunEnd } from '../run/settings.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { type HostQueue, HostQueues } from './host-queues.ts';
import type { PageClient } from './page-client.ts';
import type { RobotsGuard } from './robots-guard.ts';
import type { SitemapQueue } from './sitemaps/sitemap-queue.ts';
import { createFailedVisit, getRetryAfter, readVisit } from './visit.ts';
import { WakeUp } from './wake-up.ts';

/** Maximum number of attempts to fetch a page. */
const MAX_TRIES = 3;
/** Maximum number of concurrent requests to all hosts. */
const MAX_REQUESTS = 512;
/** Number of URLs of a host that are read from the run at a time. */
const TAKEN = 200;

interface Parts {
  readonly guard: RobotsGuard;
  readonly client: PageClient;
  readonly sitemaps: SitemapQueue;
  readonly classify: Classify;
}

/** The requests of a crawl. */
export class Scheduler {
  readonly #options: CrawlOptions;
  readonly #parts: Parts;
  readonly #queues: HostQueues;
  /** Keys of URLs that were read from the run, and whose results are not stored yet. */
  readonly #busy: Set<number> = new Set();
  #visits: Visit[] = [];
  #running = 0;
  #failure: { readonly error: unknown } | undefined;
  readonly #wake: WakeUp = new WakeUp();

  constructor(options: CrawlOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#queues = new HostQueues(options, options.run.hosts);
  }

  /** Crawls until no URL is waiting, or a limit is reached. */
  async crawl(): Promise<RunEnd['reason']> {
    const { run, signal, onProgress } = this.#options;
    const onAbort = (): void => {
      this.#parts.client.abort(signal.reason);
      this.#wakeUp();
    };
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        this.#write();
        if (this.#failure !== undefined) throw this.#failure.error;
        const pause = signal.aborted || this.#isFull() ? null : this.#startRequests();
        if (this.#isFull(0)) this.#parts.sitemaps.stop();
        if (!signal.aborted) this.#parts.sitemaps.start((error) => this.#wakeUp(error));
        onProgress?.({ counts: run.counts(), underWay: this.#running });
        if (this.#visits.length > 0) continue;
        const isIdle = this.#running === 0 && pause === null && !this.#parts.sitemaps.isRunning;
        if (isIdle) return this.#end();
        await this.#wake.wait(pause);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #end(): RunEnd['reason'] {
    if (this.#options.signal.aborted) return 'interrupted';
    const { waiting } = this.#options.run.counts();
    const hasUnread = this.#parts.sitemaps.hasUnread();
    if ((waiting > 0 || hasUnread) && this.#isFull()) return 'max-pages';
    if (waiting > 0) return 'no-responses';
    return hasUnread ? 'sitemap-time' : 'complete';
  }

  /** Whether the limit of pages is reached, with the requests in progress. */
  #isFull(running: number = this.#running): boolean {
    const { run, settings } = this.#options;
    if (settings.maxPages === null) return false;
    return run.counts().fetched + running >= settings.maxPages;
  }

  /**
   * Starts all requests that may start now.
   *
   * @returns milliseconds after which the next one may start; `null` if the next one waits for something else than time.
   */
  #startRequests(): number | null {
    const { run, settings } = this.#options;
    this.#queues.update(performance.now());
    let soonest: number | null = this.#queues.getNextRestEnd(performance.now());
    const full = settings.maxPages === null ? Number.POSITIVE_INFINITY : settings.maxPages;
    const { fetched } = run.counts();
    for (const [host, queue] of this.#queues) {
      if (queue.next.length === 0 && !this.#readNext(host, queue)) continue;
      for (;;) {
        const [waiting] = queue.next;
        if (waiting === undefined || queue.isFetchingRobots) break;
        if (waiting.isTarget && (queue.pace.isDown || queue.pace.isFailing)) {
          // The audit of this site does not wait for another one.
          this.#settle(waiting, queue, 'outside');
          continue;
        }
        if (queue.pace.isDown) {
          this.#queues.exclude(host);
          break;
        }
        if (this.#isTooDeep(waiting)) {
          this.#settle(waiting, queue, 'too-deep');
          continue;
        }
        const origin = getOrigin(waiting.url);
        const site = this.#parts.guard.findSite(origin);
        if (site === undefined) {
          this.#fetchRobots(origin, queue);
          break;
        }
        if (this.#options.obeysCrawlDelay) queue.pace.spaceBy(site.crawlDelay);
        if (!waiting.isTarget) this.#parts.sitemaps.addSite(origin, site);
        if (!site.mayFetch(waiting.url)) {
          this.#settle(waiting, queue, waiting.isTarget ? 'outside' : 'blocked');
          continue;
        }
        if (this.#running >= MAX_REQUESTS || fetched + this.#running >= full) {
          this.#queues.prefer(host);
          return soonest;
        }
        const pause = queue.pace.wait(performance.now());
        if (pause !== 0) {
          if (pause !== null) soonest = Math.min(soonest ?? pause, pause);
          break;
        }
        if (queue.pace.isFailing) {
          // Not before it responds again.
          if (!queue.isProbing) this.#probe(origin, queue);
          break;
        }
        this.#request(waiting, queue);
        this.#busy.add(waiting.key);
        queue.next.shift();
      }
    }
    return soonest;
  }

  /** Reads the next URLs of a host. Returns whether there are any. Its turn ends if it has no others. */
  #readNext(host: string, queue: HostQueue): boolean {
    if (queue.hasRead && this.#queues.isContested) return false;
    queue.hasRead = true;
    queue.next = this.#options.run.waiting(host, TAKEN, this.#busy);
    if (queue.next.length > 0) return true;
    const now = performance.now();
    if (queue.pace.isIdle && !queue.isFetchingRobots && queue.pace.wait(now) === 0)
      this.#queues.end(host, now);
    return false;
  }

  /** Ends the first URL of a queue without a request. */
  #settle({ key }: Waiting, queue: HostQueue, kind: 'blocked' | 'too-deep' | 'outside'): void {
    this.#visits.push({ kind, key });
    this.#busy.add(key);
    queue.next.shift();
  }

  /** Fetches the robots.txt of a site. */
  #fetchRobots(origin: string, queue: HostQueue): void {
    const { guard } = this.#parts;
    queue.isFetchingRobots = true;
    this.#running++;
    guard
      .getSite(origin, this.#options.signal)
      .then(
        () => this.#wakeUp(),
        (error: unknown) => this.#wakeUp(error),
      )
      .finally(() => {
        queue.isFetchingRobots = false;
        this.#running--;
      });
  }

  /** Whether a URL is too far from every start, and in no sitemap. */
  #isTooDeep({ key, depth, isTarget }: Waiting): boolean {
    const { run, settings } = this.#options;
    if (isTarget || settings.maxDepth === null || (depth !== null && depth <= settings.maxDepth))
      return false;
    return run.sitemaps.findIds(key).length === 0;
  }

  /** Requests the robots.txt of a failing host again, to find out whether the host fails, or only its pages do. */
  #probe(origin: string, queue: HostQueue): void {
    const { pace } = queue;
    const start = performance.now();
    queue.isProbing = true;
    pace.start(start);
    this.#running++;
    this.#parts.client
      .fetch(`${origin}/robots.txt`)
      .then(
        ({ status, headersAfter }) => ({
          milliseconds: headersAfter,
          isFailure: isOverloaded(status),
        }),
        () => ({ milliseconds: performance.now() - start, isFailure: true }),
      )
      .then((ended) => {
        pace.end(performance.now(), { ...ended, retryAfter: null });
        queue.isProbing = false;
        this.#running--;
        this.#wakeUp();
      });
  }

  /** Requests a page. */
  #request(waiting: Waiting, { pace }: HostQueue): void {
    const { now } = this.#options;
    const at = now();
    pace.start(performance.now());
    this.#running++;
    this.#parts.client
      .fetch(waiting.url)
      .then(
        (response) => this.#addResponse(waiting, at, response, pace),
        (error: unknown) => this.#addFailure(waiting, at, error, pace),
      )
      .then(
        () => this.#wakeUp(),
        (error: unknown) => this.#wakeUp(error),
      )
      .finally(() => {
        this.#running--;
      });
  }

  #addResponse(waiting: Waiting, at: number, response: CollectedResponse, pace: RequestPace): void {
    const { url, key, depth, hops, isTarget } = waiting;
    const { status, headersAfter, milliseconds, body } = response;
    const isFailure = isOverloaded(status);
    const retryAfter = isFailure ? getRetryAfter(response, at) : null;
    pace.end(performance.now(), { milliseconds: headersAfter, isFailure, retryAfter });
    if (isFailure && this.#isRetried(waiting, pace)) return;
    const { outcome, ...found } = readVisit(url, response);
    const page = { key, at, milliseconds: Math.round(milliseconds * 10) / 10, bytes: body.length, outcome };
    const lists = isTarget ? { named: [] } : found;
    this.#visits.push({ kind: 'fetched', page, depth, hops, ...lists, isTarget });
  }

  #addFailure(waiting: Waiting, at: number, error: unknown, pace: RequestPace): void {
    if (!(error instanceof RequestError)) {
      // Aborted, with the whole crawl.
      if (this.#options.signal.aborted) return;
      throw error;
    }
    const { code, message } = error;
    const isFailure = !isOwnRefusal(code);
    const milliseconds = this.#options.now() - at;
    pace.end(performance.now(), { milliseconds, isFailure, retryAfter: null });
    if (isFailure && this.#isRetried(waiting, pace)) return;
    this.#visits.push(createFailedVisit(waiting, { at, milliseconds, code, detail: message }));
  }

  /** Whether a page that failed because of its host stays waiting. */
  #isRetried({ key, tries, isTarget }: Waiting, pace: RequestPace): boolean {
    if (isTarget) return false;
    // The host fails, not the page: the page waits until the host responds again.
    if (pace.isFailing) this.#busy.delete(key);
    else if (tries + 1 < MAX_TRIES) this.#visits.push({ kind: 'again', key });
    else return false;
    return true;
  }

  /** Writes the results since the last time. */
  #write(): void {
    const visits = this.#visits;
    if (visits.length === 0) return;
    this.#visits = [];
    this.#options.run.record(visits, this.#parts.classify);
    for (const visit of visits) this.#busy.delete(visit.kind === 'fetched' ? visit.page.key : visit.key);
  }

  #wakeUp(error?: unknown): void {
    if (error !== undefined && !this.#options.signal.aborted) this.#failure ??= { error };
    this.#wake.call();
  }
}
