// Redundant rules: rules that can all be removed together without a change of verdict for any crawler.
import type { RobotsTxt } from '../model/robots-txt.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { listIndexedCrawlers } from './crawler-classes.ts';
import { GroupIndex } from './group-index.ts';
import { RemainingRules } from './remaining-rules.ts';

/** A rule that is redundant given the rules that remain. */
export interface RedundantRule {
  readonly line: number;
  /**
   * `no-path`: the rule matches no path that can occur in a request. `covered`: where it matches, the rules
   * on the lines `by` give the same verdict. `default`: where it matches and no other rule does, the URL is
   * allowed by default.
   */
  readonly reason: 'no-path' | 'covered' | 'default';
  /** Line numbers of the rules that win where this rule matches; at most 5. */
  readonly by: readonly number[];
  /**
   * Line numbers of the redundant rules that must be removed too. Empty if this rule is redundant alone;
   * `null` if the budget was too small to determine them.
   */
  readonly removeTogetherWith: readonly number[] | null;
}

/** The redundant rules of a file. */
export interface RedundantRules {
  readonly rules: readonly RedundantRule[];
  /** Line numbers of the rules for which the proof exceeded its budget. */
  readonly undecided: readonly number[];
}

/**
 * Shares of the remaining budget. The first pass gives each rule a small share, so that easy proofs come
 * first; the second one gives the undecided rules larger shares.
 */
const SHARE_OF_EASY_RULE = 1 / 1000;
const SHARE_OF_HARD_RULES = 1 / 2;
const SHARE_OF_RULE = 1 / 8;
/** Shares of the remaining budget that determine the reasons. A reason names what a search within its share found. */
const SHARE_OF_REASONS = 1 / 4;
const SHARE_OF_REASON = 1 / 20;
/** Maximum length of {@link RedundantRule.by}. */
const MAX_LISTED = 5;
/** Units of work per rule, besides its proofs. */
const WORK_PER_RULE = 2;

/**
 * Finds rules that can all be removed together without a change of verdict for any crawler. If rules cover
 * each other, it reports the later ones.
 *
 * @param options - limits of all proofs together.
 */
export function findRedundantRules(robots: RobotsTxt, options: ProofOptions = {}): RedundantRules {
  return findRedundantRulesWithin(robots, Budget.from('findRedundantRules', options, {}), true);
}

/**
 * Like {@link findRedundantRules}, within an existing budget.
 *
 * @param withReasons - whether to determine `reason`, `by` and `removeTogetherWith`. Otherwise they are `covered`,
 *   empty and `null`.
 */
export function findRedundantRulesWithin(
  robots: RobotsTxt,
  budget: Budget,
  withReasons: boolean,
): RedundantRules {
  // A rule without a value has no effect and documents intent.
  const rules = robots
    .groups()
    // A group without a valid agent has a finding of its own.
    .filter(({ userAgents }) => userAgents.some(({ extendedToken }) => extendedToken !== ''))
    .flatMap(({ rules }) => rules.filter(({ value }) => value !== ''));
  const lines = rules.map(({ line }) => line).reverse();
  const undecided = new Set(lines);
  const redundant = new Set<number>();
  const rulesets = budget.runWithin(1, () => indexRulesets(robots, budget));
  // A rule that matches no path, such as one without a slash, is in none.
  const getRulesets = (line: number): readonly RemainingRules[] => rulesets?.get(line) ?? [];
  /** @returns whether it removed a rule. */
  const removeFrom = (candidates: readonly number[], share: number): boolean => {
    const { size } = redundant;
    for (const line of candidates) {
      if (redundant.has(line)) continue;
      budget.spend(WORK_PER_RULE);
      const isRedundant = budget.runWithin(share, () =>
        getRulesets(line).every((each) => each.isRedundant(line)),
      );
      if (isRedundant === undefined) undecided.add(line);
      else undecided.delete(line);
      if (!isRedundant) continue;
      redundant.add(line);
      for (const each of getRulesets(line)) each.remove(line);
    }
    return redundant.size > size;
  };
  if (rulesets !== undefined) {
    budget.runWithin(withReasons ? 1 - SHARE_OF_REASONS : 1, () => {
      // Removing a rule can make others redundant.
      for (let hasRemoved = true; hasRemoved; ) {
        hasRemoved = removeFrom(lines, SHARE_OF_EASY_RULE);
        const hard = [...undecided];
        hasRemoved =
          budget.runWithin(SHARE_OF_HARD_RULES, () => removeFrom(hard, SHARE_OF_RULE)) || hasRemoved;
      }
    });
  }
  return {
    rules: [...redundant]
      .sort((a, b) => a - b)
      .map((line) =>
        withReasons
          ? createRedundantRule(line, getRulesets, budget)
          : { line, reason: 'covered', by: [], removeTogetherWith: null },
      ),
    undecided: [...undecided].sort((a, b) => a - b),
  };
}

type GetRulesets = (line: number) => readonly RemainingRules[];

function createRedundantRule(line: number, getRulesets: GetRulesets, budget: Budget): RedundantRule {
  /** Lines of the rules that win where it matches; 0 if none wins. */
  const winners = new Set<number>();
  const isComplete = budget.runWithin(SHARE_OF_REASON, () => {
    for (const each of getRulesets(line)) each.collectWinners(line, winners);
    return true;
  });
  // A search that was not completed does not prove that no path matches.
  const isMatched = winners.size > 0 || isComplete !== true;
  const reason = !isMatched ? 'no-path' : winners.has(0) ? 'default' : 'covered';
  winners.delete(0);
  const by = [...winners].sort((a, b) => a - b).slice(0, MAX_LISTED);
  const together = budget.runWithin(SHARE_OF_REASON, () => findTogether(line, getRulesets, budget));
  return { line, reason, by, removeTogetherWith: together ?? null };
}

/**
 * Finds the smallest set of rules that must be removed together with one.
 *
 * A rule that then decides differently where a removed rule won must be redundant itself. It is added to the
 * set, and the search repeats until the set is closed. Each member is necessary, so no smaller set exists.
 *
 * @throws {BudgetExceededError} if the search exceeds the budget.
 */
function findTogether(line: number, getRulesets: GetRulesets, budget: Budget): number[] {
  const removed = new Set([line]);
  for (let size = 0; size < removed.size; ) {
    size = removed.size;
    for (const each of removed) {
      for (const ruleset of getRulesets(each)) {
        budget.spend(WORK_PER_RULE);
        ruleset.collectDeviating(removed);
      }
    }
  }
  removed.delete(line);
  return [...removed].sort((a, b) => a - b);
}

/** Indexes the distinct rulesets of a file by the lines of their rules. */
function indexRulesets(robots: RobotsTxt, budget: Budget): Map<number, RemainingRules[]> {
  const index = new GroupIndex(robots, budget);
  const known = new Set<string>();
  const rulesets = new Map<number, RemainingRules[]>();
  for (const { crawler } of listIndexedCrawlers([index])) {
    const groups = index.findGroups(crawler);
    const key = groups.join(' ');
    if (known.has(key)) continue;
    known.add(key);
    const table = index.getTable(groups, budget);
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
