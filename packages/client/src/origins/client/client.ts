// The client for crawlers: whether a URL may be fetched now.
import { type CrawlerInput, type CrawlerSpec, GOOGLE, resolveProfile } from '@maycrawl/core';
import { checkOptions, quoteValue } from '@maycrawl/core/internal';
import { type PreferenceReport, readPreferences } from '@maycrawl/core/preferences';
import { findOrigin, getOrigin, toUrlText, type UrlInput } from '@maycrawl/core/url';
import { PrivateAddressError } from '../../http/address-policy.ts';
import { requireSignal } from '../../http/caller-objects.ts';
import { isRemoteFailure } from '../../http/local-failure.ts';
import type { Pacer } from '../../pace/pacer.ts';
import { runInTurn, type Turn } from '../../pace/turn.ts';
import { copyFrozen } from '../../robots/frozen.ts';
import type { RequestSigner } from '../../signatures/request-signer.ts';
import type { OriginState } from '../origin-state.ts';
import { Origins, type WaitOptions } from '../origins.ts';
import type { OriginsOptions } from '../origins-options.ts';
import { requireOpenTarget } from '../redirect-target.ts';
import { type ClientVerdict, requireAllowed } from '../refusal.ts';
import { visitByHost } from '../visit-by-host.ts';
import { copyCrawler, resolveClientAgent } from './client-agent.ts';
import {
  CLIENT_OPTIONS,
  type ClientDecideOptions,
  type ClientOptions,
  type ClientPreferencesOptions,
  DECIDE_OPTIONS,
  type DecideAllOptions,
  PREFERENCES_OPTIONS,
  readDecideAllOptions,
  readSignal,
  TURN_OPTIONS,
  type TurnWaitOptions,
} from './client-options.ts';
import { createPacer } from './client-pace.ts';
import { Decisions, type UrlVerdict } from './decisions.ts';

/** Decides for one crawler about the URLs of any site. */
export class RobotsClient {
  readonly #userAgent: string;
  readonly #crawler: CrawlerSpec;
  readonly #origins: Origins;
  readonly #pacer: Pacer;
  readonly #addressing: Pick<OriginsOptions, 'allowPrivateAddresses' | 'addressPolicy'>;
  readonly #decisions: Decisions;

  /**
   * @throws {RangeError} if no user-agent line can name the crawler; if the User-Agent header is invalid, or names no crawler or another
   *   one than `agent`, because site owners write rules for the name in the header; for an unknown profile, and for invalid times.
   * @throws {TypeError} for unknown and missing options, and for options of the wrong type.
   * @throws as `createRequestSigner` does for `signature`.
   */
  constructor(options: ClientOptions) {
    checkOptions<ClientOptions>('RobotsClient', options, CLIENT_OPTIONS, ['agent', 'userAgent']);
    const { agent, profile = GOOGLE, pace = {}, ...others } = options;
    const { userAgent, allowPrivateAddresses, addressPolicy } = others;
    this.#crawler = resolveClientAgent(agent, userAgent);
    this.#userAgent = userAgent;
    const resolved = resolveProfile(profile);
    this.#decisions = new Decisions(this.#crawler, resolved, userAgent);
    this.#addressing = { allowPrivateAddresses, addressPolicy };
    this.#origins = new Origins({
      mayFollow: (target, robots) => this.#decisions.isAllowed(target, robots),
      ...others,
      profile: resolved,
    });
    this.#pacer = createPacer(pace, () => this.#origins.createSharedPace());
  }

  /** The User-Agent header of the client's requests. */
  get userAgent(): string {
    return this.#userAgent;
  }

  /**
   * Signs requests of the crawler, as the client signs its own; `undefined` without the option `signature`. Adapters use it, and other HTTP
   * clients can.
   */
  get signer(): RequestSigner | undefined {
    return this.#origins.signer;
  }

  /**
   * Decides whether the crawler may fetch `target`, and fetches its robots.txt first if that is due.
   *
   * @returns the verdict. One that is `disallowed` also has `code`, `temporary`, `retryAt` (milliseconds since 1970) and `cause` (the outage):
   *   a queue drops the URL, or puts it back until `retryAt` if the refusal is temporary.
   * @throws {RangeError} if `target` is not an absolute http, https or ftp URL.
   * @throws {PrivateAddressError} if a redirect must not lead to `target`. Then no request was sent.
   * @throws an error of the resolver if the rules allow the target of a redirect, but its addresses are unknown.
   * @throws the signal's reason if the caller aborts. Other callers that wait for the same site continue to wait.
   */
  async decide(target: UrlInput, options?: ClientDecideOptions): Promise<ClientVerdict> {
    // The caller may change an instance of URL meanwhile.
    const url = toUrlText(target);
    if (options === undefined) {
      const state = this.#getState(url);
      // Most states are in memory: waiting for what is no promise would take as long as the decision.
      return this.#decisions.decide(state instanceof Promise ? await state : state, url);
    }
    checkOptions<ClientDecideOptions>('RobotsClient.decide', options, DECIDE_OPTIONS);
    const { redirectedFrom, signal } = options;
    requireSignal(signal);
    if (redirectedFrom === undefined) return this.#decisions.decide(await this.#getState(url, signal), url);
    let unresolved: unknown;
    try {
      await requireOpenTarget(url, redirectedFrom, this.#addressing, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof PrivateAddressError || !isRemoteFailure(error)) throw error;
      // The site is unreachable, for which the outage policy has a verdict.
      unresolved = error;
    }
    const state = await this.#getState(url, signal);
    const verdict = this.#decisions.preview(state, url);
    // The caller would connect to an address that was not checked.
    if (unresolved !== undefined && verdict.kind === 'allowed') throw unresolved;
    this.#decisions.publish(state, url, verdict);
    return verdict;
  }

  /**
   * Decides about many URLs of many sites, each of which is requested once. Results come as sites respond, those of one site in
   * the order of its URLs. At most 10,000 URLs are read ahead of the results that the caller takes.
   *
   * @param urls - for example a list, or the lines of a stream. A result has the URL as a string.
   * @throws the signal's reason if the caller aborts; the error of `urls`.
   * @throws {RangeError} for a concurrency below 1, or a spacing that is not from 0 to 24 days.
   */
  decideAll(
    urls: Iterable<UrlInput> | AsyncIterable<UrlInput>,
    options: DecideAllOptions = {},
  ): AsyncGenerator<UrlVerdict> {
    const read = readDecideAllOptions(options);
    return visitByHost<UrlVerdict>(
      urls,
      (origin, own) => this.#decideSite(origin, own, read.signal),
      (url, error) => ({ url, error }),
      read,
    );
  }

  async #decideSite(origin: string, urls: readonly string[], signal?: AbortSignal): Promise<UrlVerdict[]> {
    try {
      return await this.#decisions.decideAll(await this.#getState(origin, signal), urls, signal);
    } catch (error) {
      signal?.throwIfAborted();
      return urls.map((url) => ({ url, error }));
    }
  }

  /**
   * Sends a request at the pace of its origin: decides about the URL, waits for its turn, and calls `run`, whose result says whether the
   * server is overloaded.
   *
   * @param run - sends the request. While it runs, other requests to the origin may wait (`concurrency`): read the body in it if the next
   *   request should not be sent before its end. Its result is the response of fetch, undici, got, axios, Playwright or Puppeteer, or has
   *   their `status` and `headers`; anything else counts as a success. If it rejects without a response, the server has failed.
   * @returns what `run` returns.
   * @throws {ForbiddenUrlError} if the crawler may not fetch the URL now. Then `run` is not called.
   * @throws {PaceError} if a limit of the pace is reached. Then `run` is not called. `retryAt` is when to try again.
   * @throws what `run` throws, and as {@link decide} does.
   * @example
   * const page = await client.pace(url, () => fetch(url, { headers: { 'user-agent': client.userAgent } }));
   */
  async pace<T>(target: UrlInput, run: () => T | Promise<T>, options?: TurnWaitOptions): Promise<T> {
    if (typeof run !== 'function')
      throw new TypeError(`RobotsClient.pace: not a function: ${quoteValue(run)}`);
    return runInTurn(await this.takeTurn(target, options), run, options?.signal);
  }

  /**
   * Waits until a request may be sent, as {@link pace} does, for callers that cannot send it within a function. They must end the turn.
   *
   * @returns the turn.
   * @throws as {@link pace} does.
   */
  async takeTurn(target: UrlInput, options: TurnWaitOptions = {}): Promise<Turn> {
    checkOptions<TurnWaitOptions>('RobotsClient.takeTurn', options, TURN_OPTIONS);
    const { maxWait, ...decideOptions } = options;
    const { signal } = decideOptions;
    const url = toUrlText(target);
    requireAllowed(url, await this.decide(url, decideOptions));
    const state = await this.#getState(url, signal);
    const turn = await this.#pacer.take(state.origin, {
      signal,
      maxWait,
      crawlDelay: this.#getSpacing(state),
    });
    try {
      // The rules may have changed while it waited.
      const later = await this.#getState(url, signal);
      if (later !== state) requireAllowed(url, this.#decisions.decide(later, url));
      return turn;
    } catch (error) {
      turn.cancel();
      throw error;
    }
  }

  /**
   * Returns a turn if a request may be sent immediately: if the robots.txt is in memory and allows the URL, and its origin does not wait. The
   * caller must end the turn. Otherwise it returns `undefined`, and {@link takeTurn} waits, or says why not. A pace that processes share has
   * no such turns.
   *
   * @throws {RangeError} if `target` is not an absolute http, https or ftp URL.
   * @throws {PaceError} if there are too many origins.
   */
  tryTurn(target: UrlInput): Turn | undefined {
    const url = toUrlText(target);
    const origin = getOrigin(url);
    const state = this.#origins.getCachedState(origin);
    if (state === undefined) return undefined;
    const verdict = this.#decisions.preview(state, url);
    if (verdict.kind !== 'allowed') return undefined;
    const turn = this.#pacer.tryTake(origin, this.#getSpacing(state));
    if (turn !== undefined) this.#decisions.publish(state, url, verdict);
    return turn;
  }

  /**
   * Returns the policy of the origin of `url`: the rules of its file, or what applies without them.
   *
   * @throws as {@link decide} does.
   */
  async robots(url: UrlInput, options?: WaitOptions): Promise<OriginState> {
    return this.#getState(url, readSignal('robots', options));
  }

  /**
   * Reads what the site of `url` declares about the use of its content, for example to train AI. It reads the policy of the origin as
   * {@link decide} does, and sends no other request: pass what the crawler has of the page.
   *
   * @param agent - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks; by default the client's crawler.
   * @returns a value for each purpose. While robots.txt is unreachable, the values are `not-applicable`, because the crawler may not
   *   fetch the URL.
   * @throws {TypeError | RangeError} if the agent or a policy token is invalid.
   * @throws as {@link decide} does.
   * @example
   * const { purposes } = await client.preferences('https://example.com/', 'GPTBot');
   * purposes['ai-train']?.value; // 'disallowed'
   */
  async preferences(
    url: UrlInput,
    agent: CrawlerInput = this.#crawler,
    options: ClientPreferencesOptions = {},
  ): Promise<PreferenceReport> {
    checkOptions<ClientPreferencesOptions>('RobotsClient.preferences', options, PREFERENCES_OPTIONS);
    const { signal, policyTokens, ...sources } = options;
    requireSignal(signal);
    // Everything is read before the request, because the caller may change it later.
    const text = toUrlText(url);
    const crawler = typeof agent === 'string' ? agent : copyCrawler(agent);
    const read = copyFrozen({ sources, policyTokens });
    const { policy } = await this.#getState(text, signal);
    const tokens = read.policyTokens && { policyTokens: read.policyTokens };
    return readPreferences({ ...read.sources, policy }, crawler, text, tokens);
  }

  /**
   * Returns the URLs of the sitemaps that the robots.txt of the site of `url` names, on any host, as the file writes them. The URL in a
   * `Sitemap` line must be absolute (sitemaps.org): a line without an absolute http, https or ftp URL is omitted. `sitemaps()` of the
   * file (`robots`) returns all lines.
   *
   * @throws as {@link decide} does.
   */
  async sitemaps(url: UrlInput, options?: WaitOptions): Promise<string[]> {
    const { policy } = await this.#getState(url, readSignal('sitemaps', options));
    if (policy.kind !== 'rules') return [];
    const texts = policy.robots.sitemaps().map(({ text }) => text);
    return texts.filter((text) => findOrigin(text) !== undefined);
  }

  /** Returns the `Crawl-delay` of the site of `url` for the crawler in seconds, or `null`. @throws as {@link decide} does. */
  async crawlDelay(url: UrlInput, options?: WaitOptions): Promise<number | null> {
    return this.#decisions.getCrawlDelay(await this.#getState(url, readSignal('crawlDelay', options)));
  }

  /** Resolves when no request is in flight, such as a background refresh: then the store can be closed. */
  async idle(): Promise<void> {
    await this.#origins.idle();
  }

  /** Returns the policy of the origin of `url`: immediately if it is in memory and needs no request. */
  #getState(url: UrlInput, signal?: AbortSignal): OriginState | Promise<OriginState> {
    signal?.throwIfAborted();
    const origin = getOrigin(url);
    const cached = this.#origins.getCachedState(origin);
    if (cached !== undefined) return cached;
    return signal === undefined
      ? this.#origins.awaitState(origin)
      : this.#origins.getState(origin, { signal });
  }

  /** Returns the milliseconds between requests that the site requests, if the client obeys that. */
  #getSpacing(state: OriginState): number {
    return this.#pacer.options.obeysCrawlDelay ? (this.#decisions.getCrawlDelay(state) ?? 0) * 1000 : 0;
  }
}
