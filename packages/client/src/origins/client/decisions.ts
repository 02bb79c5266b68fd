// The decisions of a client for its crawler, by the policies of origins. It knows no store, no network and no pace.
import { type CrawlerSpec, decideByPolicy, type Profile, type RobotsTxt, type Ruleset } from '@maycrawl/core';
import type { UrlInput } from '@maycrawl/core/url';
import { timeSlices } from '../../event-loop/time-slice.ts';
import { DECISION_CHANNEL, publishDecision } from '../events/decision-event.ts';
import type { OriginState } from '../origin-state.ts';
import { addRefusal, type ClientVerdict } from '../refusal.ts';

/** A verdict about one of many URLs, or the error. */
export type UrlVerdict =
  | { readonly url: string; readonly verdict: ClientVerdict }
  | { readonly url: string; readonly error: unknown };

/** Decides for one crawler. */
export class Decisions {
  readonly #crawler: CrawlerSpec;
  readonly #profile: Profile;
  readonly #userAgent: string;
  /** The rules of the crawler in files that are in use. */
  readonly #rulesets: WeakMap<RobotsTxt, Ruleset> = new WeakMap();

  constructor(crawler: CrawlerSpec, profile: Profile, userAgent: string) {
    this.#crawler = crawler;
    this.#profile = profile;
    this.#userAgent = userAgent;
  }

  /** Decides about a URL, and publishes the decision. */
  decide(state: OriginState, url: string): ClientVerdict {
    const verdict = this.preview(state, url);
    this.publish(state, url, verdict);
    return verdict;
  }

  /** Decides about many URLs of one site. @throws the reason of the signal. */
  async decideAll(state: OriginState, urls: readonly string[], signal?: AbortSignal): Promise<UrlVerdict[]> {
    const verdicts: UrlVerdict[] = [];
    for (const url of urls) {
      verdicts.push({ url, verdict: this.decide(state, url) });
      if (timeSlices.isUsedUp()) await timeSlices.giveWay(signal);
    }
    return verdicts;
  }

  /** Returns the verdict about a URL. The caller publishes it if it uses it. */
  preview(state: OriginState, url: UrlInput): ClientVerdict {
    const { policy } = state;
    const verdict =
      policy.kind === 'rules'
        ? this.#getRuleset(policy.robots).decide(url)
        : decideByPolicy(policy, this.#crawler, url, { profile: this.#profile });
    return addRefusal(verdict, state);
  }

  publish({ origin }: OriginState, url: string, verdict: ClientVerdict): void {
    if (DECISION_CHANNEL.hasSubscribers)
      publishDecision({ origin, url, userAgent: this.#userAgent, verdict });
  }

  /** Returns whether a file allows a URL. */
  isAllowed(url: string, robots: RobotsTxt): boolean {
    return this.#getRuleset(robots).decide(url).kind !== 'disallowed';
  }

  /** Returns the `Crawl-delay` that applies to the crawler in seconds, or `null`. */
  getCrawlDelay({ policy }: OriginState): number | null {
    return policy.kind === 'rules' ? this.#getRuleset(policy.robots).crawlDelay : null;
  }

  #getRuleset(robots: RobotsTxt): Ruleset {
    const cached = this.#rulesets.get(robots);
    if (cached !== undefined) return cached;
    const ruleset = robots.ruleset(this.#crawler);
    this.#rulesets.set(robots, ruleset);
    return ruleset;
  }
}
