// The counts of one crawler while a log is read. Their size has limits.
import type { LogCrawler } from '../crawlers.ts';
import { IDENTITIES, type Identity } from '../identity/identity.ts';
import type { LogRequest } from '../request.ts';
import { type Classification, REQUEST_CLASSES, type RequestClass } from '../rules/classify.ts';
import type { Version } from '../rules/timeline.ts';
import { BoundedCounts } from './bounded-counts.ts';
import { Examples } from './examples.ts';
import { Intervals } from './intervals.ts';
import type {
  AmbiguousRequest,
  CrawlerSummary,
  DaySummary,
  Violation,
  WhatIfSummary,
  WorstRule,
} from './log-summary.ts';
import { formatNetwork } from './network.ts';

const DAY = 86_400_000;
const MAX_EXAMPLES = 100;
/** Days, statuses, networks and broken rules with a count of their own: far more than a log has that is not hostile. */
const [MAX_DAYS, MAX_STATUSES, MAX_NETWORKS, MAX_RULES] = [4_000, 1_000, 10_000, 1_000] as const;
/** Networks of spoofed requests in a summary. */
const MAX_LISTED_NETWORKS = 100;

/** The requests that break a rule. */
export interface BrokenRule extends WorstRule {
  requests: number;
  /** Requests by what the crawler had read. */
  readonly byRead: Record<Violation['read'], number>;
  /** The shortest time since the crawler had read the version, in milliseconds; `null` if it had not. */
  sinceRead: number | null;
  readonly versionFrom: number;
}

export class CrawlerTally {
  readonly crawler: LogCrawler;
  readonly #showsAddresses: boolean;
  requests = 0;
  bytes = 0;
  readonly identity: Record<Identity, number> = createCounts(IDENTITIES);
  readonly classes: Record<RequestClass, number> = createCounts(REQUEST_CLASSES);
  readonly statuses: BoundedCounts<string> = new BoundedCounts(MAX_STATUSES);
  readonly #days: Map<number, { requests: number; violations: number }> = new Map();
  readonly #violations: Examples<Violation> = new Examples(MAX_EXAMPLES);
  readonly #ambiguous: Examples<AmbiguousRequest> = new Examples(MAX_EXAMPLES);
  /** By version and line. */
  readonly brokenRules: Map<string, BrokenRule> = new Map();
  readonly #networks: BoundedCounts<string> = new BoundedCounts(MAX_NETWORKS);
  #spoofedBytes = 0;
  fetches = 0;
  lastFetch: number | null = null;
  verifiedViolations = 0;
  readonly fetchStatuses: BoundedCounts<string> = new BoundedCounts(MAX_STATUSES);
  /** Failed fetches by the number of the day and the status, with a space between them. */
  readonly failedFetches: BoundedCounts<string> = new BoundedCounts(MAX_DAYS);
  readonly #fetchIntervals: Intervals = new Intervals();
  readonly #intervals: Intervals = new Intervals();
  /** The time of the last request that is not spoofed, in milliseconds since 1970. */
  lastRequest: number | null = null;
  #crawlDelay: number | null = null;
  #verifiedBytes = 0;
  /** The effects of another robots.txt on verified requests, and on all that are not spoofed. */
  readonly #verifiedEffect: WhatIfEffect = createEffect();
  readonly #effect: WhatIfEffect = createEffect();

  constructor(crawler: LogCrawler, showsAddresses: boolean) {
    this.crawler = crawler;
    this.#showsAddresses = showsAddresses;
  }

  /** Adds a request of any identity. */
  addRequest({ bytes, status, address }: LogRequest, identity: Identity): void {
    this.requests++;
    this.bytes += bytes;
    this.identity[identity]++;
    if (identity === 'verified') this.#verifiedBytes += bytes;
    if (identity !== 'spoofed') {
      this.statuses.add(formatStatus(status));
      return;
    }
    this.#spoofedBytes += bytes;
    if (address !== null) this.#networks.add(this.#showsAddresses ? address : formatNetwork(address));
  }

  /** Adds a fetch of robots.txt that is not spoofed. */
  addFetch(time: number, status: number | null, hasFailed: boolean): void {
    this.fetches++;
    this.fetchStatuses.add(formatStatus(status));
    if (hasFailed) this.failedFetches.add(`${Math.floor(time / DAY)} ${formatStatus(status)}`);
    if (this.lastFetch !== null && time >= this.lastFetch) this.#fetchIntervals.add(time - this.lastFetch);
    this.lastFetch = Math.max(this.lastFetch ?? time, time);
  }

  /** Adds the class of a request that is not spoofed. @param url - absolute. @param readAt - when the crawler read the version. */
  addClass(
    time: number,
    url: string,
    { class: name, version, verdict, isAmbiguous, read }: Classification,
    readAt: number | null,
  ): void {
    this.classes[name]++;
    this.lastRequest = time;
    const isViolation = name === 'violation';
    this.#addDay(time, isViolation);
    if (isAmbiguous) this.#ambiguous.add({ time: formatTime(time), url });
    if (!isViolation || version === undefined || verdict === undefined || read === undefined) return;
    const { line } = verdict;
    const rule = this.#addToRule(version, line, () => verdict.rule?.value ?? null);
    const found = { line, rule: rule?.rule ?? verdict.rule?.value ?? null, version: version.name };
    this.#violations.add({ time: formatTime(time), url, ...found, read });
    if (rule === undefined) return;
    rule.byRead[read]++;
    if (readAt !== null && (rule.sinceRead === null || time - readAt < rule.sinceRead))
      rule.sinceRead = time - readAt;
  }

  /** Adds the time since the request for a page before, in milliseconds, and the crawl-delay that applied, in seconds. */
  addPace(interval: number, crawlDelay: number): void {
    this.#crawlDelay = Math.max(this.#crawlDelay ?? 0, crawlDelay);
    this.#intervals.add(Math.max(0, interval));
  }

  /** Adds a request that is not spoofed, and that another robots.txt would have stopped, or opened. */
  addEffect(effect: 'stopped' | 'opened', bytes: number, identity: Identity): void {
    for (const counts of identity === 'verified' ? [this.#verifiedEffect, this.#effect] : [this.#effect]) {
      counts[effect]++;
      counts[`${effect}Bytes`] += bytes;
    }
  }

  #addDay(time: number, isViolation: boolean): void {
    const day = Math.floor(time / DAY);
    const counts = this.#days.get(day) ?? { requests: 0, violations: 0 };
    if (this.#days.size < MAX_DAYS) this.#days.set(day, counts);
    counts.requests++;
    if (isViolation) counts.violations++;
  }

  #addToRule({ name, from }: Version, line: number, readRule: () => string | null): BrokenRule | undefined {
    const key = `${line} ${name}`;
    let rule = this.brokenRules.get(key);
    if (rule === undefined && this.brokenRules.size < MAX_RULES) {
      const byRead = { yes: 0, never: 0, unknown: 0 };
      rule = {
        line,
        rule: readRule(),
        version: name,
        requests: 0,
        byRead,
        sinceRead: null,
        versionFrom: from,
      };
      this.brokenRules.set(key, rule);
    }
    if (rule !== undefined) rule.requests++;
    return rule;
  }

  /** The number of networks of spoofed requests. */
  get spoofedNetworks(): number {
    return this.#networks.size;
  }

  /** Returns the summary. @param hasWhatIf - whether another file was tried. */
  toSummary(hasWhatIf: boolean): CrawlerSummary {
    const { name, operator, purposes, obeys } = this.crawler;
    const median = this.#fetchIntervals.getQuantile(0.5);
    return {
      ...{ crawler: name, operator, purposes },
      robotsTxt: {
        obeys,
        fetches: this.fetches,
        statuses: Object.fromEntries(this.fetchStatuses.list()),
        last: this.lastFetch === null ? null : formatTime(this.lastFetch),
        medianInterval: median === null ? null : Math.round(median / 1_000),
      },
      ...{ requests: this.requests, bytes: this.bytes, identity: this.identity, classes: this.classes },
      violations: this.#violations.list(),
      worstRule: this.#findWorstRule(),
      ambiguous: this.#ambiguous.list(),
      statuses: Object.fromEntries(this.statuses.list()),
      days: this.#listDays(),
      pace: this.getPace(),
      spoofed: {
        requests: this.identity.spoofed,
        bytes: this.#spoofedBytes,
        networks: this.#networks
          .list()
          .slice(0, MAX_LISTED_NETWORKS)
          .map(([network, requests]) => ({ network, requests })),
      },
      whatIf: hasWhatIf ? this.#summarizeEffect() : null,
    };
  }

  #summarizeEffect(): WhatIfSummary {
    const { verified, spoofed } = this.identity;
    if (verified > 0)
      return { isVerified: true, requests: verified, bytes: this.#verifiedBytes, ...this.#verifiedEffect };
    const own = { requests: this.requests - spoofed, bytes: this.bytes - this.#spoofedBytes };
    return { isVerified: false, ...own, ...this.#effect };
  }

  #findWorstRule(): WorstRule | null {
    const [worst] = [...this.brokenRules.values()].sort((a, b) => b.requests - a.requests);
    if (worst === undefined) return null;
    const { line, rule, version, requests } = worst;
    return { line, rule, version, requests };
  }

  #listDays(): DaySummary[] {
    return [...this.#days]
      .sort(([a], [b]) => a - b)
      .map(([day, counts]) => ({ day: formatTime(day * DAY).slice(0, 10), ...counts }));
  }

  /** Returns the pace, in seconds; `null` without a crawl-delay. */
  getPace(): CrawlerSummary['pace'] {
    const [least, percentile5] = [this.#intervals.least, this.#intervals.getQuantile(0.05)];
    if (this.#crawlDelay === null || least === null || percentile5 === null) return null;
    return { crawlDelay: this.#crawlDelay, least: least / 1_000, percentile5: percentile5 / 1_000 };
  }
}

function createCounts<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
}

function formatStatus(status: number | null): string {
  return status === null ? 'none' : String(status);
}

/** Formats a time in milliseconds since 1970 in RFC 3339 and UTC, without milliseconds if they are 0. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Requests that another robots.txt would have stopped and opened. */
type WhatIfEffect = Record<'stopped' | 'stoppedBytes' | 'opened' | 'openedBytes', number>;

function createEffect(): WhatIfEffect {
  return { stopped: 0, stoppedBytes: 0, opened: 0, openedBytes: 0 };
}
