/**
 * What the report says about the whole run, as packages/maycrawl/src/audit/report/html/html-report.ts writes it.
 *
 * @module
 */

/** In the order of the numbers in the data. */
export const STATES = ['waiting', 'asked', 'blocked', 'outside', 'trap', 'deep'] as const;
export type State = (typeof STATES)[number];

/** In the order of the bits in the data; the first that applies is the primary one. */
export const REASONS = [
  ...(['blocked', 'unreachable', 'error', 'redirect', 'not-found'] as const),
  ...(['noindex', 'canonicalised'] as const),
] as const;
export type Reason = (typeof REASONS)[number];

/** Reasons and what is hidden as sums of bits, the number of the decision, and those of directives that forbid indexing. */
export type Verdict = readonly [reasons: number, hidden: number, crawl: number, ...noindex: number[]];
type Crawl = readonly [allowed: 0 | 1, reason: string, line: number, text: string | null];
type Noindex = readonly [from: 'meta' | 'header', agent: string | null, text: string];

interface AgentSummary {
  readonly agent: string;
  readonly judged: number;
  readonly indexable: number;
  readonly primary: Readonly<Record<Reason, number>>;
  readonly all: Readonly<Record<Reason, number>>;
}

interface Sitemap {
  readonly id: number;
  readonly url: string;
  readonly foundIn: string;
  readonly entries: number | null;
  readonly problem: string | null;
}

interface RobotsSummary {
  readonly origin: string;
  readonly use: string;
  readonly bytes: number | null;
  readonly meaning: string;
}

/** The whole run. */
export interface Head {
  readonly name: string;
  readonly settings: {
    readonly starts: readonly string[];
    readonly scope: string;
    readonly maxPages: number | null;
    readonly maxDepth: number | null;
    readonly include: readonly string[];
    readonly exclude: readonly string[];
    readonly sitemaps: boolean;
    readonly profile: string;
    readonly startedAt: number;
  };
  readonly end: { readonly why: string; readonly at: number; readonly waiting: number } | null;
  /** The same in a sentence. */
  readonly ending: string;
  readonly counts: Readonly<Record<State, number>>;
  readonly total: number;
  readonly inSitemaps: number;
  readonly agents: readonly AgentSummary[];
  readonly robots: readonly RobotsSummary[];
  readonly sitemaps: readonly Sitemap[];
  /** What there was no room for. */
  readonly leftOut: {
    readonly urls: number;
    readonly robots: number;
    readonly sitemaps: number;
    readonly alternates: number;
  };
  /** For each number a verdict for each crawler, `null` where there is none. */
  readonly verdicts: readonly (readonly (Verdict | null)[])[];
  readonly crawls: readonly Crawl[];
  readonly noindexes: readonly Noindex[];
  readonly types: readonly string[];
  readonly alternates: readonly (readonly [page: number, hreflang: string, version: number])[];
}
