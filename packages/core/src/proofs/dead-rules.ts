/**
 * Dead weight: rules that can all be left out together, and no verdict of any crawler changes.
 *
 * @module
 */
import type { RobotsTxt } from '../document.ts';
import { Budget, type ProofOptions } from './budget.ts';
import { crawlersOf } from './compare.ts';
import { RemainingRules } from './remaining-rules.ts';

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

/** Of what is left for all rules, the proof for one may take so much: first the easy ones are proved, then the hard ones. */
const SHARE_OF_EASY_RULE = 1 / 1000;
const SHARE_OF_HARD_RULES = 1 / 2;
const SHARE_OF_RULE = 1 / 8;
/** For the reasons so much is kept; what is told of them is what short walks find. */
const SHARE_OF_REASONS = 1 / 4;
const SHARE_OF_REASON = 1 / 20;
/** So many of the rules that decide in the place of another are told. */
const MAX_TOLD = 5;

/**
 * Finds rules that can be left out: all of them together, for every crawler. Of rules that cover each other the last ones go.
 *
 * @param options - what the proofs for all rules may take together.
 */
export function findDeadRules(robots: RobotsTxt, options: ProofOptions = {}): DeadWeight {
  return findDeadRulesWithin(robots, new Budget(options.maxStates));
}

/** The same, with what is left of a budget. */
export function findDeadRulesWithin(robots: RobotsTxt, budget: Budget): DeadWeight {
  // One without a value says that nothing is meant: it decides nothing, and is there for people.
  const written = robots
    .groups()
    // Nobody reads a group that names nobody: that is another matter.
    .filter(({ userAgents }) => userAgents.some(({ token }) => token !== ''))
    .flatMap(({ rules }) => rules.filter(({ value }) => value !== ''));
  const lines = [...new Set(written.map(({ line }) => line))].sort((a, b) => b - a);
  const undecided = new Set(lines);
  const dead = new Set<number>();
  const rulesets = budget.within(1, () => distinctRulesets(robots, budget)) ?? [];
  /** @returns whether any of the rules could go. */
  const removeFrom = (candidates: readonly number[], share: number): boolean => {
    const { size } = dead;
    for (const line of candidates) {
      if (dead.has(line)) continue;
      const canGo = budget.within(share, () => rulesets.every((each) => each.canGo(line)));
      if (canGo === undefined) undecided.add(line);
      else undecided.delete(line);
      if (!canGo) continue;
      dead.add(line);
      for (const each of rulesets) each.remove(line);
    }
    return dead.size > size;
  };
  if (rulesets.length > 0) {
    budget.within(1 - SHARE_OF_REASONS, () => {
      let isMore = removeFrom(lines, SHARE_OF_EASY_RULE);
      const hard = [...undecided];
      isMore = budget.within(SHARE_OF_HARD_RULES, () => removeFrom(hard, SHARE_OF_RULE)) || isMore;
      // What goes may leave others behind that now decide nothing, either.
      while (isMore) isMore = removeFrom(lines, SHARE_OF_EASY_RULE);
    });
  }
  return {
    rules: [...dead].sort((a, b) => a - b).map((line) => describe(line, rulesets, budget)),
    undecided: [...undecided].sort((a, b) => a - b),
  };
}

/** Why a rule can be left out. */
function describe(line: number, rulesets: readonly RemainingRules[], budget: Budget): DeadRule {
  /** The lines of the rules that decide where it matches; 0 where none does. */
  const winners = new Set<number>();
  const isAll = budget.within(SHARE_OF_REASON, () => {
    for (const each of rulesets) each.winnersWhere(line, winners);
    return true;
  });
  // A walk that was not finished has not shown that there is no path.
  const isMatched = winners.size > 0 || isAll !== true;
  const reason = !isMatched ? 'no-path' : winners.has(0) ? 'default' : 'covered';
  winners.delete(0);
  const by = [...winners].sort((a, b) => a - b).slice(0, MAX_TOLD);
  return { line, reason, by };
}

/** The rules of all crawlers, each set of rules once. */
function distinctRulesets(robots: RobotsTxt, budget: Budget): RemainingRules[] {
  const rulesets = new Map<string, RemainingRules>();
  for (const { crawler } of crawlersOf([robots])) {
    const { table } = robots.ruleset(crawler);
    const lines = Array.from({ length: table.count }, (_, entry) => table.line(entry)).join(' ');
    if (!rulesets.has(lines)) rulesets.set(lines, new RemainingRules(table, robots.profile, budget));
  }
  return [...rulesets.values()];
}
