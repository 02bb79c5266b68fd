// What a file declares about one purpose for the crawlers of some groups, as rules with values: of the rules that match a path, the first
// one decides.
import { toComparedPattern } from '../../bytes/percent-encoding.ts';
import type { Profile } from '../../crawler/profile.ts';
import { reducePattern } from '../../matching/create-rule-table.ts';
import { ANCHORED_FLAG, type Entry, NONE, STAR_FLAG } from '../../matching/rule-table.ts';
import type { Rules } from '../../proofs/automata/rule-automaton.ts';
import { toSortKey } from '../../proofs/automata/sorted-patterns.ts';
import type { Declaration } from '../declaration.ts';
import { READINGS, selectClosest } from '../readings.ts';
import { combineValues, type PreferenceStatement } from '../statement.ts';

export type DeclaredValue = PreferenceStatement['value'];

/** A source of statements about one purpose, in one file. */
export interface DeclaredRules extends Rules {
  /** Equal for rules that decide the same for all paths. Rules with different signatures can decide the same, too. */
  readonly signature: string;
  /** Returns the value that an entry decides; for {@link NONE} the value without a matching entry. */
  getValue(entry: number): DeclaredValue;
  /** Returns the statement of an entry. @param path - a path for which the entry decides. */
  getStatement(entry: number, path: string): PreferenceStatement | null;
}

/** The precedence among declarations of equally long paths. */
const RANKS: readonly DeclaredValue[] = ['disallowed', 'allowed', 'unknown'];

interface Row {
  readonly pattern: string;
  readonly value: DeclaredValue;
  readonly statement: PreferenceStatement | null;
}

/**
 * Creates the rules of declarations of one format, in file order. The longest path decides, and of equally long ones the most restrictive
 * value: the reading `grouped` (readings.ts).
 */
export function createDeclaredRules(
  declarations: readonly Declaration[],
  purpose: string,
  { comparison }: Profile,
): DeclaredRules {
  const rows = declarations.map((declaration): Row => {
    const statements = selectClosest(declaration, purpose, READINGS[0]).map(({ statement }) => statement);
    const value = combineValues(statements.map((each) => each.value));
    const statement = statements.find((each) => each.value === value) ?? null;
    return { pattern: declaration.pattern ?? '', value, statement };
  });
  rows.sort((a, b) => b.pattern.length - a.pattern.length || RANKS.indexOf(a.value) - RANKS.indexOf(b.value));
  const entries = rows.map(({ pattern }): Entry => {
    const compared = comparison === 'decoded' ? toComparedPattern(pattern) : pattern;
    const { stored, flags } = reducePattern(compared);
    return {
      ...{ pattern: stored, isAllow: false, isDirectory: false, valueStart: 0 },
      isAnchored: (flags & ANCHORED_FLAG) !== 0,
      hasStar: (flags & STAR_FLAG) !== 0,
    };
  });
  return {
    signature: [...new Set(rows.map(({ pattern, value }) => `${pattern} ${value}`))].sort().join('\n'),
    count: rows.length,
    read: (entry) => entries[entry] as Entry,
    forbids: (entry) => rows[entry]?.value === 'disallowed',
    line: (entry) => rows[entry]?.statement?.line ?? 0,
    getValue: (entry) => (entry === NONE ? 'unknown' : (rows[entry] as Row).value),
    getStatement: (entry) => (entry === NONE ? null : (rows[entry] as Row).statement),
  };
}

export const NO_RULES: DeclaredRules = {
  signature: '',
  count: 0,
  read: () => {
    throw new RangeError('there are no entries');
  },
  forbids: () => false,
  line: () => 0,
  getValue: () => 'unknown',
  getStatement: () => null,
};

/**
 * Creates the rules of a policy token.
 *
 * @param isNamed - whether a group names the token. Otherwise it inherits the rules for `*`, which state no permission.
 * @param readStatement - reads the statement for a path.
 */
export function createTokenRules(
  table: Rules,
  isNamed: boolean,
  readStatement: (path: string) => PreferenceStatement | null,
): DeclaredRules {
  const texts = Array.from({ length: table.count }, (_, entry) => {
    return `${toSortKey(table.read(entry))} ${table.forbids(entry)}`;
  });
  return {
    signature: isNamed || table.count > 0 ? [isNamed, ...new Set(texts)].join('\n') : '',
    count: table.count,
    read: (entry) => table.read(entry),
    forbids: (entry) => table.forbids(entry),
    line: (entry) => table.line(entry),
    getValue: (entry) =>
      entry !== NONE && table.forbids(entry) ? 'disallowed' : isNamed ? 'allowed' : 'unknown',
    getStatement: (_entry, path) => readStatement(path),
  };
}
