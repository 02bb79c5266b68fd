/**
 * The findings that a run stores: what is wrong with a URL for a crawler. finding-kinds/ describes each kind.
 *
 * @module
 */
import type { FindingCode } from '../../finding-kinds/finding-kinds.ts';

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
