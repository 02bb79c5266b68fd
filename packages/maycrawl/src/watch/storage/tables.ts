// The rows of the monitor's tables, the same in SQLite and PostgreSQL. Times are milliseconds since 1970. What servers sent is stored as
// JSON, which escapes every character that a database cannot store.

/** A monitored site, its settings and its state. */
export interface SiteRow {
  readonly origin: string;
  /** JSON of {@link import('../site.ts').SiteSettings}. */
  readonly settings: string;
  readonly due_at: number;
  readonly lease_owner: string | null;
  /** In the time of leases ({@link import('@maycrawl/client/internal').getLeaseTime}). */
  readonly lease_until: number | null;
  readonly checked_at: number | null;
  readonly checks: number;
  /** The last successful response without its file, and the outage since then, in JSON; the file is a content. */
  readonly response: string | null;
  readonly outage: string | null;
  readonly hash: string | null;
  /** The code of the effective policy after the last check. */
  readonly policy: string;
  /** The number of the current version; 0 before the first. */
  readonly version: number;
  /** The last change for which no notification was sent, because the site changes all the time. */
  readonly throttled_at: number | null;
  /** The number of analyses that were started and not completed since the last completed one. */
  readonly attempts: number;
  /** The response of the last attempt: SHA-256 of the file in hexadecimal, or the kind of the result. */
  readonly attempted_response: string | null;
  /** When the site was set aside, because its analyses were not completed. */
  readonly set_aside_at: number | null;
  /** The failure that the next check confirms or not, in JSON of {@link import('../confirmation.ts').UnconfirmedFailure}. */
  readonly unconfirmed: string | null;
  /** The last request for `/` in an outage, in JSON of {@link import('../confirmation.ts').SiteCheck}. */
  readonly site_check: string | null;
}

/** A response of a site, from its first check to its last. */
export interface VersionRow {
  readonly origin: string;
  /** From 1, for each site. */
  readonly number: number;
  readonly kind: 'successful' | 'unavailable' | 'unreachable';
  readonly hash: string | null;
  /** The hash of the records, without comments ({@link import('./contents.ts').hashRecords}). */
  readonly records_hash: string | null;
  /** Status, code, message, headers and hops of the first check, in JSON. */
  readonly facts: string;
  readonly first_seen: number;
  readonly last_seen: number;
  readonly checks: number;
}

/** A change of a site, and its impact. */
export interface EventRow {
  readonly id: string;
  readonly origin: string;
  readonly version: number;
  readonly at: number;
  readonly kind: string;
  readonly severity: string;
  readonly title: string;
  readonly text: string;
  /** JSON. */
  readonly details: string;
  /** 1 if no notification is sent, because the site changes all the time. */
  readonly throttled: number;
}

/** A scheduled audit of a monitored site. */
export interface AuditRow {
  readonly origin: string;
  /** JSON of {@link import('../audits/audit-settings.ts').AuditSettings}. */
  readonly settings: string;
  readonly due_at: number;
  readonly lease_owner: string | null;
  /** As in {@link SiteRow}. */
  readonly lease_until: number | null;
  /** The name of the run that was begun and has not ended, and when it was begun. */
  readonly run: string | null;
  readonly started_at: number | null;
  /** The number of attempts at this run that did not end. */
  readonly attempts: number;
  /** The last run that ended, and when. */
  readonly last_run: string | null;
  readonly last_at: number | null;
  /** Why that run did not count, in a sentence. */
  readonly failure: string | null;
}

/** An access log of a monitored site that is read on a schedule. */
export interface LogRow {
  readonly origin: string;
  /** Absolute. */
  readonly path: string;
  /** The name of the machine that has the file; empty if the database is a file of the same machine. */
  readonly machine: string;
  /** JSON of {@link import('../logs/log-settings.ts').LogSettings}. */
  readonly settings: string;
  readonly due_at: number;
  readonly lease_owner: string | null;
  /** As in {@link SiteRow}. */
  readonly lease_until: number | null;
  /** JSON of {@link import('../logs/log-state.ts').WatchedLog}; `null` before the first reading. */
  readonly state: string | null;
  readonly last_at: number | null;
  /** Why the last reading failed or is incomplete, in a sentence. */
  readonly failure: string | null;
}

/** A notification of an event for one target. */
export interface OutboxRow {
  readonly event: string;
  readonly target: string;
  /** The id of the message in which the event was first sent. Later attempts send the same message. */
  readonly message: string | null;
  readonly next_at: number;
  readonly attempts: number;
  readonly lease_owner: string | null;
  /** As in {@link SiteRow}. */
  readonly lease_until: number | null;
  readonly delivered_at: number | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
  /** When the last attempt failed for good. */
  readonly dropped_at: number | null;
  /** 1 if the operator set the target on the command line: it may be on a private address. */
  readonly is_open: number;
}
