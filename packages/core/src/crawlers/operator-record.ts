// Records of operators: what is documented about verification, caching, outages and pace of their crawlers.
import { freezeDeep } from '../bytes/freeze.ts';
import type { OutagePhase } from '../crawler/profile.ts';
import type { CrawlerSource } from './record.ts';

/** What is documented about `Crawl-delay`. `inherits-default`: obeys that of the group for `*`, too, if its own group has none. */
export const CRAWL_DELAY_BEHAVIORS: readonly ['obeys', 'ignores', 'inherits-default', 'unknown'] =
  /* @__PURE__ */ freezeDeep(['obeys', 'ignores', 'inherits-default', 'unknown']);

/** What is documented about a crawler and `Crawl-delay`. */
export type CrawlDelayBehavior = (typeof CRAWL_DELAY_BEHAVIORS)[number];

/** What an operator promises about robots.txt. `ignores`: its documentation says that the rules may not apply to the crawler. */
export const PROMISES: readonly ['obeys', 'ignores', 'unknown'] = /* @__PURE__ */ freezeDeep([
  'obeys',
  'ignores',
  'unknown',
]);

/** What an operator promises about a crawler and robots.txt. */
export type RobotsTxtPromise = (typeof PROMISES)[number];

/**
 * Formats of lists of addresses. `json`: an object with `prefixes` (draft-illyes-webbotauth-jafar). `text`: a prefix or an address a
 * line. `geofeed`: CSV (RFC 8805).
 */
export const RANGE_FORMATS: readonly ['json', 'text', 'geofeed'] = /* @__PURE__ */ freezeDeep([
  'json',
  'text',
  'geofeed',
]);

/** The format of a list of addresses. */
export type RangeFormat = (typeof RANGE_FORMATS)[number];

/** Effects of an outage of robots.txt: those of a profile, and `allow`: all URLs are allowed. */
export const OUTAGE_EFFECTS: readonly ['disallow', 'last-response', 'allow-if-reachable', 'allow'] =
  /* @__PURE__ */ freezeDeep(['disallow', 'last-response', 'allow-if-reachable', 'allow']);

/** The effect of an outage on a crawler from a point in time until the next phase. */
export interface OperatorOutagePhase {
  /** Milliseconds since the first failure. */
  readonly from: number;
  readonly effect: OutagePhase['effect'] | 'allow';
}

/** A list of the addresses from which a crawler sends requests. */
export interface RangeMethod {
  /** URL of the list. */
  readonly ranges: string;
  readonly format: RangeFormat;
  /** The list does not have all addresses: a request from another one can be genuine. @defaultValue `false` */
  readonly partial?: boolean;
}

/** Reverse DNS, confirmed by a forward lookup. */
export interface DnsMethod {
  /** Names of hosts. `*.` at the start stands for one or several labels. */
  readonly dns: readonly string[];
}

/** Signatures of requests (RFC 9421, draft-ietf-webbotauth-httpsig-protocol). */
export interface SignatureMethod {
  /** The origin that the requests name as Signature-Agent. */
  readonly signature: string;
}

/** A method with which requests of a crawler can be verified. */
export type VerificationMethod = RangeMethod | DnsMethod | SignatureMethod;

/**
 * What is documented about an operator. A record with `crawlers` is about them, one without about all crawlers of the operator that no
 * other record names. A record with `crawlers` has what it lacks from the record of the operator without.
 */
export interface OperatorRecord {
  /** The organisation, as in the records of its crawlers. */
  readonly operator: string;
  /** Tokens. */
  readonly crawlers?: readonly string[];
  /** How long a fetched robots.txt is used, in milliseconds. @defaultValue 24 hours */
  readonly cachePeriod?: number;
  /** The effect of a 4xx response, except 429, to the request for robots.txt. The first phase begins at 0. */
  readonly whenUnavailable?: readonly OperatorOutagePhase[];
  /** The effect of a 5xx response, 429, or none. The first phase begins at 0. */
  readonly whenUnreachable?: readonly OperatorOutagePhase[];
  /** @defaultValue `unknown` */
  readonly crawlDelay?: CrawlDelayBehavior;
  /** Empty: the operator publishes no method. @defaultValue none */
  readonly verification?: readonly VerificationMethod[];
  /** @defaultValue what the record of the crawler says, if its first source is the operator; else `unknown` */
  readonly robotsTxt?: RobotsTxtPromise;
  /** URL of a Signature Agent Card (draft-meunier-webbotauth-registry). */
  readonly card?: string;
  /** The most important source first. */
  readonly sources: readonly CrawlerSource[];
}
