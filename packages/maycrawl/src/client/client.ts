/**
 * The client for crawlers: may this URL be fetched, whatever the weather?
 *
 * @module
 */
import {
  type CrawlerLike,
  decideWithoutFile,
  GOOGLE,
  type RobotsTxt,
  type Ruleset,
  robotsTxtUrl,
  type Verdict,
} from '@maycrawl/core';
import { type OriginState, Origins, type OriginsOptions, type WaitOptions } from './origins.ts';

export interface ClientOptions extends OriginsOptions {
  /** Whom to decide for: a product token, several, or a crawler with fallbacks. */
  readonly crawler: CrawlerLike;
}

/** A verdict about one of many URLs, or why there is none. */
export type UrlVerdict =
  | { readonly url: string; readonly verdict: Verdict }
  | { readonly url: string; readonly error: unknown };

/** Decides for one crawler, about the URLs of any site. */
export class RobotsClient {
  readonly #options: ClientOptions;
  readonly #origins: Origins;
  /** The rules of the crawler in files that are in use. */
  readonly #rulesets: WeakMap<RobotsTxt, Ruleset> = new WeakMap();

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
    this.#options = options;
    this.#origins = new Origins({
      mayFollow: (target, robots) => this.#rulesetOf(robots).decide(target).kind !== 'disallowed',
      ...options,
    });
  }

  /**
   * Decides whether the crawler may fetch `url`, asking its site for the robots.txt if that is not known.
   *
   * @throws {RangeError} if `url` is no absolute http, https or ftp URL.
   * @throws the signal's reason if the caller aborts. Others who wait for the same site go on waiting.
   */
  async decide(url: string, options?: WaitOptions): Promise<Verdict> {
    return this.#decideIn(await this.robots(url, options), url);
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
      readonly held: OriginState | undefined;
      readonly error?: unknown;
    };
    const pending = new Map<string, Promise<Site>>();
    const ask = async (origin: string, own: readonly string[]): Promise<Site> => {
      try {
        return {
          origin,
          urls: own,
          held: await this.#origins.holds(origin, signal === undefined ? {} : { signal }),
        };
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
  async robots(url: string, options?: WaitOptions): Promise<OriginState> {
    return this.#origins.holds(originOf(url), options);
  }

  /** The sitemaps that the site of `url` names, as they are written. @throws as {@link decide} does. */
  async sitemaps(url: string, options?: WaitOptions): Promise<string[]> {
    const { use, robots } = await this.robots(url, options);
    return use === 'rules' && robots !== null ? robots.sitemaps().map(({ text }) => text) : [];
  }

  /** Seconds between requests that the site of `url` asks the crawler for, or `null`. @throws as {@link decide} does. */
  async crawlDelay(url: string, options?: WaitOptions): Promise<number | null> {
    const { use, robots } = await this.robots(url, options);
    return use === 'rules' && robots !== null ? this.#rulesetOf(robots).crawlDelay : null;
  }

  #decideIn({ use, robots }: OriginState, url: string): Verdict {
    const { crawler, profile = GOOGLE } = this.#options;
    if (use === 'rules' && robots !== null) return this.#rulesetOf(robots).decide(url);
    // It is always asked, so it is never unknown what holds.
    const because = use === 'absent' || use === 'outage-allows' ? use : 'unreachable';
    return decideWithoutFile(because, crawler, url, { profile });
  }

  #rulesetOf(robots: RobotsTxt): Ruleset {
    const ruleset = this.#rulesets.get(robots) ?? robots.ruleset(this.#options.crawler);
    this.#rulesets.set(robots, ruleset);
    return ruleset;
  }
}

/** The origin of a URL. @throws {RangeError} if it has none. */
function originOf(url: string): string {
  return robotsTxtUrl(url).slice(0, -'/robots.txt'.length);
}
