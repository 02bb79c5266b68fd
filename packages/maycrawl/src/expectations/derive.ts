// Derives expectations from a robots.txt, as a start for its tests: the verdict of each rule, unless another rule overrides it.
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

/** Expectations about one crawler, as in a file. */
interface DerivedExpectation {
  readonly agent: string;
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
}

export interface Derived {
  readonly expectations: readonly DerivedExpectation[];
  /** Number of crawlers for which the budget was too small to decide all rules. */
  readonly undecided: number;
}

/** The name for crawlers without a group of their own. */
const OTHER_NAME = '*';
/** Share of the remaining budget for the proof about one rule. */
const SHARE_OF_PROOF = 1 / 100;
/** Units of work per byte that a ruleset reads, and per expectation. */
const WORK_PER_BYTE = 1 / 10;
const WORK_PER_EXPECTATION = 10;
/** Share of the remaining budget for the rules of one crawler. */
const SHARE_OF_CRAWLER = 1 / 2;

/**
 * Derives expectations for each crawler that a file names, and for any other crawler.
 *
 * @param options - limits of all proofs together.
 */
export function deriveExpectations(robots: RobotsTxt, options: ProofOptions = {}): Derived {
  const budget = Budget.from('deriveExpectations', options, {});
  const rulesets = new RulesetCache(robots);
  const groups = robots.groups();
  const { length } = robots.bytes;
  // A ruleset would read the whole file for its rules.
  const rules = new Map(groups.flatMap((group) => group.rules.map((rule) => [rule.line, rule])));
  /** Patterns by group key. */
  const patternsByGroup = new Map<string, Patterns>();
  const expectations: DerivedExpectation[] = [];
  let undecided = 0;
  for (const { name, crawler } of listNamedCrawlers(robots, groups)) {
    const patterns = budget.runWithin(1, () => {
      if (!rulesets.has(crawler)) budget.spend(length * WORK_PER_BYTE);
      const ruleset = rulesets.get(crawler);
      const key = rulesets.getGroupKey(crawler);
      const found =
        patternsByGroup.get(key) ??
        budget.runWithin(SHARE_OF_CRAWLER, () => findTruePatterns(ruleset, rules, budget)) ??
        NOTHING;
      patternsByGroup.set(key, found);
      budget.spend((found.allow.length + found.block.length) * WORK_PER_EXPECTATION);
      return found;
    });
    if (patterns?.isComplete !== true) undecided++;
    if (patterns === undefined) continue;
    const { allow, block } = patterns;
    if (allow.length + block.length === 0) continue;
    expectations.push({
      agent: name === ANY_OTHER_CRAWLER ? OTHER_NAME : name,
      ...(allow.length > 0 && { allow }),
      ...(block.length > 0 && { block }),
    });
  }
  return { expectations, undecided };
}

/** Lists the crawlers that the file names, and any other crawler. */
function listNamedCrawlers(robots: RobotsTxt, groups: readonly Group[]): NamedCrawler[] {
  const named = new Set(
    groups.flatMap(({ userAgents }) => userAgents.flatMap((each) => [each.productToken, each.extendedToken])),
  );
  return listCrawlers([robots]).filter(({ name, crawler }) => {
    if (name === ANY_OTHER_CRAWLER || typeof crawler === 'string' || !('tokens' in crawler)) return true;
    const [token] = crawler.tokens;
    return token !== undefined && named.has(token.toLowerCase());
  });
}

/** Patterns all of whose URLs have the verdict. */
interface Patterns {
  readonly allow: readonly string[];
  readonly block: readonly string[];
  /** Whether the budget was enough for all patterns. */
  readonly isComplete: boolean;
}

const NOTHING: Patterns = { allow: [], block: [], isComplete: false };

function findTruePatterns(ruleset: Ruleset, rules: ReadonlyMap<number, Rule>, budget: Budget): Patterns {
  const own = ruleset.ruleLines.map((line) => rules.get(line)).filter((rule) => rule !== undefined);
  const getPatterns = (kind: 'allow' | 'disallow'): string[] => [
    ...new Set(
      own
        .filter((rule) => rule.kind === kind && isClaimPattern(rule.value))
        .map(({ value }) => (value.endsWith('*') || value.endsWith('$') ? value : `${value}*`)),
    ),
  ];
  const [allow, block] = [getPatterns('allow'), getPatterns('disallow')];
  const prover = new VerdictProver(ruleset, [...allow, ...block], { budget });
  let isComplete = true;
  const isTruePattern = (pattern: string, isAllowed: boolean): boolean => {
    const { isTrue, isVacuous } = prover.prove(pattern, isAllowed, SHARE_OF_PROOF);
    if (isTrue === null) isComplete = false;
    return isTrue === true && !isVacuous;
  };
  const patterns = {
    allow: allow.filter((pattern) => isTruePattern(pattern, true)),
    block: block.filter((pattern) => isTruePattern(pattern, false)),
  };
  return { ...patterns, isComplete };
}
