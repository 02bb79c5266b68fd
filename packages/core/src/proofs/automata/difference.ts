// The differences between two sets of rules, found in the product of their automata. Comparison and
// equivalence proofs build on it.
import type { Profile } from '../../crawler/profile.ts';
import { NONE } from '../../matching/rule-table.ts';
import type { Budget } from './budget.ts';
import { Language } from './language.ts';
import { exploreProduct, type VisitResult } from './product.ts';
import { type Rules, type SharedEntries, UNSHARED } from './rule-automaton.ts';
import { SortedPatterns, toSortKey } from './sorted-patterns.ts';

/** The winning entries for one path in two tables, or `NONE`. */
export type Pair = readonly [before: number, after: number];

/**
 * Calls `visit` for each pair of winners with different verdicts.
 *
 * @param visit - receives the pair and a function that returns a path for which these entries win. It may
 *   receive the same pair more than once; the first path is a shortest one.
 * @throws {BudgetExceededError} if the search exceeds the budget.
 */
export function visitDifferences(
  before: Rules,
  after: Rules,
  profile: Profile,
  budget: Budget,
  visit: (pair: Pair, path: () => string) => VisitResult,
): void {
  budget.spend(before.count + after.count);
  const [patternsBefore, patternsAfter] = [SortedPatterns.from(before), SortedPatterns.from(after)];
  const [sharedBefore, sharedAfter] = numberSharedRules(before, after);
  const language = new Language(profile, [patternsBefore, patternsAfter]);
  const automatonBefore = language.createAutomaton(before, patternsBefore, budget, sharedBefore);
  const automatonAfter = language.createAutomaton(after, patternsAfter, budget, sharedAfter);
  exploreProduct(
    undefined,
    [automatonBefore, automatonAfter],
    language,
    budget,
    ([stateBefore = 0, stateAfter = 0]) => {
      // From here only shared rules can win, and the same one leads in both tables.
      const best = automatonBefore.getSharedBest(stateBefore);
      if (best !== UNSHARED && best === automatonAfter.getSharedBest(stateAfter)) return true;
      const verdict = automatonBefore.getSettledVerdict(stateBefore);
      return verdict !== undefined && verdict === automatonAfter.getSettledVerdict(stateAfter);
    },
    ([stateBefore = 0, stateAfter = 0], path) => {
      const pair = [automatonBefore.getWinner(stateBefore), automatonAfter.getWinner(stateAfter)] as const;
      return forbids(before, pair[0]) === forbids(after, pair[1]) ? 'continue' : visit(pair, path);
    },
  );
}

/** Returns whether the verdict of an entry is "disallowed". `NONE` is not. */
export function forbids(rules: Rules, entry: number): boolean {
  return entry !== NONE && rules.forbids(entry);
}

/**
 * Numbers the rules that two tables share: equal patterns with equal values. Returns empty maps if their
 * order differs.
 *
 * @param getValue - returns what a rule decides. @defaultValue the verdict
 */
export function numberSharedRules<R extends Rules>(
  first: R,
  second: R,
  getValue: (rules: R, entry: number) => string = getVerdict,
): readonly [SharedEntries, SharedEntries] {
  const [a, b] = [indexByPattern(first, getValue), indexByPattern(second, getValue)];
  const inBoth = [...a.keys()].filter((key) => b.has(key));
  const others = [...b.keys()].filter((key) => a.has(key));
  // Order can differ although the patterns are equivalent: `/a*` is longer than `/a` and matches the same paths.
  if (inBoth.some((key, index) => key !== others[index])) return [new Map(), new Map()];
  const toNumbers = (entries: ReadonlyMap<string, number>): SharedEntries =>
    new Map(inBoth.map((key, number) => [entries.get(key) as number, number]));
  return [toNumbers(a), toNumbers(b)];
}

/** Maps each pattern with its value to the first entry that has it, in match order. */
export function indexByPattern<R extends Rules>(
  table: R,
  getValue: (rules: R, entry: number) => string = getVerdict,
): Map<string, number> {
  const patterns = new Set<string>();
  const keys = new Map<string, number>();
  for (let entry = 0; entry < table.count; entry++) {
    const text = toSortKey(table.read(entry));
    // Of two entries with the same pattern only the first can win.
    if (patterns.has(text)) continue;
    patterns.add(text);
    keys.set(`${getValue(table, entry)}${text}`, entry);
  }
  return keys;
}

function getVerdict(rules: Rules, entry: number): string {
  return rules.forbids(entry) ? '-' : '+';
}
