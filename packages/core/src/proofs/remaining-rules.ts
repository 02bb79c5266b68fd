// The rules of one crawler that remain after redundant ones were removed, and whether one more can be
// removed.
//
// The automaton of all rules, constructed once, gives the original verdicts. A second automaton gives the
// verdicts without the candidate. Their product is explored only where the candidate matches and no better
// rule does.
import { addToList } from '../bytes/add-to-list.ts';
import type { Profile } from '../crawler/profile.ts';
import { NONE } from '../matching/rule-table.ts';
import type { Budget } from './automata/budget.ts';
import { forbids } from './automata/difference.ts';
import { Language } from './automata/language.ts';
import { exploreProduct } from './automata/product.ts';
import { type Automaton, pickRules, type Rules } from './automata/rule-automaton.ts';
import { SortedPatterns, toSortKey } from './automata/sorted-patterns.ts';
import { WinnerFinder } from './winner-finder.ts';

/** Units of work per pattern when an automaton of the remaining rules is created. */
const WORK_PER_PATTERN = 0.3;

/** Units of work per ruleset, and per rule of it. */
const WORK_PER_RULESET = 400;
const WORK_PER_RULE = 10;
/** Units of work per character that an automaton reads. */
const WORK_PER_CHARACTER = 1 / 10;

export class RemainingRules {
  readonly #rules: Rules;
  readonly #budget: Budget;
  readonly #language: Language;
  readonly #patterns: SortedPatterns;
  readonly #all: Automaton;
  /** The automaton of the remaining rules; created on demand. */
  #remaining: Automaton | undefined;
  readonly #entries: Map<number, number[]> = new Map();
  /** For each entry the next one with the same pattern. */
  readonly #nextEqual: Map<number, number> = new Map();
  /** For each entry the previous one with the same pattern. An entry never wins while the previous one remains. */
  readonly #previousEqual: Map<number, number> = new Map();
  readonly #removed: Set<number> = new Set();
  /** For each removed entry a later one with the same pattern; all entries between them are removed. */
  readonly #nextRemaining: Map<number, number | undefined> = new Map();
  /** `undefined` if the profile compares several forms of a path. */
  readonly #finder: WinnerFinder | undefined;
  /** By line number: a text that shows that the rule is not redundant. Removing other rules can invalidate it. */
  readonly #counterexamples: Map<number, string> = new Map();

  /** @throws {BudgetExceededError} if this exceeds the budget. All methods throw it too. */
  constructor(rules: Rules, profile: Profile, budget: Budget) {
    this.#rules = rules;
    this.#budget = budget;
    budget.spend(WORK_PER_RULESET + rules.count * WORK_PER_RULE);
    this.#patterns = SortedPatterns.from(rules);
    this.#language = new Language(profile, [this.#patterns]);
    this.#finder = profile.comparison === 'decoded' ? undefined : new WinnerFinder(rules);
    this.#all = this.#language.createAutomaton(rules, this.#patterns, budget);
    const last = new Map<string, number>();
    for (let entry = 0; entry < rules.count; entry++) {
      addToList(this.#entries, rules.line(entry), entry);
      const text = toSortKey(rules.read(entry));
      const previous = last.get(text);
      if (previous !== undefined) {
        this.#nextEqual.set(previous, entry);
        this.#previousEqual.set(entry, previous);
      }
      last.set(text, entry);
    }
  }

  /** Returns whether the rule on a line can be removed without a change of verdict. */
  isRedundant(line: number): boolean {
    const entries = this.#entries.get(line);
    if (entries === undefined) return true;
    if (entries.every((entry) => this.#neverWins(entry))) return true;
    const first = Math.min(...entries);
    const all = this.#all;
    const isRemoved = (entry: number): boolean => this.#removed.has(entry) || entries.includes(entry);
    let created: Automaton | undefined;
    const getRest = (): Automaton => {
      created ??= this.#createRemaining(entries);
      return created;
    };
    /** Finds the winner without the candidate. Constructs the automaton only if the finder cannot decide. */
    const findWinnerInRest = (text: string): number => {
      const found = this.#finder?.find(text, isRemoved, this.#budget);
      if (found !== undefined) return found;
      const rest = getRest();
      const [state] = this.#language.run([rest], text) as [number];
      return rest.getWinner(state);
    };
    // Most rules that are not redundant decide the simplest paths that they match: try these first.
    const counterexample = this.#counterexamples.get(line);
    const simpleTexts = entries.flatMap((entry) => this.#getSimpleTexts(entry));
    for (const text of counterexample === undefined ? simpleTexts : [counterexample, ...simpleTexts]) {
      this.#budget.spend(text.length * WORK_PER_CHARACTER);
      const states = this.#language.run([all], text);
      if (states === undefined) continue;
      const winner = all.getWinner(states[0] as number);
      // A winner that is not removed still wins.
      if (winner === NONE || !isRemoved(winner)) continue;
      if (forbids(this.#rules, winner) !== forbids(this.#rules, findWinnerInRest(text))) {
        this.#counterexamples.set(line, text);
        return false;
      }
    }
    const candidate = this.#createFrom(entries);
    const rest = getRest();
    const isDifferent = (allState: number, restState: number): boolean =>
      forbids(this.#rules, all.getWinner(allState)) !== forbids(this.#rules, rest.getWinner(restState));
    let isSame = true;
    exploreProduct(
      candidate,
      [all, rest],
      this.#language,
      this.#budget,
      ([, allState = 0, restState = 0]) => {
        if (rest.getBest(restState) < first) return true;
        const verdict = all.getSettledVerdict(allState);
        return verdict !== undefined && verdict === rest.getSettledVerdict(restState);
      },
      ([candidateState = 0, allState = 0, restState = 0], path) => {
        if (candidate.getWinner(candidateState) === NONE || !isDifferent(allState, restState))
          return 'continue';
        isSame = false;
        this.#counterexamples.set(line, path());
        return 'stop';
      },
    );
    return isSame;
  }

  /** Returns whether a remaining entry has the same pattern and precedes this one. */
  #neverWins(entry: number): boolean {
    let previous = this.#previousEqual.get(entry);
    while (previous !== undefined && this.#removed.has(previous)) {
      this.#budget.spend(WORK_PER_CHARACTER);
      previous = this.#previousEqual.get(previous);
    }
    return previous !== undefined;
  }

  /** Removes the rule on a line, which must be redundant. */
  remove(line: number): void {
    for (const entry of this.#entries.get(line) ?? []) {
      this.#removed.add(entry);
      this.#nextRemaining.set(entry, this.#nextEqual.get(entry));
    }
    this.#remaining = undefined;
  }

  /** Returns the first remaining entry with the same pattern, from an entry on. Compresses the path, as thousands of rules can be equal. */
  #findRemaining(entry: number): number | undefined {
    let found: number | undefined = entry;
    while (found !== undefined && this.#removed.has(found)) found = this.#nextRemaining.get(found);
    for (let at: number | undefined = entry; at !== undefined && at !== found; ) {
      const next = this.#nextRemaining.get(at);
      this.#nextRemaining.set(at, found);
      at = next;
    }
    return found;
  }

  /** Adds the lines of the remaining rules that win where the rule on `line` matches; 0 where no rule does. */
  collectWinners(line: number, winners: Set<number>): void {
    const entries = this.#entries.get(line);
    if (entries === undefined) return;
    this.#remaining ??= this.#createRemaining([]);
    const remaining = this.#remaining;
    const candidate = this.#createFrom(entries);
    exploreProduct(
      candidate,
      [remaining],
      this.#language,
      this.#budget,
      () => false,
      ([candidateState = 0, remainingState = 0]) => {
        if (candidate.getWinner(candidateState) === NONE) return 'continue';
        const winner = remaining.getWinner(remainingState);
        winners.add(winner === NONE ? 0 : this.#rules.line(winner));
        return 'continue';
      },
    );
  }

  /**
   * Adds to `lines` the lines of rules that decide differently from the original verdict once the rules on
   * `lines` are removed.
   */
  collectDeviating(lines: Set<number>): void {
    const entries = new Set([...lines].flatMap((line) => this.#entries.get(line) ?? []));
    if (entries.size === 0) return;
    // The larger automaton first: a small budget ends the search before the other one is created.
    const rest = this.#createWith((entry) => {
      let current: number | undefined = entry;
      while (current !== undefined && entries.has(current)) current = this.#nextEqual.get(current);
      return current;
    });
    const candidate = this.#createFrom([...entries].sort((a, b) => a - b));
    exploreProduct(
      candidate,
      [this.#all, rest],
      this.#language,
      this.#budget,
      ([, allState = 0, restState = 0]) => {
        const verdict = this.#all.getSettledVerdict(allState);
        return verdict !== undefined && verdict === rest.getSettledVerdict(restState);
      },
      ([candidateState = 0, allState = 0, restState = 0]) => {
        if (candidate.getWinner(candidateState) === NONE) return 'continue';
        const winner = rest.getWinner(restState);
        if (
          winner !== NONE &&
          forbids(this.#rules, this.#all.getWinner(allState)) !== forbids(this.#rules, winner)
        )
          lines.add(this.#rules.line(winner));
        return 'continue';
      },
    );
  }

  /** Returns simple texts that the pattern of an entry matches. */
  #getSimpleTexts(entry: number): string[] {
    const { pattern, isAnchored } = this.#rules.read(entry);
    const { otherCharacter } = this.#language;
    const texts = ['', otherCharacter].map((between) => pattern.replaceAll('*', between));
    return isAnchored ? texts : texts.flatMap((text) => [text, text + otherCharacter]);
  }

  #createFrom(entries: readonly number[]): Automaton {
    const rules = pickRules(this.#rules, entries);
    return this.#language.createAutomaton(rules, SortedPatterns.from(rules), this.#budget);
  }

  #createRemaining(excluded: readonly number[]): Automaton {
    return this.#createWith((entry) => {
      let current = this.#findRemaining(entry);
      while (current !== undefined && excluded.includes(current)) {
        const next = this.#nextEqual.get(current);
        current = next === undefined ? undefined : this.#findRemaining(next);
      }
      return current;
    });
  }

  /** Creates the automaton of all patterns with other entries, or none. */
  #createWith(getEntry: (entry: number) => number | undefined): Automaton {
    this.#budget.spend(this.#patterns.count * WORK_PER_PATTERN);
    const patterns = this.#patterns.withEntries((entry) => getEntry(entry) ?? NONE);
    return this.#language.createAutomaton(this.#rules, patterns, this.#budget);
  }
}
