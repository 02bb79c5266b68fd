/**
 * What the service answers about the sites that it watches (docs/serve.md). Times are as in ISO 8601. Texts in it are from servers and
 * people: they are shown through visible.ts alone.
 *
 * @module
 */

export type Severity = 'info' | 'warning' | 'error';
export type Holds = 'unknown' | 'rules' | 'absent' | 'unreachable' | 'outage-expired';
type Outcome = 'found' | 'absent' | 'unreachable';

/** Something that happened. */
export interface WatchEvent {
  readonly id: string;
  readonly at: string;
  readonly origin: string;
  readonly version: number;
  readonly kind: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Nobody was told, because the site changes all the time. */
  readonly throttled: boolean;
}

/** A site in a list. */
export interface ListedSite {
  readonly origin: string;
  readonly holds: Holds;
  readonly outcome: Outcome | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly version: number;
  readonly changedAt: string | null;
  readonly checkedAt: string | null;
  readonly dueAt: string;
  readonly event: Pick<WatchEvent, 'id' | 'at' | 'kind' | 'severity' | 'title' | 'throttled'> | null;
}

export interface SitesAnswer {
  readonly total: number;
  readonly due: number;
  readonly waiting: number;
  readonly dropped: number;
  readonly sites: readonly ListedSite[];
  readonly next: string | null;
}

/** What a site answered for some time. */
export interface Version {
  readonly number: number;
  readonly kind: Outcome;
  readonly hash: string | null;
  readonly bytes: number | null;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly checks: number;
  readonly status: number | null;
  readonly reason: string | null;
  readonly headers: Readonly<Record<string, string | null>> | null;
  readonly hops: readonly { readonly url: string; readonly status: number | null }[];
}

/** A version with its file, in base64. */
export interface FullVersion extends Version {
  readonly content: string | null;
}

/** Somebody who is still to be told, or was given up. */
export interface Delivery {
  readonly event: string;
  readonly title: string;
  readonly target: string;
  readonly state: 'waiting' | 'dropped';
  readonly attempts: number;
  readonly error: string | null;
  readonly nextAt: string | null;
  readonly droppedAt: string | null;
}

export interface SiteAnswer {
  readonly origin: string;
  readonly holds: Holds;
  readonly version: number;
  readonly checks: number;
  readonly checkedAt: string | null;
  readonly dueAt: string;
  readonly throttledAt: string | null;
  readonly outage: { readonly since: string; readonly failures: number; readonly reason: string } | null;
  readonly settings: {
    readonly every: number;
    readonly agents: readonly string[];
    readonly severity: Readonly<Record<string, Severity>>;
    readonly urls: string | null;
    readonly tests: string | null;
    readonly notify: readonly string[];
  };
  readonly versions: readonly Version[];
  readonly moreVersions: boolean;
  readonly events: readonly WatchEvent[];
  readonly moreEvents: boolean;
  readonly deliveries: readonly Delivery[];
}

/** A target that stays as it is: its place, and how it is shown. */
export interface KeptTarget {
  readonly index: number;
  readonly shown: string;
}

/** How a site is watched, to be changed. */
export interface EditableSettings {
  readonly every: number;
  readonly agents: readonly string[];
  readonly severity: Readonly<Record<string, Severity>>;
  readonly urls: string | null;
  readonly tests: string | null;
  readonly notify: readonly KeptTarget[];
}

/** One change between two versions. */
export interface ComparedChange {
  readonly agent: string;
  readonly direction: 'blocked' | 'allowed';
  readonly example: string;
  readonly before: { readonly line: number; readonly rule: string } | null;
  readonly after: { readonly line: number; readonly rule: string } | null;
}

export interface ComparisonAnswer {
  readonly equivalent: boolean | null;
  readonly changes: readonly ComparedChange[];
  readonly undecided?: readonly string[];
}

/** How many URLs each crawler may fetch, from a moment on. */
export interface UrlsStep {
  readonly at: number;
  readonly version: number;
  readonly holds: Holds;
  readonly allowed: readonly number[];
}

export interface UrlsAnswer {
  readonly total: number;
  readonly counted: number;
  readonly agents: readonly string[];
  readonly steps: readonly UrlsStep[];
}
