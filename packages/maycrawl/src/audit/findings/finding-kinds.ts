// The kinds of findings of an audit. A kind is one record: its texts and how it is found, in the file of its subject. The command, the
// reports, the pages, the API and docs/findings.md have its texts from there. The pages import this module, so it needs no Node.
import type { Severity } from '@maycrawl/core';
import type { Reason } from '@maycrawl/core/indexability';
import { freezeDeep } from '@maycrawl/core/internal';
import { SEVERITIES } from '../../reports/severities.ts';
import { formatCount } from '../../text/counts.ts';
import type { FindingQuery } from '../run/records/finding.ts';
import { BROKEN_URL_KINDS } from './broken-urls.ts';
import { CONTENT_KINDS } from './contents.ts';
import { INDEXING_KINDS } from './indexing.ts';
import { REFUSAL_KINDS } from './preferences/missing-refusals.ts';
import { PREFERENCE_KINDS } from './preferences/preference-kinds.ts';
import { REACH_KINDS } from './reach.ts';
import { RENDERING_KINDS } from './rendering.ts';
import { RESOURCE_KINDS } from './resources.ts';
import { RESPONSE_KINDS } from './responses.ts';
import { SITE_KINDS } from './site-parts/site-kinds.ts';
import { SITEMAP_KINDS } from './sitemaps.ts';
import { SOFT_404_KINDS } from './soft-404.ts';
import { SOURCES, type Source, type Subject } from './sources.ts';
import { ALTERNATE_KINDS } from './targets/alternates.ts';
import { CANONICAL_KINDS } from './targets/canonicals.ts';
import { REDIRECT_KINDS } from './targets/redirects.ts';
import { HOST_VARIANT_KINDS } from './variants/host-variants.ts';
import { VARIANT_KINDS } from './variants/url-variants.ts';

/** All kinds. */
type Kinds = typeof SITE_KINDS &
  typeof RESPONSE_KINDS &
  typeof BROKEN_URL_KINDS &
  typeof SITEMAP_KINDS &
  typeof INDEXING_KINDS &
  typeof CONTENT_KINDS &
  typeof REACH_KINDS &
  typeof REDIRECT_KINDS &
  typeof CANONICAL_KINDS &
  typeof ALTERNATE_KINDS &
  typeof SOFT_404_KINDS &
  typeof RESOURCE_KINDS &
  typeof RENDERING_KINDS &
  typeof VARIANT_KINDS &
  typeof HOST_VARIANT_KINDS &
  typeof PREFERENCE_KINDS &
  typeof REFUSAL_KINDS;

/** The code of a kind. */
export type FindingCode = keyof Kinds;

/** A kind of findings. */
export interface FindingKind {
  /**
   * `error`: URLs are lost, or a statement of the site has no effect; `warning`: it wastes requests or weakens the site; `info`: often
   * intended. A finding can have another severity (FindingWriter).
   */
  readonly severity: Severity;
  /** `indexing`: no finding for crawlers that do not index pages. @defaultValue a finding for every crawler */
  readonly about?: 'indexing';
  /** `site`: the finding at one URL concerns all URLs of the site. @defaultValue the URL */
  readonly concerns?: 'site';
  /** For crawlers that do not index pages. @defaultValue the same as for others */
  readonly forOthers?: Pick<FindingKind, 'severity' | 'cost' | 'action'>;
  /** The place among the kinds of this severity: the most urgent one has the smallest number. */
  readonly rank: number;
  /** What is wrong with one URL, and with several: `#` stands for their number. Without a full stop. */
  readonly one: string;
  readonly many: string;
  /**
   * What is wrong, beside the URL. With a full stop it is complete; a colon introduces other URLs; otherwise the detail of the finding
   * follows.
   */
  readonly sentence: string;
  /** What it costs, and what to do about several URLs. */
  readonly cost: string;
  readonly action: string;
  /** What to do about one URL. @defaultValue `action` */
  readonly actionForOne?: string;
  /** When a URL has the finding, in sentences. */
  readonly decision: string;
  /** In one line. */
  readonly example: string;
  readonly source: Source;
  /** Whether the detail says how many URLs have it, so that outputs need not. @defaultValue `false` */
  readonly countsUrls?: boolean;
  /** Whether the fault is in the pages that link to the URL, so that outputs name them. @defaultValue `false` */
  readonly isAboutLinks?: boolean;
  /** The statement that finds it. Other kinds are found by a function in their file. */
  readonly query?: FindingQuery;
  /** For redirects and canonicals: the results at their end that are this finding (target-judge.ts). */
  readonly end?: readonly ('unknown' | Reason)[];
}

/** A kind in its file, which names its source by the subject. */
type FindingRecord = Omit<FindingKind, 'source'> & { readonly source: Subject };

const RECORDS: Readonly<Record<FindingCode, FindingRecord>> = {
  ...SITE_KINDS,
  ...RESPONSE_KINDS,
  ...BROKEN_URL_KINDS,
  ...SITEMAP_KINDS,
  ...INDEXING_KINDS,
  ...CONTENT_KINDS,
  ...REACH_KINDS,
  ...REDIRECT_KINDS,
  ...CANONICAL_KINDS,
  ...ALTERNATE_KINDS,
  ...SOFT_404_KINDS,
  ...RESOURCE_KINDS,
  ...RENDERING_KINDS,
  ...VARIANT_KINDS,
  ...HOST_VARIANT_KINDS,
  ...PREFERENCE_KINDS,
  ...REFUSAL_KINDS,
};

/** The codes of all kinds, the most urgent first. */
export const FINDING_CODES: readonly FindingCode[] = /* @__PURE__ */ sortCodes();

function sortCodes(): readonly FindingCode[] {
  const place = (code: FindingCode): number =>
    1_000 * SEVERITIES.indexOf(RECORDS[code].severity) + RECORDS[code].rank;
  return freezeDeep((Object.keys(RECORDS) as FindingCode[]).sort((a, b) => place(a) - place(b)));
}

/** The kinds by code. */
export const FINDING_KINDS: Readonly<Record<FindingCode, FindingKind>> = /* @__PURE__ */ createKinds();

function createKinds(): Readonly<Record<FindingCode, FindingKind>> {
  const kinds = FINDING_CODES.map((code) => [
    code,
    { ...RECORDS[code], source: SOURCES[RECORDS[code].source] },
  ]);
  return freezeDeep(Object.fromEntries(kinds) as Record<FindingCode, FindingKind>);
}

/** Returns the severity of a kind for a crawler; `null` if it is no finding for that one. @param isIndexing - whether the crawler indexes pages. */
export function getSeverity(code: FindingCode, isIndexing: boolean): Severity | null {
  const { severity, about, forOthers } = FINDING_KINDS[code];
  if (isIndexing) return severity;
  return about === 'indexing' ? null : (forOthers?.severity ?? severity);
}

/** Returns what a kind costs, and what to do, for a crawler. @param isIndexing - whether the crawler indexes pages. */
export function getAdvice(
  code: FindingCode,
  isIndexing: boolean,
): Required<Pick<FindingKind, 'cost' | 'action' | 'actionForOne'>> {
  const { forOthers, ...kind } = FINDING_KINDS[code];
  const { cost, action } = isIndexing ? kind : (forOthers ?? kind);
  return { cost, action, actionForOne: action === kind.action ? (kind.actionForOne ?? action) : action };
}

/** Describes a number of findings of a kind in a sentence without a full stop. */
export function describeFindings(code: FindingCode, count: number): string {
  const { one, many } = FINDING_KINDS[code];
  return count === 1 ? one : many.replace('#', formatCount(count));
}

/**
 * Describes a finding about one URL, and what to do. A sentence that ends with a colon introduces URLs.
 *
 * @param detail - of the finding, as text to show; empty if it has none. Only sentences that need it contain it.
 * @param isIndexing - whether the crawler indexes pages.
 */
export function describeUrlFinding(
  code: FindingCode,
  detail: string,
  isIndexing: boolean,
): { readonly sentence: string; readonly action: string } {
  const { sentence } = FINDING_KINDS[code];
  const { actionForOne } = getAdvice(code, isIndexing);
  const isWhole = sentence.endsWith('.') || sentence.endsWith(':');
  const rest = detail === '' ? '.' : ` (${detail}).`;
  return { sentence: isWhole ? sentence : `${sentence}${rest}`, action: actionForOne };
}

/** Describes the detail of a finding, by which findings are grouped. */
export function describeDetail(code: FindingCode, detail: string): string {
  if (/^\d{3}$/.test(detail)) return `status ${detail}`;
  return code === 'duplicate-content' ? `the hash of the bytes begins with ${detail}` : detail;
}
