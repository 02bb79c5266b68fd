// The changes of one purpose for one set of crawlers: a search in the product of the automata of all rules and declarations, so that it
// covers all paths.
import type { Profile } from '../../crawler/profile.ts';
import { NONE } from '../../matching/rule-table.ts';
import type { Budget } from '../../proofs/automata/budget.ts';
import { forbids, numberSharedRules } from '../../proofs/automata/difference.ts';
import { Language } from '../../proofs/automata/language.ts';
import { exploreProduct, type States } from '../../proofs/automata/product.ts';
import { type Automaton, type Rules, UNSHARED } from '../../proofs/automata/rule-automaton.ts';
import { SortedPatterns } from '../../proofs/automata/sorted-patterns.ts';
import type { PreferenceStatement, PreferenceValue } from '../statement.ts';
import type { DeclaredRules, DeclaredValue } from './declared-rules.ts';

/** A value, and the statement that decides it. */
export interface DeclaredPreference {
  readonly value: PreferenceValue;
  /** `null` if the value is `unknown` or `not-applicable`. */
  readonly statement: PreferenceStatement | null;
}

export interface FoundChange {
  /** A shortest path with these deciding statements. */
  readonly example: string;
  readonly before: DeclaredPreference;
  readonly after: DeclaredPreference;
}

/** What decides about one purpose for a set of crawlers: in each pair the file before, and the file after. */
export interface ComparedRules {
  readonly crawl: readonly [Rules, Rules];
  /** The sources of statements, in the order in which the deciding statement is selected. */
  readonly sources: readonly (readonly [DeclaredRules, DeclaredRules])[];
}

/** A source that decides, and its entry. */
interface Decision {
  readonly value: DeclaredValue;
  readonly source: number;
  readonly entry: number;
}

interface Found {
  readonly decisions: readonly [Decision, Decision];
  readonly path: string;
  readonly wasFetchable: boolean;
}

/** Units of work per automaton in each visited state, and per character of an example. */
const WORK_PER_AUTOMATON = 2;
const WORK_PER_CHARACTER = 2;

/**
 * Finds the changes for paths that the crawlers may fetch after the edit, one for each pair of deciding statements. If they could fetch
 * none of the paths before, the change is reported only if something is declared now.
 *
 * @param report - receives each change, also those found before the budget is exceeded.
 * @throws {BudgetExceededError} if the search exceeds the budget.
 */
export function findChanges(
  { crawl, sources }: ComparedRules,
  profile: Profile,
  budget: Budget,
  report: (change: FoundChange) => void,
): void {
  const found = new Map<string, Found>();
  const product = new Product(crawl, sources, profile, budget);
  try {
    exploreProduct(
      undefined,
      product.automata,
      product.language,
      budget,
      (states) => product.isDecided(states, found),
      (states, getPath) => {
        if (!product.isFetchable(1, states)) return 'continue';
        const decisions = [product.decide(0, states), product.decide(1, states)] as const;
        if (decisions[0].value === decisions[1].value) return 'continue';
        const wasFetchable = product.isFetchable(0, states);
        if (!wasFetchable && decisions[1].value === 'unknown') return 'continue';
        const key = getKey(decisions);
        const known = found.get(key);
        if (known?.wasFetchable || (known !== undefined && !wasFetchable)) return 'continue';
        const path = getPath();
        budget.spend(path.length * WORK_PER_CHARACTER);
        found.set(key, { decisions, path, wasFetchable });
        return 'continue';
      },
    );
  } finally {
    for (const { decisions, path, wasFetchable } of found.values()) {
      const [before, after] = decisions.map(({ value, source, entry }, side): DeclaredPreference => {
        const rules = sources[source]?.[side as 0 | 1];
        const isDecided = value !== 'unknown' && rules !== undefined;
        return { value, statement: isDecided ? rules.getStatement(entry, path) : null };
      }) as [DeclaredPreference, DeclaredPreference];
      report({
        example: path,
        before: wasFetchable ? before : { value: 'not-applicable', statement: null },
        after,
      });
    }
  }
}

function getKey(decisions: readonly [Decision, Decision]): string {
  return decisions.map(({ value, source, entry }) => `${value} ${source} ${entry}`).join('|');
}

/** The automata of both files: those of the rules about crawling, then a pair for each source. */
class Product {
  readonly language: Language;
  readonly automata: readonly Automaton[];
  readonly #tables: readonly Rules[];
  readonly #sources: ComparedRules['sources'];
  readonly #budget: Budget;

  constructor(
    crawl: ComparedRules['crawl'],
    sources: ComparedRules['sources'],
    profile: Profile,
    budget: Budget,
  ) {
    this.#tables = [...crawl, ...sources.flat()];
    this.#sources = sources;
    this.#budget = budget;
    for (const { count } of this.#tables) budget.spend(count);
    const patterns = this.#tables.map((table) => SortedPatterns.from(table));
    const shared = [
      ...[new Map(), new Map()],
      ...sources.flatMap(([before, after]) =>
        numberSharedRules(before, after, (rules, entry) => rules.getValue(entry)),
      ),
    ];
    this.language = new Language(profile, patterns);
    this.automata = this.#tables.map((table, index) =>
      this.language.createAutomaton(table, patterns[index] as SortedPatterns, budget, shared[index]),
    );
  }

  /** Whether the crawlers may fetch a path that ends in some states. */
  isFetchable(side: 0 | 1, states: States): boolean {
    return !forbids(this.#tables[side] as Rules, this.#getWinner(side, states));
  }

  /** Combines the sources of a file: the most restrictive value, and the first source that has it. */
  decide(side: 0 | 1, states: States): Decision {
    let decision: Decision = { value: 'unknown', source: -1, entry: NONE };
    for (const [source, pair] of this.#sources.entries()) {
      const entry = this.#getWinner(2 + 2 * source + side, states);
      const value = pair[side].getValue(entry);
      if (value === 'disallowed') return { value, source, entry };
      if (value === 'allowed' && decision.value === 'unknown') decision = { value, source, entry };
    }
    return decision;
  }

  /** Whether no continuation of a path has another change than those that are found. */
  isDecided(states: States, found: ReadonlyMap<string, Found>): boolean {
    this.#budget.spend(this.automata.length * WORK_PER_AUTOMATON);
    if (this.#getSettledVerdict(1, states) === true) return true;
    if (this.#sources.every((pair, source) => this.#isSame(pair, 2 + 2 * source, states))) return true;
    if (!states.every((state, index) => index < 2 || (this.automata[index] as Automaton).isSettled(state)))
      return false;
    const decisions = [this.decide(0, states), this.decide(1, states)] as const;
    if (decisions[0].value === decisions[1].value) return true;
    const known = found.get(getKey(decisions));
    if (known?.wasFetchable) return true;
    return (
      this.#getSettledVerdict(0, states) === true && (known !== undefined || decisions[1].value === 'unknown')
    );
  }

  /** Whether a source decides the same in both files for all continuations: only shared rules can win, and the same one leads. */
  #isSame([before, after]: readonly [DeclaredRules, DeclaredRules], index: number, states: States): boolean {
    if (before.getValue(NONE) !== after.getValue(NONE)) return false;
    const best = this.#getSharedBest(index, states);
    return best !== UNSHARED && best === this.#getSharedBest(index + 1, states);
  }

  #getSharedBest(index: number, states: States): number {
    return (this.automata[index] as Automaton).getSharedBest(states[index] as number);
  }

  #getSettledVerdict(index: 0 | 1, states: States): boolean | undefined {
    return (this.automata[index] as Automaton).getSettledVerdict(states[index] as number);
  }

  #getWinner(index: number, states: States): number {
    return (this.automata[index] as Automaton).getWinner(states[index] as number);
  }
}
