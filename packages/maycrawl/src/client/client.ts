/**
 * The client for crawlers: may this URL be fetched, whatever the weather? It asks each origin for its robots.txt once, keeps the
 * answer as long as it holds, and does in an outage what the profile says (weather.ts).
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import {
  type CrawlerLike,
  decideWithoutFile,
  GOOGLE,
  type Profile,
  parse,
  type RobotsTxt,
  type Ruleset,
  robotsTxtUrl,
  type Verdict,
} from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { refetchRobotsTxt } from '../fetch/http.ts';
import type { AnswerHeaders, Outcome, Unchanged, Validators } from '../fetch/outcome.ts';
import {
  type Failure,
  type GoodAnswer,
  NO_HISTORY,
  type OriginHistory,
  withAnswer,
  withFailure,
} from '../store/history.ts';
import { MemoryStore } from '../store/memory.ts';
import type { RobotsStore } from '../store/store.ts';
import { lifetimeOf, retryTimeOf } from './freshness.ts';
import { type Ruling, ruleOn, type Weather, weatherOf } from './weather.ts';

/** Fetches a robots.txt; `refetchRobotsTxt` unless a caller has another way. */
export type Fetcher = (
  url: string,
  validators: Validators,
  options: { readonly profile: Profile; readonly userAgent: string; readonly timeout: number },
) => Promise<Outcome | Unchanged>;

/** Something that a client did, for logs and metrics. */
export type ClientEvent =
  | { readonly kind: 'fetched'; readonly origin: string; readonly outcome: Outcome['kind'] | 'unchanged' }
  /** Asking again behind the back of a caller did not work on this machine. */
  | { readonly kind: 'refresh-failed'; readonly origin: string; readonly error: unknown }
  /** The store could not be used: the client goes on with what it knows itself. */
  | { readonly kind: 'store-failed'; readonly origin: string; readonly error: unknown };

export interface ClientOptions {
  /** Whom to decide for: a product token, several, or a crawler with fallbacks. */
  readonly crawler: CrawlerLike;
  /** The User-Agent header. It must contain the product token, so that site owners can name it. */
  readonly userAgent: string;
  /** `GOOGLE` if left out. */
  readonly profile?: Profile;
  /** Where answers are kept; in the memory of this process if left out. The caller closes it. */
  readonly store?: RobotsStore;
  /** Milliseconds for one fetch, redirects included; 30,000 if left out. */
  readonly timeout?: number;
  /**
   * So long an answer that is no longer fresh may still be used while it is asked for again behind the caller's back, in
   * milliseconds; 0 if left out: callers wait.
   */
  readonly staleWhileRevalidate?: number;
  /** Whether other pages of a site can be fetched, where that is known: it counts in outages of more than thirty days. */
  readonly isSiteReachable?: (origin: string) => boolean | undefined;
  readonly onEvent?: (event: ClientEvent) => void;
  readonly fetcher?: Fetcher;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
  /** Waits for so many milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** How many origins are kept parsed in the process. */
const MAX_PARSED = 10_000;
const MAX_PARSED_BYTES = 128 * 1024 * 1024;
/** How often a process looks whether another one has fetched. Milliseconds. */
const POLL_INTERVAL = 100;
/** A lease is longer than a fetch may take, by so much. Milliseconds. */
const LEASE_MARGIN = 5_000;

/** What is known of an origin, as this process has it. */
interface Known {
  readonly history: OriginHistory;
  /** The file, if the last good answer was one. */
  readonly robots: RobotsTxt | undefined;
  /** The rules of the client's crawler in it. */
  readonly ruleset: Ruleset | undefined;
}

/** What is known of an origin, and what follows from it now. */
interface Held {
  readonly known: Known;
  readonly ruling: Ruling;
}

/** How long a caller waits. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** A verdict about one of many URLs, or why there is none. */
export type UrlVerdict =
  | { readonly url: string; readonly verdict: Verdict }
  | { readonly url: string; readonly error: unknown };

/** What a fetch changes. */
type Change = { readonly answer: GoodAnswer } | { readonly failure: Failure };

/** What holds for an origin now. */
export interface OriginState {
  readonly origin: string;
  /** `rules`: the file decides; `absent`: there is none; `unreachable`, `outage-allows`: an outage decides. */
  readonly use: 'rules' | 'absent' | 'unreachable' | 'outage-allows';
  /** The file that decides; `null` where none does. */
  readonly robots: RobotsTxt | null;
  readonly history: OriginHistory;
  /** When it will be asked again, in milliseconds since 1970. */
  readonly askAt: number;
}

/** Decides for one crawler, about the URLs of any site. */
export class RobotsClient {
  readonly #options: Required<Omit<ClientOptions, 'crawler' | 'onEvent' | 'isSiteReachable'>> &
    Pick<ClientOptions, 'crawler' | 'onEvent' | 'isSiteReachable'>;
  readonly #weather: Weather;
  readonly #known: LRUCache<string, Known>;
  /** Fetches under way, by origin. */
  readonly #flights: Map<string, Promise<Known>> = new Map();
  /** The name by which this client takes leases. */
  readonly #name: string = randomUUID();

  /**
   * @throws {RangeError} if the User-Agent header does not contain a product token of the crawler: then no site owner could
   *   find out how to name it.
   */
  constructor(options: ClientOptions) {
    const { crawler, userAgent } = options;
    const tokens = typeof crawler === 'string' ? [crawler] : 'tokens' in crawler ? crawler.tokens : crawler;
    if (!tokens.some((token) => userAgent.toLowerCase().includes(token.toLowerCase()))) {
      throw new RangeError(
        `the User-Agent header "${userAgent}" does not contain "${tokens.join('" or "')}"`,
      );
    }
    this.#options = {
      profile: GOOGLE,
      store: new MemoryStore(),
      timeout: 30_000,
      staleWhileRevalidate: 0,
      fetcher: refetchRobotsTxt,
      now: Date.now,
      sleep: (milliseconds) => sleepFor(milliseconds),
      ...options,
    };
    this.#weather = weatherOf(this.#options.profile);
    this.#known = new LRUCache({
      max: MAX_PARSED,
      maxSize: MAX_PARSED_BYTES,
      sizeCalculation: ({ robots, ruleset }) =>
        500 + (robots?.sizeInBytes ?? 0) + (ruleset?.sizeInBytes ?? 0),
    });
  }

  /**
   * Decides whether the crawler may fetch `url`, asking its site for the robots.txt if that is not known.
   *
   * @throws {RangeError} if `url` is no absolute http or https URL.
   * @throws the signal's reason if the caller aborts. Others who wait for the same site go on waiting.
   */
  async decide(url: string, { signal }: WaitOptions = {}): Promise<Verdict> {
    return this.#decideIn(await this.#holds(originOf(url), signal), url);
  }

  /**
   * Decides about many URLs of many sites, each of which is asked once. Sites come as they answer, the URLs of one in their
   * order.
   *
   * @param concurrency - how many sites are asked at the same time; 64 if left out.
   * @throws the signal's reason if the caller aborts.
   */
  async *decideAll(
    urls: Iterable<string>,
    { concurrency = 64, signal }: WaitOptions & { readonly concurrency?: number } = {},
  ): AsyncGenerator<UrlVerdict> {
    const byOrigin = new Map<string, string[]>();
    for (const url of urls) {
      try {
        const origin = originOf(url);
        const others = byOrigin.get(origin);
        if (others === undefined) byOrigin.set(origin, [url]);
        else others.push(url);
      } catch (error) {
        yield { url, error };
      }
    }
    type Site = {
      readonly origin: string;
      readonly urls: readonly string[];
      readonly held: Held | undefined;
      readonly error?: unknown;
    };
    const pending = new Map<string, Promise<Site>>();
    const ask = async (origin: string, own: readonly string[]): Promise<Site> => {
      try {
        return { origin, urls: own, held: await this.#holds(origin, signal) };
      } catch (error) {
        return { origin, urls: own, held: undefined, error };
      }
    };
    const waiting = byOrigin.entries();
    for (;;) {
      while (pending.size < concurrency) {
        const next = waiting.next();
        if (next.done) break;
        pending.set(next.value[0], ask(...next.value));
      }
      if (pending.size === 0) return;
      const site = await Promise.race(pending.values());
      signal?.throwIfAborted();
      pending.delete(site.origin);
      for (const url of site.urls) {
        yield site.held === undefined
          ? { url, error: site.error }
          : { url, verdict: this.#decideIn(site.held, url) };
      }
    }
  }

  /**
   * What holds for the site of `url`: its file, or why there is none.
   *
   * @throws as {@link decide} does.
   */
  async robots(url: string, { signal }: WaitOptions = {}): Promise<OriginState> {
    const origin = originOf(url);
    const { known, ruling } = await this.#holds(origin, signal);
    const use = useOf(known, ruling);
    const robots = use === 'rules' ? (known.robots ?? null) : null;
    return { origin, use, robots, history: known.history, askAt: ruling.askAt };
  }

  /** The sitemaps that the site of `url` names, as they are written. @throws as {@link decide} does. */
  async sitemaps(url: string, options?: WaitOptions): Promise<string[]> {
    const { robots } = await this.robots(url, options);
    return robots?.sitemaps().map(({ text }) => text) ?? [];
  }

  /** Seconds between requests that the site of `url` asks the crawler for, or `null`. @throws as {@link decide} does. */
  async crawlDelay(url: string, options?: WaitOptions): Promise<number | null> {
    const { robots } = await this.robots(url, options);
    return robots?.ruleset(this.#options.crawler).crawlDelay ?? null;
  }

  #decideIn({ known, ruling }: Held, url: string): Verdict {
    const { crawler, profile } = this.#options;
    const use = useOf(known, ruling);
    if (use === 'rules' && known.ruleset !== undefined) return known.ruleset.decide(url);
    return decideWithoutFile(use === 'rules' ? 'absent' : use, crawler, url, { profile });
  }

  /** What is known of an origin that holds now; it is asked if that is due. */
  async #holds(origin: string, signal?: AbortSignal): Promise<Held> {
    signal?.throwIfAborted();
    let known = this.#known.get(origin);
    let ruling = this.#rule(origin, known?.history ?? NO_HISTORY);
    if (known === undefined || this.#isDue(ruling)) {
      const flight = this.#singleFlight(origin);
      if (known !== undefined && this.#isUsableMeanwhile(known, ruling)) {
        // Nobody waits for it; the next caller will see what came of it, and ask again if it failed.
        flight.catch((error: unknown) => this.#options.onEvent?.({ kind: 'refresh-failed', origin, error }));
      } else {
        known = await (signal === undefined ? flight : unlessAborted(flight, signal));
        ruling = this.#rule(origin, known.history);
      }
    }
    return { known, ruling };
  }

  #isUsableMeanwhile({ history }: Known, { use }: Ruling): boolean {
    const { now, staleWhileRevalidate } = this.#options;
    if (use !== 'answer' || history.outage !== null || history.answer === null) return false;
    return now() < history.answer.freshUntil + staleWhileRevalidate;
  }

  #isDue({ askAt, isFresh }: Ruling): boolean {
    return !isFresh && askAt <= this.#options.now();
  }

  #rule(origin: string, history: OriginHistory): Ruling {
    const { now, isSiteReachable } = this.#options;
    const reachable = isSiteReachable?.(origin);
    const circumstances = { now: now(), jitter: jitterOf(origin) };
    const more = reachable === undefined ? circumstances : { ...circumstances, isSiteReachable: reachable };
    return ruleOn(this.#weather, history, more);
  }

  /** Asks an origin once, however many wait for it. */
  #singleFlight(origin: string): Promise<Known> {
    let flight = this.#flights.get(origin);
    if (flight === undefined) {
      flight = this.#refresh(origin).finally(() => this.#flights.delete(origin));
      this.#flights.set(origin, flight);
    }
    return flight;
  }

  /** What the store knows, or else what the origin answers. Whoever shares the store asks it only once, too. */
  async #refresh(origin: string): Promise<Known> {
    let history: OriginHistory | undefined;
    try {
      history = await this.#historyOrLease(origin);
      if (history !== undefined) return this.#remember(origin, history);
      // Somebody may have asked between the look and the lease.
      history = (await this.#options.store.get(origin)) ?? NO_HISTORY;
    } catch (error) {
      // Without the store it goes on with what this process knows, and on its own.
      this.#tellStoreFailed(origin, error);
      history = this.#known.get(origin)?.history ?? NO_HISTORY;
    }
    try {
      if (!this.#isDue(this.#rule(origin, history))) return this.#remember(origin, history);
      const change = await this.#ask(origin, history);
      return this.#remember(origin, await this.#keep(origin, history, change));
    } finally {
      await this.#options.store
        .release(origin, this.#name)
        .catch((error: unknown) => this.#tellStoreFailed(origin, error));
    }
  }

  /** What the store knows, if the origin need not be asked; `undefined` when this client has the lease to ask. */
  async #historyOrLease(origin: string): Promise<OriginHistory | undefined> {
    const { store, now, sleep, timeout } = this.#options;
    for (;;) {
      const history = (await store.get(origin)) ?? NO_HISTORY;
      if (!this.#isDue(this.#rule(origin, history))) return history;
      const until = now() + timeout + LEASE_MARGIN;
      if (await store.lease(origin, this.#name, until, now())) return undefined;
      await sleep(POLL_INTERVAL);
    }
  }

  /** Keeps what an origin answered, in the store if that can be. */
  async #keep(origin: string, history: OriginHistory, change: Change): Promise<OriginHistory> {
    const { store } = this.#options;
    try {
      return 'answer' in change
        ? await store.putAnswer(origin, change.answer)
        : await store.recordFailure(origin, change.failure);
    } catch (error) {
      this.#tellStoreFailed(origin, error);
      return 'answer' in change ? withAnswer(change.answer) : withFailure(history, change.failure);
    }
  }

  #tellStoreFailed(origin: string, error: unknown): void {
    this.#options.onEvent?.({ kind: 'store-failed', origin, error });
  }

  /** Asks an origin. */
  async #ask(origin: string, { answer }: OriginHistory): Promise<Change> {
    const { fetcher, profile, userAgent, timeout, now, onEvent } = this.#options;
    const validators = { etag: answer?.etag ?? null, lastModified: answer?.lastModified ?? null };
    const outcome = await fetcher(`${origin}/robots.txt`, validators, { profile, userAgent, timeout });
    onEvent?.({ kind: 'fetched', origin, outcome: outcome.kind });
    const at = now();
    const status = outcome.hops.at(-1)?.status ?? null;
    if (outcome.kind === 'unreachable') {
      const { code, reason, headers } = outcome;
      return { failure: { at, code, status, reason, retryAt: retryTimeOf(headers?.retryAfter ?? null, at) } };
    }
    const times = { fetchedAt: at, freshUntil: at + lifetimeOf(outcome.headers ?? NO_HEADERS) };
    if (outcome.kind === 'unchanged') {
      if (answer === null) throw new TypeError(`${origin} confirms a copy that there is not`);
      return { answer: { ...answer, ...times } };
    }
    return { answer: { ...goodAnswerOf(outcome), ...times, status } };
  }

  #remember(origin: string, history: OriginHistory): Known {
    const before = this.#known.get(origin);
    const isSame = before?.history.answer?.fetchedAt === history.answer?.fetchedAt;
    const { profile, crawler } = this.#options;
    let known: Known = { history, robots: before?.robots, ruleset: before?.ruleset };
    if (before === undefined || !isSame) {
      const isFile = history.answer?.kind === 'found';
      const robots = isFile
        ? parse(history.answer.bytes, { profile, url: `${origin}/robots.txt` })
        : undefined;
      known = { history, robots, ruleset: robots?.ruleset(crawler) };
    }
    this.#known.set(origin, known);
    return known;
  }
}

const NO_HEADERS: AnswerHeaders = {
  cacheControl: null,
  expires: null,
  date: null,
  age: null,
  etag: null,
  lastModified: null,
  retryAfter: null,
};

function goodAnswerOf(outcome: Outcome): Omit<GoodAnswer, 'fetchedAt' | 'freshUntil' | 'status'> {
  if (outcome.kind !== 'found') {
    const { code, reason } = outcome;
    return { kind: 'absent', bytes: new Uint8Array(0), code, reason, etag: null, lastModified: null };
  }
  const { bytes, headers } = outcome;
  return {
    kind: 'found',
    bytes,
    code: null,
    reason: null,
    etag: headers?.etag ?? null,
    lastModified: headers?.lastModified ?? null,
  };
}

function useOf({ robots }: Known, { use }: Ruling): OriginState['use'] {
  if (use === 'answer') return robots === undefined ? 'absent' : 'rules';
  return use === 'allow-all' ? 'outage-allows' : 'unreachable';
}

/** The same promise, but rejected when the signal comes first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The origin of a URL. @throws {RangeError} if it has none. */
function originOf(url: string): string {
  const robotsTxt = robotsTxtUrl(url);
  if (!/^https?:/.test(robotsTxt)) throw new RangeError(`not an absolute http or https URL: ${url}`);
  return robotsTxt.slice(0, -'/robots.txt'.length);
}

/** A number from 0 to 1 that is always the same for an origin: two looks at the same outage must not differ. */
function jitterOf(origin: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < origin.length; at++) hash = Math.imul(hash ^ origin.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
