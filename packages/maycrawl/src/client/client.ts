/**
 * The client for crawlers: may this URL be fetched, whatever the weather?
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CrawlerLike,
  decideWithoutFile,
  GOOGLE,
  type RobotsTxt,
  type Ruleset,
  type Verdict,
} from '@maycrawl/core';
import { merge } from './merge.ts';
import { originOf } from './origin.ts';
import { type OriginState, Origins, type OriginsOptions, type WaitOptions } from './origins.ts';

export interface ClientOptions extends OriginsOptions {
  /** Whom to decide for: a product token, several, or a crawler with fallbacks. */
  readonly crawler: CrawlerLike;
}

/** A verdict about one of many URLs, or why there is none. */
export type UrlVerdict =
  | { readonly url: string; readonly verdict: Verdict }
  | { readonly url: string; readonly error: unknown };

export interface DecideAllOptions extends WaitOptions {
  /** How many hosts are asked at the same time; 64 if left out. */
  readonly concurrency?: number;
  /**
   * Milliseconds between the answer of one site and the question to the next on the same host (its http, https, ftp and other
   * ports are sites of their own); 0 if left out.
   */
  readonly spacing?: number;
}

/** Decides for one crawler, about the URLs of any site. */
export class RobotsClient {
  readonly #options: ClientOptions;
  readonly #origins: Origins;
  /** The rules of the crawler in files that are in use. */
  readonly #rulesets: WeakMap<RobotsTxt, Ruleset> = new WeakMap();

  /**
   * @throws {RangeError} if the User-Agent header is none, or does not contain a product token of the crawler: then no site
   *   owner could find out how to name it. Also for a crawler without a name, and a timeout that is none.
   */
  constructor(options: ClientOptions) {
    const { crawler, userAgent } = options;
    const tokens = typeof crawler === 'string' ? [crawler] : 'tokens' in crawler ? crawler.tokens : crawler;
    if (tokens.includes('')) throw new RangeError('the name of the crawler is empty');
    if (!/^[ -~]+$/.test(userAgent))
      throw new RangeError(`not a User-Agent header: ${JSON.stringify(userAgent)}`);
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
   * @throws the signal's reason if the caller aborts.
   * @throws {RangeError} for a concurrency below 1, or a spacing below 0.
   */
  async *decideAll(urls: Iterable<string>, options: DecideAllOptions = {}): AsyncGenerator<UrlVerdict> {
    const { concurrency = 64, spacing = 0, signal } = options;
    if (!(concurrency >= 1)) throw new RangeError(`not a number of hosts at a time: ${concurrency}`);
    if (!(spacing >= 0)) throw new RangeError(`not a pause in milliseconds: ${spacing}`);
    const wait = signal === undefined ? {} : { signal };
    const hosts = new Map<string, Map<string, string[]>>();
    for (const url of urls) {
      let origin: string;
      try {
        origin = originOf(url);
      } catch (error) {
        yield { url, error };
        continue;
      }
      const { hostname } = new URL(origin);
      const origins = hosts.get(hostname) ?? new Map<string, string[]>();
      hosts.set(hostname, origins);
      const others = origins.get(origin);
      if (others === undefined) origins.set(origin, [url]);
      else others.push(url);
    }
    const visits = [...hosts.values()].map((origins) => this.#visit(origins, spacing, wait));
    for await (const verdicts of merge(visits, concurrency)) yield* verdicts;
  }

  /** Asks the sites of one host, one after another. */
  async *#visit(
    origins: ReadonlyMap<string, readonly string[]>,
    spacing: number,
    wait: WaitOptions,
  ): AsyncGenerator<UrlVerdict[]> {
    let isFirst = true;
    for (const [origin, urls] of origins) {
      let held: OriginState;
      try {
        if (!isFirst && spacing > 0) await sleep(spacing, undefined, wait);
        isFirst = false;
        held = await this.#origins.holds(origin, wait);
      } catch (error) {
        wait.signal?.throwIfAborted();
        yield urls.map((url) => ({ url, error }));
        continue;
      }
      yield urls.map((url) => ({ url, verdict: this.#decideIn(held, url) }));
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

  /** Resolves when nothing is under way any more, such as a refresh that nobody waits for: then the store may be closed. */
  async idle(): Promise<void> {
    await this.#origins.idle();
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
