// The summary of logs, as `--json` prints it. All reports derive from it.
import type { Severity } from '@maycrawl/core';
import type { CrawlerPurpose } from '@maycrawl/core/crawlers';
import type { Identity } from '../identity/identity.ts';
import type { LineCounts } from '../request.ts';
import type { ReadState, RequestClass } from '../rules/classify.ts';

/** A request that all versions forbid that the crawler may have read. Times are in RFC 3339 and UTC. */
export interface Violation {
  readonly time: string;
  readonly url: string;
  /** Line of the rule. */
  readonly line: number;
  /** The pattern of the rule; `null` if no rule matched, as with a site that was closed as a whole. */
  readonly rule: string | null;
  /** The name of the version. */
  readonly version: string;
  readonly read: ReadState;
}

/** A request whose URL is forbidden as it was logged and allowed in request form, or the other way round. */
export interface AmbiguousRequest {
  readonly time: string;
  readonly url: string;
}

/** What a crawler has fetched of robots.txt. */
export interface RobotsFetches {
  /** What is documented: whether the crawler obeys robots.txt. */
  readonly obeys: 'yes' | 'no' | 'unknown';
  readonly fetches: number;
  /** The number of fetches by status; `none` for a response without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The time of the last fetch; `null` without one. */
  readonly last: string | null;
  /** The median of the times between two fetches in seconds; `null` with less than two. */
  readonly medianInterval: number | null;
}

/** The requests of a day in UTC. */
export interface DaySummary {
  /** `2026-11-28` */
  readonly day: string;
  readonly requests: number;
  readonly violations: number;
}

/** Requests that are not of the crawler that their header names. */
export interface SpoofedRequests {
  readonly requests: number;
  readonly bytes: number;
  /** The networks (/24, /48), or addresses, with the most requests. */
  readonly networks: readonly { readonly network: string; readonly requests: number }[];
}

/** The rule that forbids the most requests of a crawler. */
export interface WorstRule extends Pick<Violation, 'line' | 'rule' | 'version'> {
  readonly requests: number;
}

/** The intervals of a crawler that obeys crawl-delay, in seconds. */
export interface Pace {
  /** The largest crawl-delay of the versions that applied. */
  readonly crawlDelay: number;
  readonly least: number;
  /** The interval that 5 % of all do not exceed. */
  readonly percentile5: number;
}

/** The effect of another robots.txt on the requests of a crawler: the verified ones, or if there are none, all that are not spoofed. */
export interface WhatIfSummary {
  readonly isVerified: boolean;
  /** The number of these requests. */
  readonly requests: number;
  readonly bytes: number;
  readonly stopped: number;
  readonly stoppedBytes: number;
  readonly opened: number;
  readonly openedBytes: number;
}

/** One crawler. Classes and what follows from them count requests that are not spoofed. */
export interface CrawlerSummary {
  readonly crawler: string;
  /** `null` if the catalogue does not know the crawler. */
  readonly operator: string | null;
  readonly purposes: readonly CrawlerPurpose[];
  readonly robotsTxt: RobotsFetches;
  /** All requests with its name, also spoofed ones. */
  readonly requests: number;
  readonly bytes: number;
  readonly identity: Readonly<Record<Identity, number>>;
  readonly classes: Readonly<Record<RequestClass, number>>;
  /** At most 100: the first and the last ones. */
  readonly violations: readonly Violation[];
  readonly worstRule: WorstRule | null;
  /** At most 100: the first and the last ones. */
  readonly ambiguous: readonly AmbiguousRequest[];
  /** Requests by status; `none` for responses without one. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly days: readonly DaySummary[];
  /** `null` if its operator does not promise to obey crawl-delay, or no version has one for it. */
  readonly pace: Pace | null;
  readonly spoofed: SpoofedRequests;
  /** `null` without another file. */
  readonly whatIf: WhatIfSummary | null;
}

/** A rule that decided about requests. */
export interface RuleUse extends Pick<Violation, 'line' | 'version'> {
  /** The origin of the site. */
  readonly site: string;
  readonly kind: 'allow' | 'disallow';
  /** Its pattern. */
  readonly rule: string;
  readonly requests: number;
  /** The crawlers, those with the most requests first. */
  readonly crawlers: readonly { readonly crawler: string; readonly requests: number }[];
}

/** A finding. Texts are plain text with parts of the log: callers escape them. */
export interface LogFinding {
  readonly code: string;
  readonly severity: Severity;
  /** `null` if it is about the log. */
  readonly crawler: string | null;
  readonly requests: number;
  readonly text: string;
}

/** The requests of crawlers for the URLs of a segment of a site. */
export interface SegmentRequests {
  readonly segment: string;
  /** Pages that can be indexed, and those of them that a search crawler requested. */
  indexable: number;
  searched: number;
  /** Requests for URLs that robots.txt blocks, that have noindex, that redirect, and that were not found. */
  blocked: number;
  noindex: number;
  redirected: number;
  missing: number;
}

/** The requests of crawlers compared with an audit. Lists have at most 100 URLs. */
export interface AuditComparison {
  /** The crawler of the run whose verdicts count. */
  readonly agent: string;
  /** Pages that can be indexed, and that no search crawler requested. */
  readonly unrequested: { readonly count: number; readonly urls: readonly string[] };
  /** Requested URLs to which no page of the run links; those with the most requests first. */
  readonly unlinked: {
    readonly count: number;
    readonly urls: readonly { readonly url: string; readonly requests: number }[];
  };
  readonly segments: readonly Readonly<SegmentRequests>[];
}

/** The summary. Times are in RFC 3339 and UTC. */
export interface LogSummary {
  readonly sites: readonly string[];
  readonly lines: LineCounts;
  /** Requests of crawlers for hosts that are not among the sites. */
  readonly otherSites: number;
  /** Requests of crawlers beyond the limit of names that the catalogue does not know. They are in no other count. */
  readonly furtherCrawlers: number;
  /** Whether requests have addresses. Without them no crawler is verified. */
  readonly hasAddresses: boolean;
  /** The time of the first and the last line; `null` without lines. */
  readonly from: string | null;
  readonly to: string | null;
  /** Those with the most requests first. */
  readonly crawlers: readonly CrawlerSummary[];
  /** The rules that decided about requests, those with the most requests first. */
  readonly rules: readonly RuleUse[];
  /** The rules of the newest version that decided about no request. */
  readonly unusedRules: readonly Omit<RuleUse, 'requests' | 'crawlers'>[];
  /** `null` without an audit. */
  readonly audit: AuditComparison | null;
  /** Those with the highest severity first, then those with the most requests. */
  readonly findings: readonly LogFinding[];
}
