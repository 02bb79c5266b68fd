// Readings of other programs and studies: what a robots.txt says if it is read as they read it. A researcher sees with them how much a
// result depends on the parser.
import { Budget } from '@maycrawl/core/proofs';

/** Which URLs an agent may fetch. `undecided`: the work exceeded its budget. */
export type Access = 'all' | 'none' | 'some' | 'undecided';

/** States of a budget for each byte of a file. A state has two steps. Of 480 files of real sites, each needs less than a sixth. */
const STATES_PER_BYTE = 250;
const FREE_STATES = 500_000;

/**
 * Creates the budget of a reading for a file. It grows with the file, so that no file has more work for each of its bytes than others.
 * A step is about ten nanoseconds: a rule whose first characters differ from those of a path.
 */
export function createReadingBudget(content: Uint8Array): Budget {
  return new Budget(FREE_STATES + STATES_PER_BYTE * content.length);
}

/** A file, as another program reads it. */
export interface ReadFile {
  /**
   * Returns which URLs an agent may fetch.
   *
   * @param agent - a product token.
   */
  classify(agent: string): Access;
  /**
   * Whether an agent may fetch a path; missing for readings that only classify files.
   *
   * @param agent - a product token.
   * @param path - path and query in request form.
   * @returns `null` if the work exceeds its budget.
   */
  isAllowed?(agent: string, path: string): boolean | null;
}

/** A reading. */
export interface OtherReading {
  /** As an option and in tables. */
  readonly name: string;
  /** A sentence for people. */
  readonly description: string;
  /** Where the behaviour was read. */
  readonly source: string;
  /**
   * Reads a file.
   *
   * @param probes - paths that stand for all others, for readings that decide about URLs and do not classify files.
   * @param budget - of the steps for all agents. @defaultValue 500 steps for each byte of the file, and one million
   * @returns `null` if the program fails on the file.
   */
  read(content: Uint8Array, probes: readonly string[], budget?: Budget): ReadFile | null;
}

/** How a reading classifies agents. Rules that are the same object are classified once. */
interface Classifier<Rules extends object> {
  readonly findRules: (agent: string) => Rules;
  readonly classify: (rules: Rules) => Access;
}

/** Returns a file that only classifies agents. */
export function createClassifiedFile<Rules extends object>(
  { findRules, classify }: Classifier<Rules>,
  budget: Budget,
): ReadFile {
  const classes = new Map<Rules, Access>();
  const classifyOnce = (rules: Rules): Access => {
    const access = classes.get(rules) ?? classify(rules);
    classes.set(rules, access);
    return access;
  };
  return { classify: (agent) => budget.runWithin(1, () => classifyOnce(findRules(agent))) ?? 'undecided' };
}

/** How a reading decides about paths. */
interface Decider<Rules extends object> {
  readonly findRules: (agent: string) => Rules;
  /** Returns a path in the form with which rules are compared. */
  readonly toComparedPath: (path: string) => string;
  /** @param path - in the compared form. */
  readonly isAllowed: (rules: Rules, path: string) => boolean;
}

export function createDecidingFile<Rules extends object>(
  { findRules, toComparedPath, isAllowed }: Decider<Rules>,
  probes: readonly string[],
  budget: Budget,
): ReadFile {
  const comparedProbes = probes.map(toComparedPath);
  const rulesOfAgent = new Map<string, Rules>();
  const findOnce = (agent: string): Rules => {
    const rules = rulesOfAgent.get(agent) ?? findRules(agent);
    rulesOfAgent.set(agent, rules);
    return rules;
  };
  const classify = (rules: Rules): Access =>
    classifyByProbes((path) => isAllowed(rules, path), comparedProbes);
  return {
    ...createClassifiedFile({ findRules: findOnce, classify }, budget),
    isAllowed: (agent, path) =>
      budget.runWithin(1, () => isAllowed(findOnce(agent), toComparedPath(path))) ?? null,
  };
}

/** Classifies a file by the verdicts on paths. */
export function classifyByProbes(isAllowed: (path: string) => boolean, probes: readonly string[]): Access {
  const allowed = probes.filter(isAllowed).length;
  if (allowed === probes.length) return 'all';
  return allowed === 0 ? 'none' : 'some';
}
