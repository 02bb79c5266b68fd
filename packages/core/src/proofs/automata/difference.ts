/**
 * Where two sets of rules decide differently: the walk that all proofs are made of.
 *
 * @module
 */
import type { Profile } from '../../crawler/profile.ts';
import { NONE } from '../../matching/rule-table.ts';
import { SortedPatterns, toSortKey } from '../../matching/sorted-patterns.ts';
import type { Budget } from './budget.ts';
import { Language } from './language.ts';
import { type Next, walkTogether } from './product.ts';
import { OWN, type Rules, type Shared } from './rule-walk.ts';

/** Which rules decide about a path before and after: entries of the tables, or `NONE`. */
export type Pair = readonly [before: number, after: number];

/**
 * Calls `visit` for all pairs of winners with different verdicts, with a path that they decide about. A pair may come more than
 * once; its first path is a shortest one.
 *
 * @throws {BoundReached} if it takes more than it may.
 */
export function eachDifference(
  before: Rules,
  after: Rules,
  profile: Profile,
  budget: Budget,
  visit: (pair: Pair, path: () => string) => Next,
): void {
  budget.spend(before.count + after.count);
  const [patterns, patternsToo] = [SortedPatterns.from(before), SortedPatterns.from(after)];
  const [shared, sharedToo] = sharedBetween(before, after);
  const language = new Language(profile, [patterns, patternsToo]);
  const first = language.walk(before, patterns, budget, shared);
  const second = language.walk(after, patternsToo, budget, sharedToo);
  walkTogether(
    undefined,
    [first, second],
    language,
    budget,
    // Where no difference can follow, it goes no further.
    ([a = 0, b = 0]) => {
      // Only rules can win that both have.
      const best = first.sharedBest(a);
      if (best !== OWN && best === second.sharedBest(b)) return true;
      const verdict = first.settledVerdict(a);
      return verdict !== undefined && verdict === second.settledVerdict(b);
    },
    ([a = 0, b = 0], path) => {
      const pair = [first.winner(a), second.winner(b)] as const;
      return forbids(before, pair[0]) === forbids(after, pair[1]) ? 'go on' : visit(pair, path);
    },
  );
}

/** Whether the winner, if there is one, forbids. */
export function forbids(rules: Rules, entry: number): boolean {
  return entry !== NONE && rules.forbids(entry);
}

/** The rules that two tables share: the same pattern with the same verdict, and all of them in the same order in both. */
function sharedBetween(first: Rules, second: Rules): readonly [Shared, Shared] {
  const [a, b] = [keysOf(first), keysOf(second)];
  const inBoth = [...a.keys()].filter((key) => b.has(key));
  const others = [...b.keys()].filter((key) => a.has(key));
  // Whether one of two wins can depend on how they are written: `/a*` is longer than `/a`, and means the same.
  if (inBoth.some((key, index) => key !== others[index])) return [new Map(), new Map()];
  const numbered = (entries: ReadonlyMap<string, number>): Shared =>
    new Map(inBoth.map((key, number) => [entries.get(key) as number, number]));
  return [numbered(a), numbered(b)];
}

/** For each pattern the first entry that has it, in the order in which they win, by the pattern and its verdict. */
function keysOf(table: Rules): Map<string, number> {
  const patterns = new Set<string>();
  const keys = new Map<string, number>();
  for (let entry = 0; entry < table.count; entry++) {
    const text = toSortKey(table.read(entry));
    // Of two entries with the same pattern only the first can win.
    if (patterns.has(text)) continue;
    patterns.add(text);
    keys.set(`${table.forbids(entry) ? '-' : '+'}${text}`, entry);
  }
  return keys;
}
