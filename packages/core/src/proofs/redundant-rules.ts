/**
 * Redundant rules: those that can all be left out together, and no verdict of any crawler changes.
 *
 * @module
 */
import type { RobotsTxt } from '../model/robots-txt.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { getCrawlers } from './compare.ts';
import { GroupIndex } from './group-index.ts';
import { RemainingRules } from './remaining-rules.ts';

/** A rule that decides nothing, given the rules that are left. */
export interface RedundantRule {
  readonly line: number;
  /**
   * `no-path`: no path that can be in a request matches it. `covered`: where it matches, the rules on the lines `by` decide
   * alike. `default`: where it matches and no other rule does, everything is allowed anyway.
   */
  readonly reason: 'no-path' | 'covered' | 'default';
  /** The lines of the rules that decide where it matches; the first few of them. */
  readonly by: readonly number[];
  /**
   * The lines of other redundant rules without which it is redundant: all of them must go too. Empty if it can go alone; `null`
   * if the budget was too small to find that out.
   */
  readonly together: readonly number[] | null;
}

/** What can be left out. */
export interface RedundantRules {
  readonly rules: readonly RedundantRule[];
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
/** Work for a rule that is looked at, beside its proofs. */
const WORK_PER_RULE = 2;

/**
 * Finds rules that can be left out: all of them together, for every crawler. Of rules that cover each other the last ones go.
 *
 * @param options - what the proofs for all rules may take together.
 */
export function findRedundantRules(robots: RobotsTxt, options: ProofOptions = {}): RedundantRules {
  return findRedundantRulesWithin(robots, Budget.from(options), true);
}

/**
 * The same, with what is left of a budget.
 *
 * @param withReasons - whether to find out why they are redundant. Otherwise each has the reason `covered`.
 */
export function findRedundantRulesWithin(
  robots: RobotsTxt,
  budget: Budget,
  withReasons: boolean,
): RedundantRules {
  // One without a value says that nothing is meant: it decides nothing, and is there for people.
  const written = robots
    .groups()
    // A group that names no agent is another mistake.
    .filter(({ userAgents }) => userAgents.some(({ extendedToken }) => extendedToken !== ''))
    .flatMap(({ rules }) => rules.filter(({ value }) => value !== ''));
  const lines = written.map(({ line }) => line).reverse();
  const undecided = new Set(lines);
  const redundant = new Set<number>();
  const rulesets = budget.within(1, () => distinctRulesets(robots, budget)) ?? new Map();
  const rulesetsWith = (line: number): readonly RemainingRules[] => rulesets.get(line) ?? [];
  /** @returns whether any of the rules could go. */
  const removeFrom = (candidates: readonly number[], share: number): boolean => {
    const { size } = redundant;
    for (const line of candidates) {
      if (redundant.has(line)) continue;
      budget.spend(WORK_PER_RULE);
      const canGo = budget.within(share, () => rulesetsWith(line).every((each) => each.canGo(line)));
      if (canGo === undefined) undecided.add(line);
      else undecided.delete(line);
      if (!canGo) continue;
      redundant.add(line);
      for (const each of rulesetsWith(line)) each.remove(line);
    }
    return redundant.size > size;
  };
  if (rulesets.size > 0) {
    budget.within(withReasons ? 1 - SHARE_OF_REASONS : 1, () => {
      // What goes may leave others behind that now decide nothing, either.
      for (let isMore = true; isMore; ) {
        isMore = removeFrom(lines, SHARE_OF_EASY_RULE);
        const hard = [...undecided];
        isMore = budget.within(SHARE_OF_HARD_RULES, () => removeFrom(hard, SHARE_OF_RULE)) || isMore;
      }
    });
  }
  return {
    rules: [...redundant]
      .sort((a, b) => a - b)
      .map((line) =>
        withReasons
          ? describe(line, rulesetsWith, budget)
          : { line, reason: 'covered', by: [], together: null },
      ),
    undecided: [...undecided].sort((a, b) => a - b),
  };
}

type RulesetsWith = (line: number) => readonly RemainingRules[];

/** Why a rule can be left out. */
function describe(line: number, rulesetsWith: RulesetsWith, budget: Budget): RedundantRule {
  /** The lines of the rules that decide where it matches; 0 where none does. */
  const winners = new Set<number>();
  const isAll = budget.within(SHARE_OF_REASON, () => {
    for (const each of rulesetsWith(line)) each.winnersWhere(line, winners);
    return true;
  });
  // A walk that was not finished has not shown that there is no path.
  const isMatched = winners.size > 0 || isAll !== true;
  const reason = !isMatched ? 'no-path' : winners.has(0) ? 'default' : 'covered';
  winners.delete(0);
  const by = [...winners].sort((a, b) => a - b).slice(0, MAX_TOLD);
  const together = budget.within(SHARE_OF_REASON, () => findTogether(line, rulesetsWith, budget));
  return { line, reason, by, together: together ?? null };
}

/**
 * The lines of the rules that must go too. A rule that decides otherwise where a redundant one was best must be redundant itself:
 * so it goes, and what decides then is looked at, until nothing changes. Each of them is needed, so there is no smaller set.
 *
 * @throws {BoundReached} if it takes more than it may.
 */
function findTogether(line: number, rulesetsWith: RulesetsWith, budget: Budget): number[] {
  const gone = new Set([line]);
  for (let size = 0; size < gone.size; ) {
    size = gone.size;
    for (const each of gone) {
      for (const ruleset of rulesetsWith(each)) {
        budget.spend(WORK_PER_RULE);
        ruleset.addDeviating(gone);
      }
    }
  }
  gone.delete(line);
  return [...gone].sort((a, b) => a - b);
}

/** Rules of crawlers by the lines that stand in them, each set of groups once. */
function distinctRulesets(robots: RobotsTxt, budget: Budget): Map<number, RemainingRules[]> {
  const index = new GroupIndex(robots, budget);
  const known = new Set<string>();
  const rulesets = new Map<number, RemainingRules[]>();
  for (const { crawler } of getCrawlers([index])) {
    const groups = index.groupsFor(crawler);
    const key = groups.join(' ');
    if (known.has(key)) continue;
    known.add(key);
    const table = index.table(groups, budget);
    const rules = new RemainingRules(table, robots.profile, budget);
    for (let entry = 0; entry < table.count; entry++) {
      const line = table.line(entry);
      const own = rulesets.get(line);
      if (own === undefined) rulesets.set(line, [rules]);
      else if (own.at(-1) !== rules) own.push(rules);
    }
  }
  return rulesets;
}
