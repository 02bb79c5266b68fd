// Counts the requests of a log by crawler while they are judged: identity, class, and what follows from them.
import type { Profile } from '@maycrawl/core';
import type { AuditRequests } from './audit-comparison.ts';
import type { LogCrawler, LogCrawlers } from './crawlers.ts';
import type { Identifier, Identity } from './identity/identity.ts';
import type { LogReading, LogRequest } from './request.ts';
import { type Classification, classifyRequest } from './rules/classify.ts';
import { Fetches, type FetchState, toFetchKind } from './rules/fetches.ts';
import type { Timeline, Version } from './rules/timeline.ts';
import { VersionRules } from './rules/version-rules.ts';
import { CrawlerTally, formatTime } from './summary/crawler-tally.ts';
import { findProblems } from './summary/find-problems.ts';
import type { LogSummary } from './summary/log-summary.ts';
import { RuleCounts } from './summary/rule-counts.ts';

/** A site, and the versions of its robots.txt. */
export interface LogSite {
  /** Such as `https://shop.example`. Requests of the log belong to it by host and port. */
  readonly origin: string;
  readonly timeline: Timeline;
}

/** How requests are judged. */
export interface JudgeOptions {
  /** At least one. If there are several, the log must name hosts. */
  readonly sites: readonly LogSite[];
  readonly profile: Profile;
  readonly crawlers: LogCrawlers;
  readonly identify: Identifier;
  /** The names of crawlers in lower case: others are not in the summary. @defaultValue all */
  readonly only?: ReadonlySet<string>;
  /** Requests before this time, in milliseconds since 1970, count only as fetches of robots.txt. @defaultValue all count */
  readonly since?: number;
  /** Requests from this time on do not count, in milliseconds since 1970. @defaultValue all count */
  readonly until?: number;
  /** A robots.txt that is tried in place of the served ones. */
  readonly whatIf?: Uint8Array;
  /** The requests for URLs of an audit, which receives those that count and are not spoofed. */
  readonly audit?: AuditRequests;
  /** Whether reports have addresses, in place of networks. @defaultValue `false` */
  readonly showsAddresses?: boolean;
}

/** Crawlers that the catalogue does not know: a hostile log has one for each line. */
const MAX_UNKNOWN = 1_000;
const ROBOTS_PATH = '/robots.txt';

/** The state of a crawler at a site as plain data. */
export interface CrawlerState {
  readonly fetches: FetchState;
  /** The time of the last request for a page, in milliseconds since 1970. */
  readonly lastPage: number | null;
}

/** The state of a crawler at a site. */
interface SiteState {
  readonly fetches: Fetches;
  /** The time of the last request for a page, in milliseconds since 1970. */
  lastPage: number | null;
}

/** A site while its requests are judged. */
interface JudgedSite extends LogSite {
  readonly rules: RuleCounts;
  readonly states: Map<string, SiteState>;
}

/** Judges requests, which come in the order of their times. */
export class LogJudge {
  readonly #options: JudgeOptions;
  readonly #getLogStart: () => number;
  readonly #rules: VersionRules;
  readonly #sites: readonly JudgedSite[];
  /** By host and port as in URLs. */
  readonly #byHost: ReadonlyMap<string, JudgedSite>;
  readonly #tallies: Map<string, CrawlerTally> = new Map();
  readonly #whatIf: Version | null;
  /** The states of crawlers after the parts of the log before. */
  readonly #earlier: ReadonlyMap<string, CrawlerState>;
  #unknown = 0;
  #otherSites = 0;
  #further = 0;

  /** @param getLogStart - returns the time of the first line. */
  constructor(
    options: JudgeOptions,
    getLogStart: () => number,
    earlier: ReadonlyMap<string, CrawlerState> = new Map(),
  ) {
    const { sites, profile, whatIf } = options;
    this.#options = options;
    this.#getLogStart = getLogStart;
    this.#earlier = earlier;
    this.#rules = new VersionRules(profile, (name) => this.#getCrawler(name).input);
    this.#sites = sites.map((site) => ({ ...site, rules: new RuleCounts(), states: new Map() }));
    this.#byHost = new Map(this.#sites.map((site) => [new URL(site.origin).host, site]));
    this.#whatIf = whatIf === undefined ? null : { name: 'new', from: 0, body: whatIf };
  }

  add(request: LogRequest, identity: Identity): void {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, only } = this.#options;
    const { time, crawler: name } = request;
    if (time >= until || (only !== undefined && !only.has(name.toLowerCase()))) return;
    if (request.host === null && this.#sites.length > 1)
      throw new RangeError('the log names no hosts: judge it for one site');
    const site = request.host === null ? this.#sites[0] : this.#byHost.get(request.host);
    if (site === undefined) {
      this.#otherSites++;
      return;
    }
    const tally = this.#getTally(name);
    if (tally === undefined) {
      this.#further++;
      return;
    }
    const isCounted = time >= since;
    if (isCounted) tally.addRequest(request, identity);
    if (identity === 'spoofed') return;
    const state = this.#getState(site, name);
    if (request.target === ROBOTS_PATH) {
      if (isCounted) tally.addClass(time, '', { class: 'robots-txt' }, null);
      if (request.method !== 'GET') return;
      state.fetches.add(time, request.status);
      if (isCounted) tally.addFetch(time, request.status, toFetchKind(request.status) === 'failed');
    } else if (isCounted) this.#addPage(request, identity, site, tally, state);
  }

  #addPage(
    request: LogRequest,
    identity: Identity,
    site: JudgedSite,
    tally: CrawlerTally,
    state: SiteState,
  ): void {
    const { time, target } = request;
    const { crawler } = tally;
    const url = `${site.origin}${target}`;
    const found = this.#classify(time, target, url, site, crawler, state);
    const { version, verdict, read } = found;
    tally.addClass(time, url, found, read === 'yes' ? state.fetches.lastReadTime : null);
    if (found.class === 'violation' && identity === 'verified') tally.verifiedViolations++;
    if (version !== undefined && verdict !== undefined) {
      site.rules.add(version, verdict, crawler.name);
      const delay = this.#getDelay(version, crawler);
      if (delay !== null && state.lastPage !== null) tally.addPace(time - state.lastPage, delay);
    }
    state.lastPage = time;
    this.#options.audit?.add(url, crawler.purposes.includes('search'));
    if (this.#whatIf !== null && crawler.obeys !== 'no')
      this.#tryOther(this.#whatIf, request, identity, url, site, tally);
  }

  #classify(
    time: number,
    target: string,
    url: string,
    { timeline }: LogSite,
    crawler: LogCrawler,
    { fetches }: SiteState,
  ): Classification {
    if (crawler.obeys === 'no') return { class: 'exempt' };
    // Such as `*`, or the host of CONNECT: no rule is about them.
    if (!target.startsWith('/')) return { class: 'allowed' };
    return classifyRequest({
      ...{ time, cachePeriod: crawler.cachePeriod, timeline, fetches, logStart: this.#getLogStart() },
      decide: (version) => this.#rules.decide(version, crawler.name, url),
    });
  }

  /** Returns the crawl-delay that a crawler obeys, in seconds. */
  #getDelay(version: Version, { name, crawlDelay }: LogCrawler): number | null {
    if (crawlDelay !== 'obeys' && crawlDelay !== 'inherits-default') return null;
    const own = this.#rules.getRuleset(version, name).crawlDelay;
    return own ?? (crawlDelay === 'obeys' ? null : this.#rules.getRuleset(version, '*').crawlDelay);
  }

  /** Counts a request that another file would stop or open, compared with the file that was served. */
  #tryOther(
    other: Version,
    { time, bytes }: LogRequest,
    identity: Identity,
    url: string,
    { timeline }: LogSite,
    tally: CrawlerTally,
  ): void {
    const served = timeline.getAt(time);
    if (served === undefined) return;
    const { name } = tally.crawler;
    const isServed = this.#rules.decide(served, name, url).verdict.allowed;
    if (isServed !== this.#rules.decide(other, name, url).verdict.allowed)
      tally.addEffect(isServed ? 'stopped' : 'opened', bytes, identity);
  }

  #getTally(name: string): CrawlerTally | undefined {
    const existing = this.#tallies.get(name);
    if (existing !== undefined) return existing;
    const { crawlers, showsAddresses = false } = this.#options;
    if (!crawlers.has(name) && ++this.#unknown > MAX_UNKNOWN) return undefined;
    const tally = new CrawlerTally(crawlers.describe(name), showsAddresses);
    this.#tallies.set(name, tally);
    return tally;
  }

  #getCrawler(name: string): LogCrawler {
    return this.#tallies.get(name)?.crawler ?? this.#options.crawlers.describe(name);
  }

  #getState({ states, timeline }: JudgedSite, crawler: string): SiteState {
    let state = states.get(crawler);
    if (state === undefined) {
      const earlier = this.#earlier.get(crawler);
      state = { fetches: new Fetches(timeline, earlier?.fetches), lastPage: earlier?.lastPage ?? null };
      states.set(crawler, state);
    }
    return state;
  }

  /** Lists the states of crawlers at the first site. */
  listStates(): [name: string, state: CrawlerState][] {
    const states = this.#sites[0]?.states ?? new Map<string, SiteState>();
    return [...states].map(([name, { fetches, lastPage }]) => [name, { fetches: fetches.state, lastPage }]);
  }

  getVerifiedViolations(): ReadonlyMap<string, number> {
    return new Map([...this.#tallies].map(([name, { verifiedViolations }]) => [name, verifiedViolations]));
  }

  toSummary({ counts, from, to, hasAddresses }: LogReading): LogSummary {
    const tallies = [...this.#tallies.values()]
      .filter(({ requests }) => requests > 0)
      .sort((a, b) => b.requests - a.requests || (a.crawler.name < b.crawler.name ? -1 : 1));
    const { profile, whatIf, audit } = this.#options;
    const timelines = this.#sites.map(({ timeline }) => timeline);
    const requests = tallies.reduce((sum, tally) => sum + tally.requests, 0);
    return {
      sites: this.#sites.map(({ origin }) => origin),
      lines: counts,
      otherSites: this.#otherSites,
      furtherCrawlers: this.#further,
      hasAddresses,
      from: from === null ? null : formatTime(from),
      to: to === null ? null : formatTime(to),
      crawlers: tallies.map((tally) => tally.toSummary(whatIf !== undefined)),
      rules: this.#sites.flatMap(({ origin, rules }) => rules.list(origin)),
      unusedRules: this.#sites.flatMap(({ origin, rules, timeline }) =>
        rules.listUnused(origin, timeline, profile),
      ),
      audit: audit?.toComparison() ?? null,
      findings: findProblems({ tallies, timelines, hasAddresses, requests, from, to }),
    };
  }
}
