// The findings that a run stores: what is wrong with a URL for a crawler. findings/ has the kinds.

import type { Severity } from '@maycrawl/core';

/** A finding about a URL, for one crawler. @typeParam Code - the codes of kinds. */
export interface Finding<Code extends string = string> {
  readonly code: Code;
  /** Index of the crawler in the settings. */
  readonly agent: number;
  /** The key of the URL. */
  readonly key: number;
  /** What the finding is about, by which findings are grouped: a title, a reason, a status; `null` if there is only one group. */
  readonly detail: string | null;
  /** Other URLs that belong to it, such as the targets of redirects in their order. */
  readonly targets: readonly string[];
  /** Of findings whose severity depends on the part of the site that is concerned. @defaultValue that of the kind */
  readonly severity?: Severity;
}

/** A finding about the URL and the crawler at hand. */
export type Found<Code extends string = string> = Pick<Finding<Code>, 'code' | 'detail' | 'targets'>;

/** The pages that link to the URL of a finding. */
export interface FindingLinks {
  /** Their number. */
  readonly count: number;
  /** Those that are nearest to a start, and the different texts of their links. */
  readonly pages: readonly { readonly url: string; readonly texts: readonly string[] }[];
}

/** How a kind of findings follows from the verdicts of a run: expressions over the view `judged` (tables/finding-table.ts). */
export interface FindingQuery {
  /** @defaultValue no detail */
  readonly detail?: string;
  readonly where: string;
  /** Whether an unfetched page or sitemap could make the finding wrong. @defaultValue `false` */
  readonly needsCompleteRun?: boolean;
}
