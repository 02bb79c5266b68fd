// Statements: what a source declares about one purpose.
import { freezeDeep } from '../bytes/freeze.ts';
import { truncate } from '../bytes/truncate.ts';

/** A preference. `unknown`: nothing usable is declared. `not-applicable`: robots.txt forbids the crawler to fetch the URL. */
export type PreferenceValue = 'allowed' | 'disallowed' | 'unknown' | 'not-applicable';

/** The format of a statement, in the order in which the deciding one is selected among equal ones. `page`: a directive of a robots meta tag or an X-Robots-Tag header, such as `noai`. */
export type PreferenceFormat =
  | 'content-usage'
  | 'content-signal'
  | 'rsl'
  | 'tdmrep'
  | 'policy-token'
  | 'page';

/** Where a statement was read. `html`: an RSL document in the page. */
export type StatementSource = 'robots.txt' | 'header' | 'meta' | 'html' | 'tdmrep.json' | 'rsl';

/** The sources that belong to a page: its response and its HTML. */
export const PAGE_SOURCES: readonly StatementSource[] = /* @__PURE__ */ freezeDeep([
  'header',
  'meta',
  'html',
]);

/** What a source declares about one purpose. */
export interface PreferenceStatement {
  readonly format: PreferenceFormat;
  /** The newest version of the format that defines the label, such as `aipref-08`; `null` if the format has no versions. */
  readonly dialect: string | null;
  readonly source: StatementSource;
  /** Name of the field, header or meta element as written, or the URL of the RSL document; `script` for one in the page; `null` if the source has no names. */
  readonly name: string | null;
  /** The label as written; for a policy token the token. */
  readonly label: string;
  /** The normalized purpose: `search`, `ai-train`, `ai-input`, or another one of the label tables. */
  readonly purpose: string;
  readonly value: 'allowed' | 'disallowed' | 'unknown';
  /** The declaration as written, without the name of its field. Texts are cut after 300 characters. */
  readonly text: string;
  /** Line of the source, from 1; `null` if it has no lines. */
  readonly line: number | null;
  /** Column of the value, in UTF-16 code units from 1; `null` if the source has no lines. */
  readonly column: number | null;
  /** The agents that the declaration names; `null` if it addresses all agents. */
  readonly agents: readonly string[] | null;
  /** The path pattern of the declaration as written; `null` if it applies to all paths. */
  readonly path: string | null;
}

/** A statement, and what decides between statements of the same source. */
export interface Claim {
  readonly statement: PreferenceStatement;
  /** 0 if the label is about the purpose itself; greater for labels of wider categories, whose statements are weaker. */
  readonly distance: number;
  /** Whether the current version of the format defines the label. */
  readonly isCurrent: boolean;
}

const MAX_TEXT = 300;

/** Cuts a text from outside to the length that statements have at most. */
export function limitText(text: string): string {
  return truncate(text, MAX_TEXT);
}

/** Combines statements as the AIPREF vocabulary does (draft-ietf-aipref-vocab-08, section 5.1): the most restrictive one wins. */
export function combineValues(values: Iterable<PreferenceStatement['value']>): PreferenceStatement['value'] {
  let combined: PreferenceStatement['value'] = 'unknown';
  for (const value of values) {
    if (value === 'disallowed') return value;
    if (value === 'allowed') combined = value;
  }
  return combined;
}
