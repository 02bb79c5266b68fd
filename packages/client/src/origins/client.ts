/**
 * The client for crawlers: whether a URL may be fetched now.
 *
 * @module
 */
import {
  type CrawlerInput,
  type CrawlerSpec,
  decideByPolicy,
  GOOGLE,
  type Profile,
  parse,
  type RobotsTxt,
  type Ruleset,
  resolveAgent,
  resolveProfile,
  type Verdict,
} from '@maycrawl/core';
import {
  type PreferenceOptions,
  type PreferenceReport,
  type PreferenceSources,
  readPreferences,
} from '@maycrawl/core/preferences';
import { getOrigin } from '@maycrawl/core/url';
import { timeSlices } from '../event-loop/time-slice.ts';
import { PrivateAddressError } from '../http/address-policy.ts';
import { isRemoteFailure } from '../http/local-failure.ts';
import type { OriginState } from './origin-state.ts';
import { Origins, type WaitOptions } from './origins.ts';
import type { OriginsOptions } from './origins-options.ts';
import { requireOpenTarget } from './redirect-target.ts';
import { visitByHost } from './visit-by-host.ts';

export interface ClientOptions extends OriginsOptions {
  /** The agent that sends the requests: a product token, several, or a crawler with fallbacks. */
  readonly agent: CrawlerInput;
}

/** The options of a decision about one URL. */
export interface DecideOptions extends WaitOptions {
  /**
   * The URL that the caller requested, if the URL to decide about is a target of its redirects. That target must be on a public address
   * unless it has the same origin, or `allowPrivate` or `addressPolicy` decides.
   */
  readonly redirectedFrom?: string;
}

/** A verdict about one of many URLs, or the error. */
export type UrlVerdict =
  | { readonly url: string; readonly verdict: Verdict }
  | { readonly url: string; readonly error: unknown };

export interface DecideAllOptions extends WaitOptions {
  /** The number of hosts that are requested at the same time. @defaultValue 64 */
  readonly concurrency?: number;
  /**
   * Milliseconds between the response of one site and the request to the next on the same host (http, https, ftp and other
   * ports are different sites), at most 24 days.
   *
   * @defaultValue 0
   */
  readonly spacing?: number;
}

/** What the crawler already has of a page and its site: `preferences` sends no request for it. */
export interface ClientPreferencesOptions
  extends WaitOptions,
    Omit<PreferenceSources, 'policy'>,
    PreferenceOptions {}

/** The longest delay of a timer, about 24 days: a longer one fires immediately. Milliseconds. */
const MAX_SPACING = 2 ** 31 - 1;

/** Decides for one crawler about the URLs of any site. */
export class RobotsClient {
  /** The User-Agent header of the client's requests. */
  readonly userAgent: string;
  readonly #crawler: CrawlerSpec;
  readonly #profile: Profile;
  readonly #origins: Origins;
  readonly #addressing: Pick<OriginsOptions, 'allowPrivate' | 'addressPolicy'>;
  /** The rules of the crawler in files that are in use. */
  readonly #rulesets: WeakMap<RobotsTxt, Ruleset> = new WeakMap();

  /**
   * @throws {RangeError} if no user-agent line can name the crawler; if the User-Agent header is invalid, or does not contain a
   *   token of the crawler, which site owners must be able to find; for an unknown profile, and for invalid times.
   * @throws {TypeError} for a crawler or profile of the wrong type.
   */
  constructor(options: ClientOptions) {
    const { agent: crawler, userAgent, profile = GOOGLE } = options;
    const resolved = typeof crawler === 'string' ? resolveAgent(crawler).crawler : crawler;
    // Throws for an invalid crawler.
    parse('').ruleset(resolved);
    const tokens = 'tokens' in resolved ? resolved.tokens : resolved;
    if (typeof userAgent !== 'string' || !/^[ -~]+$/.test(userAgent))
      throw new RangeError(`not a User-Agent header: ${JSON.stringify(userAgent)}`);
    const header = userAgent.toLowerCase();
    if (tokens.length > 0 && !tokens.some((token) => header.includes(token.toLowerCase())))
      throw new RangeError(
        `the User-Agent header "${userAgent}" does not contain "${tokens.join('" or "')}"`,
      );
    this.userAgent = userAgent;
    this.#crawler = resolved;
    this.#profile = resolveProfile(profile);
    this.#addressing = { allowPrivate: options.allowPrivate, addressPolicy: options.addressPolicy };
    this.#origins = new Origins({
      mayFollow: (target, robots) => this.#getRuleset(robots).decide(target).kind !== 'disallowed',
      ...options,
      profile: this.#profile,
    });
  }

  /**
   * Decides whether the crawler may fetch `url`, and fetches its robots.txt first if that is due.
   *
   * @throws {RangeError} if `url` is not an absolute http, https or ftp URL.
   * @throws {PrivateAddressError} if a redirect must not lead to `url`. Then no request was sent.
   * @throws an error of the resolver if the rules allow the target of a redirect, but its addresses are unknown.
   * @throws the signal's reason if the caller aborts. Other callers that wait for the same site continue to wait.
   */
  async decide(url: string, { redirectedFrom, ...options }: DecideOptions = {}): Promise<Verdict> {
    if (redirectedFrom === undefined) return this.#decideIn(await this.robots(url, options), url);
    let unresolved: unknown;
    try {
      await requireOpenTarget(url, redirectedFrom, this.#addressing, options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof PrivateAddressError || !isRemoteFailure(error)) throw error;
      // The site is unreachable, for which the outage policy has a verdict.
      unresolved = error;
    }
    const verdict = this.#decideIn(await this.robots(url, options), url);
    // The caller would connect to an address that was not checked.
    if (unresolved !== undefined && verdict.kind === 'allowed') throw unresolved;
    return verdict;
  }

  /**
   * Decides about many URLs of many sites, each of which is requested once. Results come as sites respond, those of one site in
   * the order of its URLs. At most 10,000 URLs are read ahead of the results that the caller takes.
   *
   * @param urls - for example a list, or the lines of a stream.
   * @throws the signal's reason if the caller aborts; the error of `urls`.
   * @throws {RangeError} for a concurrency below 1, or a spacing that is not from 0 to 24 days.
   */
  async *decideAll(
    urls: Iterable<string> | AsyncIterable<string>,
    options: DecideAllOptions = {},
  ): AsyncGenerator<UrlVerdict> {
    const { concurrency = 64, spacing = 0, signal } = options;
    if (!(concurrency >= 1)) throw new RangeError(`not a number of hosts at a time: ${concurrency}`);
    if (!(spacing >= 0 && spacing <= MAX_SPACING))
      throw new RangeError(`not a pause in milliseconds: ${spacing}`);
    yield* visitByHost<UrlVerdict>(
      urls,
      (origin, own) => this.#decideSite(origin, own, signal),
      (url, error) => ({ url, error }),
      { concurrency, spacing, signal },
    );
  }

  /** Decides about URLs of one site. @throws the signal's reason if it aborts. */
  async #decideSite(origin: string, urls: readonly string[], signal?: AbortSignal): Promise<UrlVerdict[]> {
    try {
      const state = await this.#origins.getState(origin, signal === undefined ? {} : { signal });
      const verdicts: UrlVerdict[] = [];
      for (const url of urls) {
        verdicts.push({ url, verdict: this.#decideIn(state, url) });
        if (timeSlices.isUsedUp()) await timeSlices.giveWay(signal);
      }
      return verdicts;
    } catch (error) {
      signal?.throwIfAborted();
      return urls.map((url) => ({ url, error }));
    }
  }

  /**
   * Returns the policy of the origin of `url`: the rules of its file, or what applies without them.
   *
   * @throws as {@link decide} does.
   */
  async robots(url: string, options?: WaitOptions): Promise<OriginState> {
    return this.#origins.getState(getOrigin(url), options);
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
    url: string,
    agent: CrawlerInput = this.#crawler,
    { signal, policyTokens, ...sources }: ClientPreferencesOptions = {},
  ): Promise<PreferenceReport> {
    const { policy } = await this.robots(url, signal === undefined ? {} : { signal });
    return readPreferences({ ...sources, policy }, agent, url, policyTokens && { policyTokens });
  }

  /** Returns the sitemaps of the site of `url`, as written. @throws as {@link decide} does. */
  async sitemaps(url: string, options?: WaitOptions): Promise<string[]> {
    const { policy } = await this.robots(url, options);
    return policy.kind === 'rules' ? policy.robots.sitemaps().map(({ text }) => text) : [];
  }

  /** Returns the `Crawl-delay` of the site of `url` for the crawler in seconds, or `null`. @throws as {@link decide} does. */
  async crawlDelay(url: string, options?: WaitOptions): Promise<number | null> {
    const { policy } = await this.robots(url, options);
    return policy.kind === 'rules' ? this.#getRuleset(policy.robots).crawlDelay : null;
  }

  /** Resolves when no request is in flight, such as a background refresh: then the store can be closed. */
  async idle(): Promise<void> {
    await this.#origins.idle();
  }

  #decideIn({ policy }: OriginState, url: string): Verdict {
    return decideByPolicy(policy, this.#crawler, url, {
      profile: this.#profile,
      getRuleset: this.#getRuleset,
    });
  }

  readonly #getRuleset = (robots: RobotsTxt): Ruleset => {
    const ruleset = this.#rulesets.get(robots) ?? robots.ruleset(this.#crawler);
    this.#rulesets.set(robots, ruleset);
    return ruleset;
  };
}
