/**
 * Where two sets of rules decide differently: the walk that all proofs are made of.
 *
 * @module
 */
import type { Profile } from '../profile.ts';
import { NONE, type RuleTable } from '../rule-table.ts';
import { SortedPatterns } from '../sorted-patterns.ts';
import type { Budget } from './budget.ts';
import { lettersOf } from './letters.ts';
import { type Next, walkTogether } from './product.ts';
import { RequestPaths } from './request-paths.ts';
import { OWN, RuleWalk, type Shared } from './rule-walk.ts';

/** Rules in the order in which they win: a rule table, or some of its entries. */
export type Rules = Pick<RuleTable, 'count' | 'read' | 'forbids' | 'line'>;

/** Some entries of a table, in the same order. */
export class SomeRules implements Rules {
  readonly #table: Rules;
  readonly #entries: readonly number[];

  constructor(table: Rules, isIn: (line: number) => boolean) {
    this.#table = table;
    this.#entries = Array.from({ length: table.count }, (_, entry) => entry).filter((entry) =>
      isIn(table.line(entry)),
    );
  }

  get count(): number {
    return this.#entries.length;
  }

  read(entry: number): ReturnType<Rules['read']> {
    return this.#table.read(this.#entries[entry] as number);
  }

  forbids(entry: number): boolean {
    return this.#table.forbids(this.#entries[entry] as number);
  }

  line(entry: number): number {
    return this.#table.line(this.#entries[entry] as number);
  }
}

/** Which rules decide about a path before and after: entries of the tables, or `NONE`. */
export type Pair = readonly [before: number, after: number];

/**
 * Calls `visit` for all pairs of winners with different verdicts, with a path that they decide about. A pair may come more than
 * once; its first path is a shortest one.
 *
 * @throws {RangeError} if the profile compares `decoded`.
 * @throws {BoundReached} if it takes more than it may.
 */
export function eachDifference(
  before: Rules,
  after: Rules,
  profile: Profile,
  budget: Budget,
  visit: (pair: Pair, path: () => string) => Next,
): void {
  const [first, second, walk] = prepare(before, after, sharedBetween(before, after), profile, budget);
  // Where no difference can follow, it goes no further.
  const isOver = (a: number, b: number): boolean => {
    // Only rules can win that both have.
    const shared = first.sharedBest(a);
    if (shared !== OWN && shared === second.sharedBest(b)) return true;
    const verdict = first.settledVerdict(a);
    return verdict !== undefined && verdict === second.settledVerdict(b);
  };
  walk(isOver, (pair, path) =>
    forbids(before, pair[0]) === forbids(after, pair[1]) ? 'go on' : visit(pair, path),
  );
}

/**
 * Calls `visit` with the winner among `rules`, or `NONE`, where a rule of `others` matches, and a path. Each may come more than
 * once; its first path is a shortest one.
 *
 * @throws as {@link eachDifference} does.
 */
export function eachWinnerWhere(
  rules: Rules,
  others: Rules,
  profile: Profile,
  budget: Budget,
  visit: (winner: number, path: () => string) => Next,
): void {
  const [, second, walk] = prepare(rules, others, [new Map(), new Map()], profile, budget);
  const isOver = (_a: number, b: number): boolean => second.isSettled(b) && second.winner(b) === NONE;
  walk(isOver, ([winner, matched], path) => (matched === NONE ? 'go on' : visit(winner, path)));
}

/** Whether the winner, if there is one, forbids. */
export function forbids(rules: Rules, entry: number): boolean {
  return entry !== NONE && rules.forbids(entry);
}

type Walk = (
  isOver: (a: number, b: number) => boolean,
  visit: (pair: Pair, path: () => string) => Next,
) => void;

function prepare(
  before: Rules,
  after: Rules,
  [shared, sharedToo]: readonly [Shared, Shared],
  profile: Profile,
  budget: Budget,
): readonly [RuleWalk, RuleWalk, Walk] {
  if (profile.comparison === 'decoded')
    throw new RangeError(`nothing can be proved under the profile ${profile.name}`);
  const paths = new RequestPaths(profile.robotsTxtAllowed ? '/robots.txt' : '');
  const [patterns, patternsToo] = [new SortedPatterns(before), new SortedPatterns(after)];
  const letters = lettersOf([patterns, patternsToo], paths);
  const first = new RuleWalk(before, patterns, shared, letters, budget);
  const second = new RuleWalk(after, patternsToo, sharedToo, letters, budget);
  return [
    first,
    second,
    (isOver, visit) => walkTogether(first, second, paths, letters, budget, isOver, visit),
  ];
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
    const { pattern, isAnchored } = table.read(entry);
    const text = `${pattern}${isAnchored ? '\0' : ''}`;
    // Of two entries with the same pattern only the first can win.
    if (patterns.has(text)) continue;
    patterns.add(text);
    keys.set(`${table.forbids(entry) ? '-' : '+'}${text}`, entry);
  }
  return keys;
}
