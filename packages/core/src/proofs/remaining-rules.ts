/**
 * One crawler's rules, of which some have gone that changed no verdict: which other one can go?
 *
 * The automaton of all rules, which is made once, tells what the verdicts are. Another tells what they would be without a rule. Both
 * are walked through only where that rule matches, and no better one does.
 *
 * @module
 */
import type { Profile } from '../profile.ts';
import { NONE } from '../rule-table.ts';
import { SortedPatterns, textOf } from '../sorted-patterns.ts';
import type { Budget } from './budget.ts';
import { forbids } from './difference.ts';
import { Language } from './language.ts';
import { walkTogether } from './product.ts';
import type { Rules, Walk } from './rule-walk.ts';

/** What it costs to look at a pattern once when another automaton begins, in the measure of the budget. */
const WORK_OF_PATTERN = 0.1;

/** The rules that are left of some. */
export class RemainingRules {
  readonly #rules: Rules;
  readonly #budget: Budget;
  readonly #language: Language;
  readonly #patterns: SortedPatterns;
  /** All rules. */
  readonly #all: Walk;
  /** The rules that are left; made when it is needed. */
  #left: Walk | undefined;
  /** The entries of each line. */
  readonly #entries: Map<number, number[]> = new Map();
  /** For an entry the next one with the same pattern. */
  readonly #heirs: Map<number, number> = new Map();
  readonly #gone: Set<number> = new Set();

  /** @throws {BoundReached} if that is too much, as all that follows. */
  constructor(rules: Rules, profile: Profile, budget: Budget) {
    this.#rules = rules;
    this.#budget = budget;
    budget.spend(rules.count);
    this.#patterns = SortedPatterns.of(rules);
    this.#language = new Language(profile, [this.#patterns]);
    this.#all = this.#language.walk(rules, this.#patterns, budget);
    const last = new Map<string, number>();
    for (let entry = 0; entry < rules.count; entry++) {
      const line = rules.line(entry);
      this.#entries.set(line, [...(this.#entries.get(line) ?? []), entry]);
      const text = textOf(rules.read(entry));
      const before = last.get(text);
      if (before !== undefined) this.#heirs.set(before, entry);
      last.set(text, entry);
    }
  }

  /** Whether the rule on a line can go too. */
  canGo(line: number): boolean {
    const entries = this.#entries.get(line);
    if (entries === undefined) return true;
    const first = Math.min(...entries);
    const own = this.#own(entries);
    const all = this.#all;
    const rest = this.#without((entry) => this.#gone.has(entry) || entries.includes(entry));
    const isDifferent = (a: number, b: number): boolean =>
      forbids(this.#rules, all.winner(a)) !== forbids(this.#rules, rest.winner(b));
    // Most rules that decide something do so for the simplest paths that they match, which is soon seen.
    for (const text of entries.flatMap((entry) => this.#simplest(entry))) {
      const states = this.#language.run([all, rest], text);
      if (states !== undefined && isDifferent(states[0] as number, states[1] as number)) return false;
    }
    let isSame = true;
    walkTogether(
      own,
      [all, rest],
      this.#language,
      this.#budget,
      ([, a = 0, b = 0]) => {
        if (rest.best(b) < first) return true;
        const verdict = all.settledVerdict(a);
        return verdict !== undefined && verdict === rest.settledVerdict(b);
      },
      ([o = 0, a = 0, b = 0]) => {
        if (own.winner(o) === NONE) return 'go on';
        isSame = !isDifferent(a, b);
        return isSame ? 'go on' : 'stop';
      },
    );
    return isSame;
  }

  /** Takes away a rule that can go. */
  remove(line: number): void {
    for (const entry of this.#entries.get(line) ?? []) this.#gone.add(entry);
    this.#left = undefined;
  }

  /** Adds to `winners` the lines of the rules that are left and win where that on `line` matches; 0 where none does. */
  winnersWhere(line: number, winners: Set<number>): void {
    const entries = this.#entries.get(line);
    if (entries === undefined) return;
    const own = this.#own(entries);
    this.#left ??= this.#without((entry) => this.#gone.has(entry));
    const left = this.#left;
    walkTogether(
      own,
      [left],
      this.#language,
      this.#budget,
      () => false,
      ([o = 0, b = 0]) => {
        if (own.winner(o) === NONE) return 'go on';
        const winner = left.winner(b);
        winners.add(winner === NONE ? 0 : this.#rules.line(winner));
        return 'go on';
      },
    );
  }

  /** Some texts that an entry's pattern matches. */
  #simplest(entry: number): string[] {
    const { pattern, isAnchored } = this.#rules.read(entry);
    const { other } = this.#language;
    const texts = ['', other].map((between) => pattern.replaceAll('*', between));
    return isAnchored ? texts : texts.flatMap((text) => [text, text + other]);
  }

  /** The automaton of a few entries. */
  #own(entries: readonly number[]): Walk {
    const rules: Rules = {
      count: entries.length,
      read: (entry) => this.#rules.read(entries[entry] as number),
      forbids: (entry) => this.#rules.forbids(entries[entry] as number),
      line: (entry) => this.#rules.line(entries[entry] as number),
    };
    return this.#language.walk(rules, SortedPatterns.of(rules), this.#budget);
  }

  /** The automaton without some entries. */
  #without(isGone: (entry: number) => boolean): Walk {
    this.#budget.spend(this.#patterns.count * WORK_OF_PATTERN);
    const patterns = this.#patterns.for((entry) => {
      let heir: number | undefined = entry;
      while (heir !== undefined && isGone(heir)) heir = this.#heirs.get(heir);
      return heir ?? NONE;
    });
    return this.#language.walk(this.#rules, patterns, this.#budget);
  }
}
