// Edits of a file: what is changed, and why.

/**
 * Why an edit is made.
 *
 * - `missing-statement`: the crawlers of the group read no statement about the purposes.
 * - `opposite-statement`: the line states the opposite.
 * - `narrower-path`: for its path, the line replaces the statements for all paths and says nothing about the purposes.
 * - `missing-group`: the agents have no group in which a statement can be written.
 * - `open-group`: the last group has no rule, so that the agents below it would join it.
 * - `policy-token`: the rules for a policy token state the setting.
 */
export type EditReason =
  | 'missing-statement'
  | 'opposite-statement'
  | 'narrower-path'
  | 'missing-group'
  | 'open-group'
  | 'policy-token';

/** A change of one place in a file. Texts have no line ends. */
export interface PreferenceEdit {
  /** The line of the original file that changes, or after which lines are added, from 1; 0 for lines of an empty file. */
  readonly line: number;
  /** The line that `added` replaces; `null` if lines are only added. */
  readonly removed: string | null;
  /** The new lines; empty if the line is only removed. */
  readonly added: readonly string[];
  readonly reason: EditReason;
  /** A sentence for people. */
  readonly message: string;
  /** The vendor of the managed block that contains the line; `null` if the owner manages the line. */
  readonly managedBy: string | null;
}

/** An edit whose texts are byte strings. */
export type RawEdit = PreferenceEdit;
