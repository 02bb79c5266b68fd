/**
 * Expectations of what a robots.txt does today, to begin with: what each rule says, where no other rule says something else.
 *
 * @module
 */
import { type Group, type RobotsTxt, type Rule, type Ruleset, RulesetCache } from '@maycrawl/core';
import {
  ANY_OTHER_CRAWLER,
  Budget,
  isClaimPattern,
  listCrawlers,
  type NamedCrawler,
  type ProofOptions,
  VerdictProver,
} from '@maycrawl/core/proofs';

/** Expectations about one crawler, as they stand in a file. */
interface DerivedExpectation {
  readonly agent: string;
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
}

export interface Derived {
  readonly expectations: readonly DerivedExpectation[];
  /** Number of crawlers about some of whose rules the budget was too small to say anything. */
  readonly undecided: number;
}

/** A name that no robots.txt uses stands for all others. */
const OTHER_NAME = 'AnyOtherBot';
/** Of what is left of the budget, the proof about one rule may take this share. */
const SHARE_OF_PROOF = 1 / 100;
/** Work to read a byte of a file for a ruleset, and to write an expectation. */
const WORK_PER_BYTE = 1 / 10;
const WORK_PER_EXPECTATION = 10;
/** Of what is left of the budget, the proofs about the rules of one crawler may take this share. */
const SHARE_OF_CRAWLER = 1 / 2;

/**
 * Derives expectations from the rules of each crawler that a file names, and of any other.
 *
 * @param options - what all proofs may take together.
 */
export function deriveExpectations(robots: RobotsTxt, options: ProofOptions = {}): Derived {
  const budget = Budget.from(options);
  const rulesets = new RulesetCache(robots);
  const groups = robots.groups();
  const { length } = robots.bytes;
  /** Read once: a ruleset would read the whole file for its rules. */
  const rules = new Map(groups.flatMap((group) => group.rules.map((rule) => [rule.line, rule])));
  /** By the groups that crawlers obey. */
  const known = new Map<string, Patterns>();
  const expectations: DerivedExpectation[] = [];
  let undecided = 0;
  for (const { name, crawler } of namedCrawlers(robots, groups)) {
    const holding = budget.runWithin(1, () => {
      if (!rulesets.has(crawler)) budget.spend(length * WORK_PER_BYTE);
      const ruleset = rulesets.get(crawler);
      const key = rulesets.getGroupKey(crawler);
      const found =
        known.get(key) ??
        budget.runWithin(SHARE_OF_CRAWLER, () => findHolding(ruleset, rules, budget)) ??
        NOTHING;
      known.set(key, found);
      budget.spend((found.allow.length + found.block.length) * WORK_PER_EXPECTATION);
      return found;
    });
    if (holding?.isComplete !== true) undecided++;
    if (holding === undefined) continue;
    const { allow, block } = holding;
    if (allow.length + block.length === 0) continue;
    expectations.push({
      agent: name === ANY_OTHER_CRAWLER ? OTHER_NAME : name,
      ...(allow.length > 0 && { allow }),
      ...(block.length > 0 && { block }),
    });
  }
  return { expectations, undecided };
}

/** Crawlers that the file names, and any other. */
function namedCrawlers(robots: RobotsTxt, groups: readonly Group[]): NamedCrawler[] {
  const named = new Set(
    groups.flatMap(({ userAgents }) => userAgents.flatMap((each) => [each.productToken, each.extendedToken])),
  );
  return listCrawlers([robots]).filter(({ name, crawler }) => {
    if (name === ANY_OTHER_CRAWLER || typeof crawler === 'string' || !('tokens' in crawler)) return true;
    const [token] = crawler.tokens;
    return token !== undefined && named.has(token.toLowerCase());
  });
}

/** Patterns that hold for all that they describe. */
interface Patterns {
  readonly allow: readonly string[];
  readonly block: readonly string[];
  /** Whether the budget was enough for all patterns. */
  readonly isComplete: boolean;
}

const NOTHING: Patterns = { allow: [], block: [], isComplete: false };

function findHolding(ruleset: Ruleset, rules: ReadonlyMap<number, Rule>, budget: Budget): Patterns {
  const own = ruleset.ruleLines.map((line) => rules.get(line)).filter((rule) => rule !== undefined);
  const patternsOf = (kind: 'allow' | 'disallow'): string[] => [
    ...new Set(
      own
        .filter((rule) => rule.kind === kind && isClaimPattern(rule.value))
        .map(({ value }) => (value.endsWith('*') || value.endsWith('$') ? value : `${value}*`)),
    ),
  ];
  const [allow, block] = [patternsOf('allow'), patternsOf('disallow')];
  const prover = new VerdictProver(ruleset, [...allow, ...block], { budget });
  let isComplete = true;
  const isHolding = (pattern: string, isAllowed: boolean): boolean => {
    const { isTrue, isVacuous } = prover.prove(pattern, isAllowed, SHARE_OF_PROOF);
    if (isTrue === null) isComplete = false;
    return isTrue === true && !isVacuous;
  };
  const holding = {
    allow: allow.filter((pattern) => isHolding(pattern, true)),
    block: block.filter((pattern) => isHolding(pattern, false)),
  };
  return { ...holding, isComplete };
}
