/**
 * Dead weight: rules that can all be left out together, and no verdict of any crawler changes.
 *
 * @module
 */
import type { RobotsTxt } from '../document.ts';
import { NONE } from '../rule-table.ts';
import type { Ruleset } from '../ruleset.ts';
import { Budget, type ProofOptions, within } from './budget.ts';
import { crawlersOf } from './compare.ts';
import { eachDifference, eachWinnerWhere, SomeRules } from './difference.ts';

/** A rule that decides nothing, given the rules that are left. */
export interface DeadRule {
  readonly line: number;
  /**
   * `no-path`: no path that can be in a request matches it. `covered`: where it matches, the rules on the lines `by` decide
   * alike. `default`: where it matches and no other rule does, everything is allowed anyway.
   */
  readonly reason: 'no-path' | 'covered' | 'default';
  /** The lines of the rules that decide where it matches; the first few of them. */
  readonly by: readonly number[];
}

/** What can be left out. */
export interface DeadWeight {
  readonly rules: readonly DeadRule[];
  /** Rules of which it was not decided, by their lines: they take too much to prove. */
  readonly undecided: readonly number[];
}

/** What the proof for one rule may take, and those for all rules together: some seconds. */
const MAX_WORK_FOR_RULE = 1_000_000;
const MAX_WORK = 15_000_000;
/** What sorting a rule's pattern costs, in the same measure. */
const WORK_TO_SORT = 30;
const MAX_STATES_FOR_REASON = 50_000;
/** So many of the rules that decide in the place of another are told. */
const MAX_TOLD = 5;

/**
 * Finds rules that can be left out: all of them together, for every crawler. Of rules that cover each other the last ones go.
 *
 * @param options - what the proof for each rule may take.
 * @throws {RangeError} if the file's profile compares `decoded`.
 */
export function findDeadRules(robots: RobotsTxt, options: ProofOptions = {}): DeadWeight {
  const rulesets = distinctRulesets(robots);
  // One without a value says that nothing is meant: it decides nothing, and is there for people.
  const written = robots
    .groups()
    // Nobody reads a group that names nobody: that is another matter.
    .filter(({ userAgents }) => userAgents.some(({ token }) => token !== ''))
    .flatMap(({ rules }) => rules.filter(({ value }) => value !== ''));
  const lines = new Set(written.map(({ line }) => line));
  const left = new Set(lines);
  const undecided = new Set<number>();
  let work = 0;
  // What goes may leave others behind that now decide nothing, either.
  for (let before = left.size + 1; left.size < before; ) {
    before = left.size;
    for (const line of [...left].sort((a, b) => b - a)) {
      if (work >= MAX_WORK) {
        undecided.add(line);
        continue;
      }
      const budget = new Budget(options.maxStates, Math.min(MAX_WORK_FOR_RULE, MAX_WORK - work));
      const isDead = within(budget, () =>
        rulesets.every((ruleset) => isRedundant(line, ruleset, left, budget)),
      );
      work += budget.spent;
      if (isDead === undefined) undecided.add(line);
      else undecided.delete(line);
      if (isDead) left.delete(line);
    }
  }
  const dead = [...lines].filter((line) => !left.has(line)).sort((a, b) => a - b);
  return {
    rules: dead.map((line) => describe(line, rulesets, left)),
    undecided: [...undecided].sort((a, b) => a - b),
  };
}

/** Whether a rule changes no verdict, beside the others that are left. */
function isRedundant(
  line: number,
  { robots: { profile }, table }: Ruleset,
  left: ReadonlySet<number>,
  budget: Budget,
): boolean {
  const before = new SomeRules(table, (each) => left.has(each));
  const after = new SomeRules(before, (each) => each !== line);
  let isSame = true;
  if (after.count < before.count) {
    budget.spend(before.count * WORK_TO_SORT);
    eachDifference(before, after, profile, budget, () => {
      isSame = false;
      return 'stop';
    });
  }
  return isSame;
}

/** Why a rule can be left out. */
function describe(line: number, rulesets: readonly Ruleset[], left: ReadonlySet<number>): DeadRule {
  /** The lines of the rules that decide where it matches; 0 where none does. */
  const winners = new Set<number>();
  // It is known that it can go. What is told of the reason is what a short walk finds.
  const isAll = within(new Budget(MAX_STATES_FOR_REASON), (budget) => {
    for (const {
      robots: { profile },
      table,
    } of rulesets) {
      const own = new SomeRules(table, (each) => each === line);
      if (own.count === 0) continue;
      const others = new SomeRules(table, (each) => left.has(each));
      eachWinnerWhere(others, own, profile, budget, (winner) => {
        winners.add(winner === NONE ? 0 : others.line(winner));
        return 'go on';
      });
    }
    return true;
  });
  // A walk that was not finished has not shown that there is no path.
  const isMatched = winners.size > 0 || isAll !== true;
  const reason = !isMatched ? 'no-path' : winners.has(0) ? 'default' : 'covered';
  winners.delete(0);
  const by = [...winners].sort((a, b) => a - b).slice(0, MAX_TOLD);
  return { line, reason, by };
}

/** The rulesets of all crawlers, each set of rules once. */
function distinctRulesets(robots: RobotsTxt): Ruleset[] {
  const rulesets = new Map<string, Ruleset>();
  for (const { crawler } of crawlersOf([robots])) {
    const ruleset = robots.ruleset(crawler);
    rulesets.set(linesOf(ruleset).join(' '), ruleset);
  }
  return [...rulesets.values()];
}

function linesOf({ table }: Ruleset): number[] {
  return Array.from({ length: table.count }, (_, entry) => table.line(entry));
}
