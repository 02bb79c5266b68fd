/**
 * The data of the HTML report, as the page in it reads them: the only description of it. A row is an array without the nulls at its
 * end, and a value that is frequent is an index into a list of the head. The page imports this module, so it needs no Node.
 *
 * @module
 */
import { freezeDeep } from '@maycrawl/core/options';
import type { FindingCode } from '../../run/records/finding.ts';
import type { StoredPreferences } from '../../run/records/preferences.ts';
import type { RunSummary } from '../summary.ts';

/** What a URL leads to: the index of a row, or the URL itself if the report has no row of it. */
export type Target = number | string;

/** A canonical link that does not count, and why. */
export type IgnoredCanonical = readonly [source: 'html' | 'header', href: string, reason: string];

/** Values of {@link UrlRow.canonical}: the kind is an index. */
export const CANONICAL_KINDS = ['absent', 'self', 'other', 'conflict'] as const;
freezeDeep(CANONICAL_KINDS);
/** Sources of a canonical link: bit 0 and bit 1. */
export const CANONICAL_SOURCES = ['html', 'header'] as const;
freezeDeep(CANONICAL_SOURCES);

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
      readonly refused: readonly (readonly [url: string, why: string])[];
      readonly isStopped: boolean;
    }
  | string;

/** A URL of the run. */
export interface UrlRow {
  /** Length of the beginning that the URL shares with the one in the row before. */
  readonly shared: number;
  /** The rest of the URL. */
  readonly rest: string;
  /** Index of its state (run/run-store.ts). */
  readonly state: number;
  readonly depth: number | null;
  /** Index of the verdicts of all agents. */
  readonly verdict: number | null;
  /** Index of its segment; `null` if it has no verdict. */
  readonly segment: number | null;
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly bytes: number | null;
  /** Index of the media type. */
  readonly type: number | null;
  readonly title: string | null;
  readonly redirect: Target | null;
  /** Kind, sum of sources, and the URLs that it names. */
  readonly canonical: readonly [kind: number, sources: number, ...targets: Target[]] | null;
  /** Numbers of the sitemaps that list it. */
  readonly sitemaps: number | readonly number[] | null;
  /** The number of pages that link to it. */
  readonly links: number | null;
  /** The number of URLs to which it links. */
  readonly targets: number | null;
  /**
   * Some of the pages that link to it, unless the report contains all links: for each its row, the sum of its link types (run/link-list.ts)
   * and the index of its texts.
   */
  readonly sources: readonly number[] | null;
  /** Index of the list of its blocked resources. */
  readonly resources: number | null;
  /** From 1, the same for pages with the same content; null for content that no other page has. */
  readonly digest: number | null;
  /** Why it is a trap, or why there is no response. */
  readonly note: string | null;
  readonly start: 1 | null;
  readonly ignored: readonly IgnoredCanonical[] | null;
  readonly rendering: RenderingCell | null;
  /** Index of its preferences for all crawlers. */
  readonly use: number | null;
}

/** The columns of a row, in order. */
export const ROW_COLUMNS: readonly (keyof UrlRow)[] = /* @__PURE__ */ freezeDeep([
  ...(['shared', 'rest', 'state', 'depth', 'verdict', 'segment', 'status', 'milliseconds', 'bytes'] as const),
  ...(['type', 'title', 'redirect', 'canonical', 'sitemaps', 'links', 'targets', 'sources', 'use'] as const),
  ...(['digest', 'note', 'start', 'ignored', 'resources', 'rendering'] as const),
]);

/** A row as it is written. */
export type PackedRow = readonly (UrlRow[keyof UrlRow] | undefined)[];

/**
 * The links of a page: its row, and then for each link, in the order of their rows, the difference of its row from the one before, the sum
 * of its types and the index of its texts.
 */
export type PackedLinks = readonly number[];

/** A resource that a crawler may not fetch: its URL, the sum of the bits of its kinds, and for each crawler the line of the rule, or 0. */
export type PackedResource = readonly [url: string, kinds: number, ...lines: number[]];

/** Sums of reasons (bits in their order), those that a block hides, the decision, and directives that forbid indexing. */
export type ReportVerdict = readonly [
  reasons: number,
  hidden: number,
  decision: number,
  ...noindex: number[],
];

/** What robots.txt decides: the line is 0 if no rule does. */
export type Decision = readonly [allowed: 0 | 1, reason: string, line: number, text: string | null];

/** A directive that forbids indexing. The agent is null for a directive to all. */
export type NoindexDirective = readonly [source: 'meta' | 'header', agent: string | null, text: string];

/**
 * Findings of a kind with the same detail. Rows are ascending, each as the difference from the one before. The detail is omitted (`null`)
 * for kinds that group by a value of the rows themselves: their title or digest.
 */
export type FindingGroup = readonly [
  detail: string | null,
  rows: readonly number[],
  /** The targets of each row, if the kind has any. */
  targets?: readonly (readonly Target[])[],
];

/** The findings of a kind, for crawlers that have the same ones. */
export interface FindingList {
  readonly code: FindingCode;
  /** Indexes of the crawlers. */
  readonly agents: readonly number[];
  readonly groups: readonly FindingGroup[];
}

/** Everything but the rows and the findings. */
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
  /** Verdicts of the agents, in their order; null where there is none. */
  readonly verdicts: readonly (readonly (ReportVerdict | null)[])[];
  readonly decisions: readonly Decision[];
  readonly noindexes: readonly NoindexDirective[];
  readonly types: readonly string[];
  /** Names of all segments. */
  readonly segmentNames: readonly string[];
  /** Texts of links; empty for links without a text. */
  readonly texts: readonly (readonly string[])[];
  /** Whether the report contains all links. */
  readonly hasAllLinks: boolean;
  readonly resources: readonly PackedResource[];
  /** Indexes of the resources of pages that have the same ones. */
  readonly resourceLists: readonly (readonly number[])[];
  /** For each crawler an index of {@link declared}; `null` if nothing is declared for it. */
  readonly uses: readonly (readonly (number | null)[])[];
  readonly declared: readonly StoredPreferences[];
}

/** Packs a row. */
export function packRow(row: UrlRow): PackedRow {
  const cells = ROW_COLUMNS.map((column) => row[column]);
  while (cells.at(-1) === null) cells.pop();
  return cells;
}
