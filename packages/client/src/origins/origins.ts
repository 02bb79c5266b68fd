/**
 * What holds for origins: each is asked for its robots.txt once, the answer is kept as long as it holds, and an outage means what
 * the profile says (weather.ts). Knows nothing of crawlers.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { GOOGLE, type Profile, parse, type RobotsTxt, resolveProfile } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { type AddressPolicy, createAddressPolicy } from '../http/address-policy.ts';
import { unlessAborted } from '../robots/abort.ts';
import { MAX_TIMEOUT, refetchRobotsTxt } from '../robots/fetch.ts';
import { isFromWrongClock, NO_HISTORY, type OriginHistory, sizeOfHistory } from '../robots/history.ts';
import { type Ruling, ruleOn, type Weather, weatherOf } from '../robots/outage-policy.ts';
import type { Outcome } from '../robots/outcome.ts';
import { MemoryStore } from '../store/memory.ts';
import type { RobotsStore } from '../store/store.ts';
import { ask, type Fetcher, isForAll } from './asking.ts';
import { changeBy, FailSafeStore, type News } from './fail-safe-store.ts';
import { Flights } from './flights.ts';
import { Leases } from './leases.ts';
import { requestHome, SiteChecks } from './site-check.ts';

/** Something that a client did, for logs and metrics. */
export type ClientEvent =
  | { readonly kind: 'fetched'; readonly origin: string; readonly outcome: Outcome['kind'] | 'unchanged' }
  /** Asking again behind the back of a caller did not work on this machine. */
  | { readonly kind: 'refresh-failed'; readonly origin: string; readonly error: unknown }
  /** The store could not be used: the client goes on with what it knows itself. */
  | { readonly kind: 'store-failed'; readonly origin: string; readonly error: unknown }
  /** Another client that shares the store is asking: this one waits for its answer. */
  | { readonly kind: 'waiting'; readonly origin: string };

/** How origins are asked. */
export interface OriginsOptions {
  /** The User-Agent header. */
  readonly userAgent: string;
  /**
   * Whether addresses may be connected to that are not of the public Internet: omitted, only for the origins that are asked for, and
   * nowhere that redirects or DNS responses lead to; `true`, always; `false`, never.
   */
  readonly allowPrivate?: boolean | undefined;
  /** Which addresses may be connected to, in place of `allowPrivate`: for callers whose URLs come from somewhere else. */
  readonly addressPolicy?: AddressPolicy | undefined;
  /** A profile, or the name of one. @defaultValue `GOOGLE` */
  readonly profile?: Profile | string;
  /** Where answers are kept; in the memory of this process if left out. The caller closes it. */
  readonly store?: RobotsStore;
  /** Milliseconds for one fetch, redirects included, up to an hour; 30,000 if left out. */
  readonly timeout?: number;
  /**
   * So long an answer that is no longer fresh may still be used while it is asked for again behind the caller's back, in
   * milliseconds; 0 if left out: callers wait.
   */
  readonly staleWhileRevalidate?: number;
  /**
   * Whether other pages of a site can be fetched: it counts in outages of more than thirty days. `undefined` means that it is not
   * known; then `/` is requested, as it is without this option.
   */
  readonly isSiteReachable?: (origin: string) => boolean | undefined;
  /** Whether a redirect may lead to a URL, by the rules of its site; always if left out. */
  readonly mayFollow?: (url: string, robots: RobotsTxt) => boolean;
  readonly onEvent?: (event: ClientEvent) => void;
  readonly fetcher?: Fetcher;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** How many origins are kept parsed in the process. */
const MAX_PARSED = 10_000;
const MAX_PARSED_BYTES = 128 * 1024 * 1024;
/** A client waits for the fetch of another for the time that a fetch may take, and this. Milliseconds. */
const WAIT_MARGIN = 5_000;

/** What is known of an origin, as this process has it. */
interface Known {
  readonly history: OriginHistory;
  /** The file, if the last good answer was one. */
  readonly robots: RobotsTxt | undefined;
  /** What holds as long as the answer is fresh, and since when that was known. It is the same object each time. */
  fresh?: { readonly state: OriginState; readonly since: number };
}

/** What the store knows, or that this client may ask: with the lease, or without one where there is none to be had. */
type Turn = { readonly known: Known } | { readonly owner: string | undefined };

/** What holds for an origin now. */
export interface OriginState {
  readonly origin: string;
  /**
   * `rules`: the file decides; `absent`: there is none; `unreachable`, `outage-expired`: an outage decides; `unknown`: it was
   * never asked, which can only be where it must not be.
   */
  readonly use: 'rules' | 'absent' | 'unreachable' | 'outage-expired' | 'unknown';
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

type Optional = 'allowPrivate' | 'addressPolicy' | 'onEvent' | 'isSiteReachable' | 'mayFollow';

/** Asks origins, and keeps what they answer. */
export class Origins {
  readonly #options: Required<Omit<OriginsOptions, Optional>> & Pick<OriginsOptions, Optional>;
  readonly #profile: Profile;
  readonly #weather: Weather;
  readonly #siteChecks: SiteChecks;
  readonly #known: LRUCache<string, Known>;
  /** Refreshes under way, by origin. */
  readonly #flights: Flights<Known> = new Flights();
  /** Fetches of the rules of sites to which redirects lead. They wait for no other fetch, so that redirects in a circle cannot block. */
  readonly #directFlights: Flights<OriginState> = new Flights();
  /** All refreshes that have not ended, also those that were given up. */
  readonly #running: Set<Promise<unknown>> = new Set();
  readonly #store: FailSafeStore;
  readonly #leases: Leases;

  /**
   * @throws {RangeError} for a `timeout` or `staleWhileRevalidate` that is not a time, and for an unknown profile.
   * @throws {TypeError} if `profile` is neither a name nor a profile, and for other options of the wrong type.
   */
  constructor(options: OriginsOptions) {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    this.#options = {
      profile: GOOGLE,
      store: new MemoryStore(),
      timeout: 30_000,
      staleWhileRevalidate: 0,
      fetcher: refetchRobotsTxt,
      now: Date.now,
      ...(Object.fromEntries(given) as unknown as OriginsOptions),
    };
    const { now: readClock } = this.#options;
    // Stores take whole milliseconds only.
    if (typeof readClock === 'function')
      this.#options = { ...this.#options, now: () => Math.floor(readClock()) };
    requireTypes(this.#options);
    const { timeout, staleWhileRevalidate, store, profile, now } = this.#options;
    if (!(timeout >= 1 && timeout <= MAX_TIMEOUT))
      throw new RangeError(`not a timeout in milliseconds: ${timeout}`);
    if (!(staleWhileRevalidate >= 0))
      throw new RangeError(`staleWhileRevalidate is a time in milliseconds, not ${staleWhileRevalidate}`);
    this.#profile = resolveProfile(profile);
    this.#weather = weatherOf(this.#profile);
    this.#siteChecks = new SiteChecks(
      (origin, signal) => requestHome(origin, this.#options.fetcher, this.#requestOptions(signal, [origin])),
      now,
    );
    this.#store = new FailSafeStore(store, (origin, error) =>
      this.#notify({ kind: 'store-failed', origin, error }),
    );
    this.#leases = new Leases(this.#store);
    this.#known = new LRUCache({
      max: MAX_PARSED,
      maxSize: MAX_PARSED_BYTES,
      sizeCalculation: ({ history, robots }) => 500 + sizeOfHistory(history) + (robots?.sizeInBytes ?? 0),
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
      known ??= this.#remember(origin, (await this.#store.get(origin)) ?? NO_HISTORY);
      return this.#stateOf(origin, known);
    }
    const ruling = this.#rule(origin, known?.history ?? NO_HISTORY);
    if (known === undefined || manner === 'fresh' || this.#isDue(ruling)) {
      if (known !== undefined && manner === 'usual' && this.#isUsableMeanwhile(known, ruling)) {
        // Nobody waits for it; the next caller will see what came of it, and ask again if it failed.
        this.#refreshed(origin, false).catch((error: unknown) =>
          this.#notify({ kind: 'refresh-failed', origin, error }),
        );
      } else known = await this.#refreshed(origin, manner === 'fresh', signal);
    }
    if (this.#rule(origin, known.history).needsSiteCheck) await this.#checkSite(origin, signal);
    return this.#stateOf(origin, known);
  }

  /** What holds for an origin now, if this process knows it and nobody need be asked. */
  known(origin: string): OriginState | undefined {
    const known = this.#known.get(origin);
    if (known === undefined) return undefined;
    const now = this.#options.now();
    const { fresh } = known;
    if (fresh !== undefined && fresh.since <= now && now < fresh.state.askAt) return fresh.state;
    const ruling = this.#rule(origin, known.history);
    if (this.#isDue(ruling) || ruling.needsSiteCheck) return undefined;
    const state = this.#stateOf(origin, known);
    if (ruling.isFresh) known.fresh = { state, since: now };
    return state;
  }

  /** Resolves when nothing is under way any more: then the store may be closed. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #stateOf(origin: string, known: Known): OriginState {
    const ruling = this.#rule(origin, known.history);
    const { history, robots = null } = known;
    return { origin, use: useOf(known, ruling), robots, history, askAt: ruling.askAt };
  }

  #isUsableMeanwhile({ history }: Known, { use }: Ruling): boolean {
    const { now, staleWhileRevalidate } = this.#options;
    if (use !== 'answer' || history.outage !== null || history.answer === null) return false;
    if (isFromWrongClock(history.answer.fetchedAt, now())) return false;
    return now() < history.answer.freshUntil + staleWhileRevalidate;
  }

  #isDue({ askAt, isFresh }: Ruling): boolean {
    return !isFresh && askAt <= this.#options.now();
  }

  #rule(origin: string, history: OriginHistory): Ruling {
    const { now, isSiteReachable: tell } = this.#options;
    const isSiteReachable = tell?.(origin) ?? this.#siteChecks.result(origin);
    return ruleOn(this.#weather, history, { now: now(), jitter: jitterOf(origin), isSiteReachable });
  }

  /** Finds out whether the site is otherwise reachable. If this machine cannot, that stays unknown. */
  async #checkSite(origin: string, signal?: AbortSignal): Promise<void> {
    const controller = new AbortController();
    const check = this.#track(this.#siteChecks.check(origin, controller.signal));
    try {
      await (signal === undefined ? check : unlessAborted(check, signal));
    } catch (error) {
      signal?.throwIfAborted();
      this.#notify({ kind: 'refresh-failed', origin, error });
    }
  }

  /** Counts a promise among what is under way. */
  #track<T>(promise: Promise<T>): Promise<T> {
    this.#running.add(promise);
    const end = (): boolean => this.#running.delete(promise);
    promise.then(end, end);
    return promise;
  }

  /** Calls the listener. What it throws, or rejects with, is its own fault, and must not fail a decision or end the process. */
  #notify(event: ClientEvent): void {
    try {
      const result: unknown = this.#options.onEvent?.(event);
      // A listener may be an async function.
      Promise.resolve(result).catch(warnOfListener);
    } catch (error) {
      warnOfListener(error);
    }
  }

  /** Refreshes an origin once, however many wait for it. When nobody waits any more, it is given up. */
  #refreshed(origin: string, isForced: boolean, signal?: AbortSignal): Promise<Known> {
    const refresh = (own: AbortSignal): Promise<Known> => this.#track(this.#refresh(origin, isForced, own));
    return this.#flights.join(origin, refresh, signal);
  }

  /** What the store knows, or else what the origin answers. Whoever shares the store asks it only once, too. */
  async #refresh(origin: string, isForced: boolean, signal: AbortSignal): Promise<Known> {
    const turn = await this.#waitForTurn(origin, isForced, signal);
    if ('known' in turn) return turn.known;
    const { owner } = turn;
    let isLeased = owner !== undefined;
    try {
      // Somebody may have asked between the look and the lease.
      const history = await this.#read(origin);
      if (!isForced && !this.#isDue(this.#rule(origin, history))) return this.#remember(origin, history);
      const news = await this.#ask(origin, history, signal);
      const kept = isForAll(news) ? await this.#store.keep(origin, news, owner) : undefined;
      isLeased &&= kept === undefined;
      // What another owner of the lease has found out meanwhile is newer.
      if (kept !== undefined && !this.#isDue(this.#rule(origin, kept))) return this.#remember(origin, kept);
      // Without the store it goes on with what this process knows.
      return this.#remember(origin, changeBy(news)(history, isLeased)?.history ?? history);
    } finally {
      if (owner !== undefined && !isLeased) this.#leases.end(owner);
      else if (owner !== undefined) await this.#leases.release(origin, owner);
    }
  }

  /** What the store knows, if the origin need not be asked; else when it is this client's turn, with the lease if there is one. */
  async #waitForTurn(origin: string, isForced: boolean, signal: AbortSignal): Promise<Turn> {
    const { timeout } = this.#options;
    const owner = randomUUID();
    // The owner of the lease renews it for as long as it lives: no other client waits longer than any fetch takes.
    const giveUpAt = performance.now() + timeout + WAIT_MARGIN;
    for (let isFirst = true; ; isFirst = false) {
      const history = await this.#read(origin);
      if (!isForced && !this.#isDue(this.#rule(origin, history)))
        return { known: this.#remember(origin, history) };
      const isFree = await this.#leases.take(origin, owner);
      // A store that cannot tell stops nobody.
      if (isFree !== false) return { owner: isFree ? owner : undefined };
      if (performance.now() >= giveUpAt) return { owner: undefined };
      if (isFirst) this.#notify({ kind: 'waiting', origin });
      await unlessAborted(this.#leases.wait(origin), signal);
    }
  }

  /** What the store knows of an origin; where it knows nothing, what this process does. */
  async #read(origin: string): Promise<OriginHistory> {
    return (await this.#store.get(origin)) ?? this.#known.get(origin)?.history ?? NO_HISTORY;
  }

  /** Asks an origin. */
  async #ask(origin: string, { answer }: OriginHistory, signal: AbortSignal): Promise<News> {
    const { fetcher, now } = this.#options;
    const mayFollow = (url: string): Promise<boolean> => this.#mayFollow(url, origin, signal);
    const options = { ...this.#requestOptions(signal, [origin]), mayFollow };
    const { news, outcome } = await ask(origin, answer, fetcher, options, now);
    this.#notify({ kind: 'fetched', origin, outcome });
    return news;
  }

  /** @param openOrigins - those that may be on private addresses, unless `allowPrivate` says something else. */
  #requestOptions(
    signal: AbortSignal,
    openOrigins: readonly string[],
  ): Pick<Parameters<Fetcher>[2], 'userAgent' | 'timeout' | 'addressPolicy' | 'signal'> {
    const { userAgent, timeout, allowPrivate, addressPolicy } = this.#options;
    return {
      userAgent,
      timeout,
      addressPolicy: addressPolicy ?? createAddressPolicy({ allowPrivate, openOrigins }),
      signal,
    };
  }

  /**
   * Whether a redirect may be followed, by the rules of the site to which it leads. Where none are known they are fetched once,
   * without following redirects in turn.
   */
  async #mayFollow(url: string, from: string, signal: AbortSignal): Promise<boolean> {
    const { origin, pathname, search } = new URL(url);
    // Any robots.txt may be fetched (RFC 9309 section 2.2.2).
    if (this.#options.mayFollow === undefined || pathname + search === '/robots.txt') return true;
    let { use, robots } = await this.holds(origin, { manner: 'offline' });
    // The site that redirects has no rules of its own to break.
    if (use === 'unknown' && origin !== from)
      ({ use, robots } = await this.#directFlights.join(
        origin,
        (own) => this.#track(this.#fetchDirect(origin, own)),
        signal,
      ));
    return use !== 'rules' || robots === null || this.#options.mayFollow(url, robots);
  }

  /** Fetches the robots.txt of a site to which a redirect leads. What redirects in turn is not worth remembering. */
  async #fetchDirect(origin: string, signal: AbortSignal): Promise<OriginState> {
    const { fetcher, now } = this.#options;
    // The origin comes from a redirect, so it is not one that the caller opens.
    const options = { ...this.#requestOptions(signal, []), mayFollow: async () => false };
    const { news } = await ask(origin, null, fetcher, options, now);
    const kept = isForAll(news) ? await this.#store.keep(origin, news) : undefined;
    const history = kept ?? changeBy(news)(NO_HISTORY)?.history ?? NO_HISTORY;
    return this.#stateOf(
      origin,
      isForAll(news) ? this.#remember(origin, history) : this.#parsed(origin, history),
    );
  }

  #remember(origin: string, history: OriginHistory): Known {
    const before = this.#known.get(origin);
    const isSame = before?.history.answer?.fetchedAt === history.answer?.fetchedAt;
    const known = isSame && before ? { history, robots: before.robots } : this.#parsed(origin, history);
    this.#known.set(origin, known);
    return known;
  }

  #parsed(origin: string, history: OriginHistory): Known {
    const options = { profile: this.#profile, url: `${origin}/robots.txt` };
    const isFile = history.answer?.kind === 'found';
    return { history, robots: isFile ? parse(history.answer.bytes, options) : undefined };
  }
}

/** What a client calls of a store. */
const STORE_METHODS = [
  'get',
  'putAnswer',
  'recordFailure',
  'lease',
  'renew',
  'release',
  'waitForRelease',
] as const satisfies readonly (keyof RobotsStore)[];

/**
 * Requires what a program without type checks could pass wrongly, and what would fail only later, or go unnoticed: a client works
 * without a store that fails.
 *
 * @throws {TypeError} for an option of the wrong type.
 */
function requireTypes(options: Partial<OriginsOptions>): void {
  for (const name of ['onEvent', 'isSiteReachable', 'mayFollow', 'fetcher', 'now'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`${name} is a function, not ${typeof value}`);
  }
  const store: Partial<RobotsStore> | null | undefined = options.store;
  const missing = STORE_METHODS.find((name) => typeof store?.[name] !== 'function');
  if (missing !== undefined) throw new TypeError(`not a store: it has no method ${missing}`);
  createAddressPolicy({ allowPrivate: options.allowPrivate });
}

/** @param error - anything: not every value can be converted to a string. */
function warnOfListener(error: unknown): void {
  const message = typeof error === 'string' ? error : 'a value that is no Error';
  process.emitWarning(error instanceof Error ? error : new Error(message, { cause: error }), {
    detail: 'thrown by onEvent of a RobotsClient',
  });
}

function useOf({ robots }: Known, { use }: Ruling): OriginState['use'] {
  if (use === 'ask') return 'unknown';
  if (use === 'absent') return 'absent';
  if (use === 'answer') return robots === undefined ? 'absent' : 'rules';
  return use === 'allow-all' ? 'outage-expired' : 'unreachable';
}

/** A number from 0 to 1 that is always the same for an origin: two looks at the same outage must not differ. */
function jitterOf(origin: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < origin.length; at++) hash = Math.imul(hash ^ origin.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
