/**
 * The kinds of findings of an audit. A kind is one record in the file of its severity: the command, the reports, the pages, the API and
 * docs/findings.md have its texts from there. findings/ and run/tables/finding-table.ts have the search for each.
 *
 * @module
 */
import type { Severity } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/options';
import { formatCount } from '../../text/counts.ts';
import { ERRORS } from './errors.ts';
import { INFOS } from './infos.ts';
import { PAGE_WARNINGS } from './page-warnings.ts';
import { SOURCES, type Source, type Subject } from './sources.ts';
import { WARNINGS } from './warnings.ts';

/** The code of a kind. */
export type FindingCode =
  | keyof typeof ERRORS
  | keyof typeof WARNINGS
  | keyof typeof PAGE_WARNINGS
  | keyof typeof INFOS;

/** A kind of findings. */
export interface FindingKind {
  /** `error`: URLs are lost, or a statement of the site has no effect; `warning`: it wastes requests or weakens the site; `info`: often intended. */
  readonly severity: Severity;
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
}

/** A kind in its file, which names its source by the subject. */
type FindingRecord = Omit<FindingKind, 'source'> & { readonly source: Subject };

const RECORDS: Readonly<Record<FindingCode, FindingRecord>> = {
  ...ERRORS,
  ...WARNINGS,
  ...PAGE_WARNINGS,
  ...INFOS,
};

/** The codes of all kinds, the most urgent first. */
export const FINDING_CODES: readonly FindingCode[] = /* @__PURE__ */ freezeDeep(
  Object.keys(RECORDS) as FindingCode[],
);

/** The kinds by code. */
export const FINDING_KINDS: Readonly<Record<FindingCode, FindingKind>> = /* @__PURE__ */ createKinds();

function createKinds(): Readonly<Record<FindingCode, FindingKind>> {
  const kinds = FINDING_CODES.map((code) => [
    code,
    { ...RECORDS[code], source: SOURCES[RECORDS[code].source] },
  ]);
  return freezeDeep(Object.fromEntries(kinds) as Record<FindingCode, FindingKind>);
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
 */
export function describeUrlFinding(
  code: FindingCode,
  detail: string,
): { readonly sentence: string; readonly action: string } {
  const { sentence, action, actionForOne = action } = FINDING_KINDS[code];
  const isWhole = sentence.endsWith('.') || sentence.endsWith(':');
  const rest = detail === '' ? '.' : ` (${detail}).`;
  return { sentence: isWhole ? sentence : `${sentence}${rest}`, action: actionForOne };
}

/** Describes the detail of a finding, by which findings are grouped. */
export function describeDetail(code: FindingCode, detail: string): string {
  if (/^\d{3}$/.test(detail)) return `status ${detail}`;
  return code === 'duplicate-content' ? `the hash of the bytes begins with ${detail}` : detail;
}
