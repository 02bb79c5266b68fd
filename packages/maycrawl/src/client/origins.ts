/**
 * What holds for origins: each is asked for its robots.txt once, the answer is kept as long as it holds, and an outage means what
 * the profile says (weather.ts). Knows nothing of crawlers.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { GOOGLE, type Profile, parse, type RobotsTxt } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { refetchRobotsTxt } from '../fetch/fetch.ts';
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
  options: {
    readonly profile: Profile;
    readonly userAgent: string;
    readonly timeout: number;
    readonly publicOnly: boolean;
    readonly believesNotFound: boolean;
    readonly mayFollow: (url: string) => Promise<boolean>;
  },
) => Promise<Outcome | Unchanged>;

/** Something that a client did, for logs and metrics. */
export type ClientEvent =
  | { readonly kind: 'fetched'; readonly origin: string; readonly outcome: Outcome['kind'] | 'unchanged' }
  /** Asking again behind the back of a caller did not work on this machine. */
  | { readonly kind: 'refresh-failed'; readonly origin: string; readonly error: unknown }
  /** The store could not be used: the client goes on with what it knows itself. */
  | { readonly kind: 'store-failed'; readonly origin: string; readonly error: unknown };

/** How origins are asked. */
export interface OriginsOptions {
  /** The User-Agent header. */
  readonly userAgent: string;
  /** Connect to addresses of the public Internet alone (fetch/guard.ts). */
  readonly publicOnly?: boolean;
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
  /** Whether a redirect may lead to a URL, by the rules of its site; always if left out. */
  readonly mayFollow?: (url: string, robots: RobotsTxt) => boolean;
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
}

/** What holds for an origin now. */
export interface OriginState {
  readonly origin: string;
  /**
   * `rules`: the file decides; `absent`: there is none; `unreachable`, `outage-allows`: an outage decides; `unknown`: it was
   * never asked, which can only be where it must not be.
   */
  readonly use: 'rules' | 'absent' | 'unreachable' | 'outage-allows' | 'unknown';
  /** The last file that was found; `null` if there is none. */
  readonly robots: RobotsTxt | null;
  readonly history: OriginHistory;
  /** When it will be asked again, in milliseconds since 1970. */
  readonly askAt: number;
}

/** How long a caller waits. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** What a fetch changes. */
type Change = { readonly answer: GoodAnswer } | { readonly failure: Failure };

type Optional = 'onEvent' | 'isSiteReachable' | 'mayFollow';

/** Asks origins, and keeps what they answer. */
export class Origins {
  readonly #options: Required<Omit<OriginsOptions, Optional>> & Pick<OriginsOptions, Optional>;
  readonly #weather: Weather;
  readonly #known: LRUCache<string, Known>;
  /** Fetches under way, by origin. */
  readonly #flights: Map<string, Promise<Known>> = new Map();
  /** The name by which leases are taken. */
  readonly #name: string = randomUUID();

  constructor(options: OriginsOptions) {
    this.#options = {
      profile: GOOGLE,
      store: new MemoryStore(),
      timeout: 30_000,
      publicOnly: false,
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
      sizeCalculation: ({ robots }) => 500 + (robots?.sizeInBytes ?? 0),
    });
  }

  /**
   * What holds for an origin now; it is asked if that is due.
   *
   * @param manner - `fresh`: it is asked in any case; `offline`: it is not asked, whatever is known.
   * @throws the signal's reason if the caller aborts. Others who wait for the same origin go on waiting.
   */
  async holds(
    origin: string,
    { signal, manner = 'usual' }: WaitOptions & { readonly manner?: 'usual' | 'fresh' | 'offline' } = {},
  ): Promise<OriginState> {
    signal?.throwIfAborted();
    let known = this.#known.get(origin);
    if (manner === 'offline') {
      known ??= this.#remember(origin, (await this.#options.store.get(origin)) ?? NO_HISTORY);
      return this.#stateOf(origin, known);
    }
    const ruling = this.#rule(origin, known?.history ?? NO_HISTORY);
    if (known === undefined || manner === 'fresh' || this.#isDue(ruling)) {
      const flight = this.#singleFlight(origin, manner === 'fresh');
      if (known !== undefined && manner === 'usual' && this.#isUsableMeanwhile(known, ruling)) {
        // Nobody waits for it; the next caller will see what came of it, and ask again if it failed.
        flight.catch((error: unknown) => this.#options.onEvent?.({ kind: 'refresh-failed', origin, error }));
      } else {
        known = await (signal === undefined ? flight : unlessAborted(flight, signal));
      }
    }
    return this.#stateOf(origin, known);
  }

  #stateOf(origin: string, known: Known): OriginState {
    const ruling = this.#rule(origin, known.history);
    const { history, robots = null } = known;
    return { origin, use: useOf(known, ruling), robots, history, askAt: ruling.askAt };
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
  #singleFlight(origin: string, isForced: boolean): Promise<Known> {
    let flight = this.#flights.get(origin);
    if (flight === undefined) {
      flight = this.#refresh(origin, isForced).finally(() => this.#flights.delete(origin));
      this.#flights.set(origin, flight);
    }
    return flight;
  }

  /** What the store knows, or else what the origin answers. Whoever shares the store asks it only once, too. */
  async #refresh(origin: string, isForced: boolean): Promise<Known> {
    let history: OriginHistory | undefined;
    try {
      history = await this.#historyOrLease(origin, isForced);
      if (history !== undefined) return this.#remember(origin, history);
      // Somebody may have asked between the look and the lease.
      history = (await this.#options.store.get(origin)) ?? NO_HISTORY;
    } catch (error) {
      // Without the store it goes on with what this process knows, and on its own.
      this.#tellStoreFailed(origin, error);
      history = this.#known.get(origin)?.history ?? NO_HISTORY;
    }
    try {
      if (!isForced && !this.#isDue(this.#rule(origin, history))) return this.#remember(origin, history);
      const change = await this.#ask(origin, history);
      return this.#remember(origin, await this.#keep(origin, history, change));
    } finally {
      await this.#options.store
        .release(origin, this.#name)
        .catch((error: unknown) => this.#tellStoreFailed(origin, error));
    }
  }

  /** What the store knows, if the origin need not be asked; `undefined` when this client has the lease to ask. */
  async #historyOrLease(origin: string, isForced: boolean): Promise<OriginHistory | undefined> {
    const { store, now, sleep, timeout } = this.#options;
    for (;;) {
      const history = (await store.get(origin)) ?? NO_HISTORY;
      if (!isForced && !this.#isDue(this.#rule(origin, history))) return history;
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
    const { fetcher, profile, userAgent, timeout, publicOnly, now, onEvent } = this.#options;
    const validators = { etag: answer?.etag ?? null, lastModified: answer?.lastModified ?? null };
    const outcome = await fetcher(`${origin}/robots.txt`, validators, {
      profile,
      userAgent,
      timeout,
      publicOnly,
      believesNotFound: this.#weather.notFoundBody === 'absent',
      mayFollow: (url) => this.#mayFollow(url),
    });
    onEvent?.({ kind: 'fetched', origin, outcome: outcome.kind });
    const at = now();
    const { hops, timings } = outcome;
    const status = hops.at(-1)?.status ?? null;
    if (outcome.kind === 'unreachable') {
      const { code, reason, headers } = outcome;
      const retryAt = retryTimeOf(headers?.retryAfter ?? null, at);
      return { failure: { at, code, status, reason, retryAt, hops, timings } };
    }
    const times = {
      hops,
      timings,
      fetchedAt: at,
      freshUntil: at + lifetimeOf(outcome.headers ?? NO_HEADERS),
    };
    if (outcome.kind === 'unchanged') {
      if (answer === null) throw new TypeError(`${origin} confirms a copy that there is not`);
      return { answer: { ...answer, ...times } };
    }
    return { answer: { ...goodAnswerOf(outcome), ...times, status } };
  }

  /** Whether a redirect may be followed, as far as the rules of its site are known. */
  async #mayFollow(url: string): Promise<boolean> {
    const { origin, pathname } = new URL(url);
    // Any robots.txt may be fetched (RFC 9309 section 2.2.2).
    if (this.#options.mayFollow === undefined || pathname === '/robots.txt') return true;
    const { use, robots } = await this.holds(origin, { manner: 'offline' });
    return use !== 'rules' || robots === null || this.#options.mayFollow(url, robots);
  }

  #remember(origin: string, history: OriginHistory): Known {
    const before = this.#known.get(origin);
    const isSame = before?.history.answer?.fetchedAt === history.answer?.fetchedAt;
    let known: Known = { history, robots: before?.robots };
    if (before === undefined || !isSame) {
      const isFile = history.answer?.kind === 'found';
      const options = { profile: this.#options.profile, url: `${origin}/robots.txt` };
      known = { history, robots: isFile ? parse(history.answer.bytes, options) : undefined };
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

function goodAnswerOf(
  outcome: Outcome,
): Omit<GoodAnswer, 'fetchedAt' | 'freshUntil' | 'status' | 'hops' | 'timings'> {
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
  if (use === 'ask') return 'unknown';
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

/** A number from 0 to 1 that is always the same for an origin: two looks at the same outage must not differ. */
function jitterOf(origin: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < origin.length; at++) hash = Math.imul(hash ^ origin.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
