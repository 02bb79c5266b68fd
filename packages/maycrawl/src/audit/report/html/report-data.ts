// The data of the HTML report, as the page in it reads them: the only description of it. A {@link ValueIndex} refers to a value of the
// section `values`, which many items share. The page imports this module, so it needs no Node.
import type { Severity } from '@maycrawl/core';
import type { Reason, ResourceKind } from '@maycrawl/core/indexability';
import type { Columns, ValueIndex } from '../../../reports/report-data.ts';
import type { FindingCode } from '../../findings/finding-kinds.ts';
import type { StoredPreferences } from '../../run/records/preferences.ts';
import type { UrlState } from '../../run/records/url.ts';
import type { RunSummary } from '../summary.ts';

/** What a URL leads to: the index of a row, or the URL itself if the report has no row of it. */
export type Target = number | string;

/** A canonical link that does not count, and why. */
export type IgnoredCanonical = readonly [source: 'html' | 'header', href: string, reason: string];

/** The canonical links of a page that count, and the URLs that they name. */
export interface ReportCanonical {
  readonly kind: 'self' | 'other' | 'conflict';
  readonly sources: readonly ('html' | 'header')[];
  readonly targets: readonly Target[];
}

/** The metadata of a page. */
export interface RenderedState {
  readonly title: string | null;
  readonly robots: readonly string[];
  readonly canonicals: readonly string[];
}

/** A number of links, and some of them. */
export type RenderedLinks = readonly [count: number, ...targets: Target[]];

/** What the scripts of a page change, or why it could not be rendered. */
export type RenderingCell =
  | {
      readonly before: RenderedState;
      readonly after: RenderedState;
      readonly added: RenderedLinks;
      readonly removed: RenderedLinks;
      readonly redirect: Target | null;
      readonly refused: readonly (readonly [url: string, reason: string])[];
      readonly isStopped: boolean;
    }
  | string;

/** A URL of the run. */
export interface UrlRow {
  readonly url: string;
  readonly state: UrlState;
  readonly depth: number | null;
  /** The verdict for each agent. `null` if it has no verdict at all, like the segment. */
  readonly verdict: ValueIndex<readonly (ValueIndex<ReportVerdict> | null)[]> | null;
  /** For each agent the directives that forbid indexing; `null` if there are none. */
  readonly noindex: ValueIndex<readonly (readonly ValueIndex<NoindexDirective>[])[]> | null;
  readonly segment: ValueIndex<string> | null;
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly bytes: number | null;
  /** The media type. */
  readonly type: ValueIndex<string> | null;
  readonly title: string | null;
  readonly redirect: Target | null;
  readonly canonical: ReportCanonical | null;
  readonly ignored: readonly IgnoredCanonical[] | null;
  /** Numbers of the sitemaps that list it. */
  readonly sitemaps: readonly number[];
  /** The number of pages that link to it. */
  readonly links: number;
  /** The number of URLs to which it links. */
  readonly targets: number;
  readonly resources: ValueIndex<readonly ValueIndex<ReportResource>[]> | null;
  /** Why it is a crawl trap, or why there is no response. */
  readonly note: string | null;
  readonly isStart: boolean;
  readonly rendering: RenderingCell | null;
  /** For each agent what is declared for it. */
  readonly use: ValueIndex<readonly (ValueIndex<StoredPreferences> | null)[]> | null;
}

/** A link between two rows. */
export interface LinkRow {
  readonly from: number;
  readonly to: number;
  /** The sum of its link types (run/link-list.ts). */
  readonly types: number;
  /** Its different texts; `null` for a link without one. */
  readonly text: ValueIndex<readonly string[]> | null;
}

/** A resource that a crawler may not fetch. */
export interface ReportResource {
  readonly url: string;
  readonly kinds: readonly ResourceKind[];
  /** For each agent the line of the rule; 0 if the agent may fetch it. */
  readonly lines: readonly number[];
}

/** The verdict of an agent, and what robots.txt decides. */
export interface ReportVerdict {
  /** Why it cannot be indexed, the primary reason first. */
  readonly reasons: readonly Reason[];
  /** Those that a block hides. */
  readonly maskedReasons: readonly Reason[];
  readonly isAllowed: boolean;
  /** Why robots.txt allows or disallows it. */
  readonly decision: string;
  /** 0 if no rule decides. */
  readonly line: number;
  readonly text: string | null;
}

/** A directive that forbids indexing. The agent is null for a directive to all. */
export type NoindexDirective = readonly [source: 'meta' | 'header', agent: string | null, text: string];

/** Findings of a kind with the same severity and detail. */
export interface FindingGroup {
  readonly severity: Severity;
  /** `null` for a kind without details, or one that groups by a value of the rows: their title or digest. */
  readonly detail: string | null;
  /** Ascending. */
  readonly rows: readonly number[];
  /** The targets of each row; empty if the kind has none. */
  readonly targets: readonly (readonly Target[])[];
}

/** The findings of a kind, for crawlers that have the same ones. */
export interface FindingList {
  readonly code: FindingCode;
  /** Indexes of the crawlers. */
  readonly agents: readonly number[];
  readonly groups: readonly FindingGroup[];
}

/** What the report says about the run as a whole. */
export interface ReportHead extends RunSummary {
  /** Of the run. */
  readonly name: string;
  /** Whether the run is complete, in a sentence. */
  readonly ending: string;
  /** What the report leaves out because of its size. */
  readonly omitted: {
    readonly urls: number;
    readonly robots: number;
    readonly sitemaps: number;
  };
  /** Whether the report contains all links. Otherwise, it has some of the links to each URL. */
  readonly hasAllLinks: boolean;
}

/** The sections of the report. */
export interface AuditSections {
  readonly rows: Columns<UrlRow>;
  readonly links: Columns<LinkRow>;
  readonly findings: FindingList;
  readonly values: unknown;
  readonly head: ReportHead;
}
