// Sources that were not read, or not as their author may have meant them.
import { freezeDeep } from '../bytes/freeze.ts';
import type { StatementSource } from './statement.ts';

/** A part of a source that was not read. It can contain a refusal. */
export interface SourceProblem {
  readonly source: StatementSource;
  /** The URL of the RSL document; `script` for one in the page; the name of a header or meta element; `null` for other sources,
   * and for all elements of a page together. */
  readonly name: string | null;
  /** Line of the source, from 1; `null` if it has no lines. */
  readonly line: number | null;
  /** Why, as a clause. */
  readonly reason: string;
}

/** The problem of a page whose reader omitted statements. */
export const OMITTED_STATEMENTS: SourceProblem = /* @__PURE__ */ freezeDeep({
  ...{ source: 'html', name: null, line: null },
  reason: 'the page has more statements than its reader keeps',
});
