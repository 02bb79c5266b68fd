/**
 * The findings that a run stores: what is wrong with a URL for a crawler. findings/kinds/finding-kinds.ts describes each kind.
 *
 * @module
 */
import { freezeDeep } from '@maycrawl/core/options';

/** The codes of all kinds, the most urgent first. */
export const FINDING_CODES = [
  'server-error',
  'no-response',
  'redirect-without-target',
  'not-reachable',
  'broken-link',
  'listed-not-indexable',
  'redirect-loop',
  'redirect-to-error',
  'redirect-to-blocked',
  'canonical-ignored',
  'canonical-conflict',
  'canonical-to-error',
  'canonical-to-blocked',
  'canonical-to-noindex',
  'rendered-noindex-added',
  'rendered-noindex-removed',
  'hidden-noindex',
  'access-denied',
  'hreflang-unknown-language',
  'hreflang-not-indexable',
  'hreflang-without-return',
  'no-not-found-status',
  'soft-404',
  'blocked-resource',
  'redirect-to-noindex',
  'redirect-to-canonicalised',
  'redirect-chain',
  'canonical-to-redirect',
  'canonical-chain',
  'rendered-canonical-changed',
  'rendered-links-only',
  'rendered-redirect',
  'rendered-resource-blocked',
  'not-rendered',
  'duplicate-content',
  'duplicate-title',
  'missing-title',
  'preferences-conflict',
  'preference-syntax',
  'mixed-preferences',
  'not-listed',
  'orphan',
  'blocked-image',
  'hreflang-without-default',
  'redirect-to-other-site',
  'redirect-to-unknown',
  'canonical-to-other-site',
  'canonical-to-unknown',
  'rendered-title-changed',
  'preference-never-read',
  'use-without-crawl',
] as const;
freezeDeep(FINDING_CODES);
/** The code of a kind. */
export type FindingCode = (typeof FINDING_CODES)[number];
/** The code of a kind about what scripts change of a page. */
export type RenderingCode = Extract<FindingCode, `rendered-${string}` | 'not-rendered'>;

/** The code of a kind about the use of content. */
export type PreferenceCode = Extract<
  FindingCode,
  | 'preferences-conflict'
  | 'preference-syntax'
  | 'mixed-preferences'
  | 'preference-never-read'
  | 'use-without-crawl'
>;

/** A finding about a URL, for one crawler. */
export interface Finding {
  readonly code: FindingCode;
  /** Index of the crawler in the settings. */
  readonly agent: number;
  /** The key of the URL. */
  readonly key: number;
  /** What the finding is about, by which findings are grouped: a title, a reason, a status; `null` if there is only one group. */
  readonly detail: string | null;
  /** Other URLs that belong to it, such as the targets of redirects in their order. */
  readonly targets: readonly string[];
}

/** A finding about the URL and the crawler at hand. */
export type Found = Pick<Finding, 'code' | 'detail' | 'targets'>;
