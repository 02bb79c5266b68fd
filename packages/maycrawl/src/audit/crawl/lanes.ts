/**
 * What is under way in a crawl: for each host a lane of requests, as wide and as fast as its pace, and one writer of what came of
 * them. Nothing is asked for twice: what was taken is busy until it is written down.
 *
 * @module
 */
import { originOf } from '@maycrawl/client/origins';
import type { Classify, Visit, Waiting } from '../run/run-store.ts';
import type { RunEnd } from '../run/settings.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { Gate, Site } from './gate.ts';
import { HostPace } from './pace.ts';
import { type Fetched, NoAnswer, type PageClient } from './page-client.ts';
import type { SitemapLane } from './sitemap-lane.ts';
import { readVisit, retryAfterOf } from './visit.ts';

/** How often a page is asked for in vain, the first time included. */
const MAX_TRIES = 3;
/** Hosts that are asked at the same time, and requests to all of them together. */
const MAX_HOSTS = 64;
const MAX_REQUESTS = 512;
/** URLs of a host that are taken out of the tables at once. */
const TAKEN = 200;

/** How long it is waited for other workers, who may die and leave their hosts, in milliseconds. */
const OTHERS_PAUSE = 1_000;

/** A host, and what of it is next. */
interface Lane {
  readonly pace: HostPace;
  next: Waiting[];
  /** Whether its robots.txt is being asked for. */
  isAsking: boolean;
  /** Whether it is being tried whether it answers. */
  isProbing: boolean;
}

interface Parts {
  readonly gate: Gate;
  readonly client: PageClient;
  readonly sitemaps: SitemapLane;
  readonly classify: Classify;
}

/** The lanes of a crawl. */
export class Lanes {
  readonly #options: CrawlOptions;
  readonly #parts: Parts;
  readonly #lanes: Map<string, Lane> = new Map();
  /** Keys of URLs that were taken, and about which nothing is written yet. */
  readonly #busy: Set<number> = new Set();
  #visits: Visit[] = [];
  #underWay = 0;
  #failure: { readonly error: unknown } | undefined;
  /** Whether something has happened since it was last waited for. */
  #hasNews = false;
  #wake: () => void = () => {};

  constructor(options: CrawlOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Crawls until nothing waits, or nothing more may be asked for. */
  async crawl(): Promise<RunEnd['why']> {
    const { run, signal, onProgress } = this.#options;
    const onAbort = (): void => {
      this.#parts.client.giveUp(signal.reason);
      this.#news();
    };
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        await this.#write();
        if (this.#failure !== undefined) throw this.#failure.error;
        if (!signal.aborted) this.#parts.sitemaps.start((error) => this.#news(error));
        const pause = signal.aborted || (await this.#isFull()) ? null : await this.#startWhatMay();
        onProgress?.({ counts: await run.counts('soon'), underWay: this.#underWay });
        if (this.#visits.length > 0) continue;
        const isIdle = this.#underWay === 0 && pause === null && !this.#parts.sitemaps.isRunning;
        const isForOthers = isIdle && !signal.aborted && (await run.othersWork());
        if (isIdle && !isForOthers) return await this.#end();
        await this.#somethingHappens(isForOthers ? OTHERS_PAUSE : pause);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #end(): Promise<RunEnd['why']> {
    if (this.#options.signal.aborted) return 'interrupted';
    const { waiting } = await this.#options.run.counts();
    if (waiting === 0) return 'complete';
    return (await this.#isFull()) ? 'max-pages' : 'no-answers';
  }

  async #isFull(): Promise<boolean> {
    const { run, settings } = this.#options;
    if (settings.maxPages === null) return false;
    return (await run.counts('soon')).asked + this.#underWay >= settings.maxPages;
  }

  /**
   * Starts requests wherever that may be.
   *
   * @returns milliseconds after which there is one that may be started; `null` if there is none, whatever time passes.
   */
  async #startWhatMay(): Promise<number | null> {
    const { run, settings } = this.#options;
    let soonest: number | null = null;
    const isShort = this.#lanes.size === 0 || [...this.#lanes.values()].some(({ next }) => next.length === 0);
    const hosts = new Set(isShort ? await run.claimHosts(MAX_HOSTS, this.#options.now()) : []);
    for (const host of hosts) this.#laneOf(host);
    const full = settings.maxPages === null ? Number.POSITIVE_INFINITY : settings.maxPages;
    const { asked } = await run.counts('soon');
    for (const [host, lane] of this.#lanes) {
      if (lane.next.length === 0 && hosts.has(host)) lane.next = await run.waiting(host, TAKEN, this.#busy);
      for (;;) {
        const [waiting] = lane.next;
        if (waiting === undefined || lane.isAsking || lane.pace.isDown) break;
        if (await this.#isTooDeep(waiting)) {
          this.#visits.push({ kind: 'deep', key: waiting.key });
          this.#busy.add(waiting.key);
          lane.next.shift();
          continue;
        }
        const origin = originOf(waiting.url);
        const site = this.#parts.gate.known(origin);
        if (site === undefined) {
          this.#askFor(origin, lane);
          break;
        }
        if (site.mayFetch(waiting.url)) {
          if (this.#underWay >= MAX_REQUESTS || asked + this.#underWay >= full) return soonest;
          const pause = lane.pace.wait(performance.now());
          if (pause !== 0) {
            if (pause !== null) soonest = Math.min(soonest ?? pause, pause);
            break;
          }
          if (lane.pace.isFailing) {
            // Only when it answers again.
            if (!lane.isProbing) this.#probe(origin, lane);
            break;
          }
          this.#ask(waiting, lane);
        } else this.#visits.push({ kind: 'blocked', key: waiting.key });
        this.#busy.add(waiting.key);
        lane.next.shift();
      }
    }
    return soonest;
  }

  #laneOf(host: string): Lane {
    let lane = this.#lanes.get(host);
    if (lane === undefined) {
      const { concurrency, spacing } = this.#options;
      lane = { pace: new HostPace({ concurrency, spacing }), next: [], isAsking: false, isProbing: false };
      // A lane that has nothing to do makes room.
      for (const [name, { next, pace }] of this.#lanes)
        if (this.#lanes.size >= MAX_HOSTS && next.length === 0 && pace.isIdle) this.#lanes.delete(name);
      this.#lanes.set(host, lane);
    }
    return lane;
  }

  /** Asks a site for its robots.txt. */
  #askFor(origin: string, lane: Lane): void {
    const { signal, obeysCrawlDelay } = this.#options;
    const { gate, sitemaps } = this.#parts;
    const onSite = async (site: Site): Promise<void> => {
      if (obeysCrawlDelay) lane.pace.spaceBy(site.crawlDelay);
      await sitemaps.addOf(origin, site);
    };
    lane.isAsking = true;
    this.#underWay++;
    gate
      .site(origin, signal)
      .then(onSite)
      .then(
        () => this.#news(),
        (error: unknown) => this.#news(error),
      )
      .finally(() => {
        lane.isAsking = false;
        this.#underWay--;
      });
  }

  /** Whether no start is near enough, and no sitemap names it. */
  async #isTooDeep({ key, depth }: Waiting): Promise<boolean> {
    const { run, settings } = this.#options;
    if (settings.maxDepth === null || (depth !== null && depth <= settings.maxDepth)) return false;
    return (await run.sitemapsOf(key)).length === 0;
  }

  /** Asks a host that does not answer for what it has answered before: is it the host, or are it the pages? */
  #probe(origin: string, lane: Lane): void {
    const { pace } = lane;
    const start = performance.now();
    lane.isProbing = true;
    pace.start(start);
    this.#underWay++;
    this.#parts.client
      .fetch(`${origin}/robots.txt`)
      .then(
        ({ status, answeredIn }) => ({
          milliseconds: answeredIn,
          isTrouble: status === 429 || status === 503,
        }),
        () => ({ milliseconds: performance.now() - start, isTrouble: true }),
      )
      .then((ended) => {
        pace.end(performance.now(), { ...ended, retryAfter: null });
        lane.isProbing = false;
        this.#underWay--;
        this.#news();
      });
  }

  /** Asks for a page. */
  #ask(waiting: Waiting, { pace }: Lane): void {
    const { now } = this.#options;
    const at = now();
    pace.start(performance.now());
    this.#underWay++;
    this.#parts.client
      .fetch(waiting.url)
      .then(
        (fetched) => this.#answered(waiting, at, fetched, pace),
        (error: unknown) => this.#unanswered(waiting, at, error, pace),
      )
      .then(
        () => this.#news(),
        (error: unknown) => this.#news(error),
      )
      .finally(() => {
        this.#underWay--;
      });
  }

  #answered(waiting: Waiting, at: number, fetched: Fetched, pace: HostPace): void {
    const { url, key, depth, hops } = waiting;
    const { status, answeredIn, milliseconds, body } = fetched;
    const isTrouble = status === 429 || status === 503;
    const retryAfter = isTrouble ? retryAfterOf(fetched, at) : null;
    pace.end(performance.now(), { milliseconds: answeredIn, isTrouble, retryAfter });
    if (isTrouble && this.#isTriedAgain(waiting, pace)) return;
    const { outcome, named } = readVisit(url, fetched);
    const page = { key, at, milliseconds: Math.round(milliseconds * 10) / 10, bytes: body.length, outcome };
    this.#visits.push({ kind: 'asked', page, depth, hops, named });
  }

  #unanswered(waiting: Waiting, at: number, error: unknown, pace: HostPace): void {
    const { key, depth, hops } = waiting;
    if (!(error instanceof NoAnswer)) {
      // Given up, with the whole crawl.
      if (this.#options.signal.aborted) return;
      throw error;
    }
    const { code, message } = error;
    const isTrouble = code !== 'private-address';
    const milliseconds = this.#options.now() - at;
    pace.end(performance.now(), { milliseconds, isTrouble, retryAfter: null });
    if (isTrouble && this.#isTriedAgain(waiting, pace)) return;
    const outcome = { kind: 'failure', code, detail: message } as const;
    this.#visits.push({
      kind: 'asked',
      page: { key, at, milliseconds, bytes: 0, outcome },
      depth,
      hops,
      named: [],
    });
  }

  /** Whether a page that was not had for trouble with its host stays waiting. */
  #isTriedAgain({ key, tries }: Waiting, pace: HostPace): boolean {
    // It is nothing that the page has done: it waits for better times.
    if (pace.isFailing) this.#busy.delete(key);
    else if (tries + 1 < MAX_TRIES) this.#visits.push({ kind: 'again', key });
    else return false;
    return true;
  }

  /** Writes down what came of URLs since the last time. */
  async #write(): Promise<void> {
    const visits = this.#visits;
    if (visits.length === 0) return;
    this.#visits = [];
    await this.#options.run.record(visits, this.#parts.classify);
    for (const visit of visits) this.#busy.delete(visit.kind === 'asked' ? visit.page.key : visit.key);
  }

  #news(error?: unknown): void {
    if (error !== undefined && !this.#options.signal.aborted) this.#failure ??= { error };
    this.#hasNews = true;
    this.#wake();
  }

  /** Waits for news, or for some time. */
  #somethingHappens(milliseconds: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === null ? undefined : setTimeout(() => this.#wake(), milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        this.#hasNews = false;
        // After all that has come at the same time, which is written at once.
        setImmediate(resolve);
      };
      if (this.#hasNews) this.#wake();
    });
  }
}
