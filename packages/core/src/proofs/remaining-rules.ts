/**
 * One crawler's rules, of which some have gone that changed no verdict: which other one can go?
 *
 * The automaton of all rules, which is made once, tells what the verdicts are. Another tells what they would be without a rule. Both
 * are walked through only where that rule matches, and no better one does.
 *
 * @module
 */
import type { Profile } from '../crawler/profile.ts';
import { NONE } from '../matching/rule-table.ts';
import { SortedPatterns, toSortKey } from '../matching/sorted-patterns.ts';
import type { Budget } from './automata/budget.ts';
import { forbids } from './automata/difference.ts';
import { Language } from './automata/language.ts';
import { walkTogether } from './automata/product.ts';
import { pickRules, type Rules, type Walk } from './automata/rule-walk.ts';
import { EntryFinder } from './entry-finder.ts';

/** What it costs to look at a pattern once when another automaton begins, in the measure of the budget. */
const WORK_OF_PATTERN = 0.3;

/** Work to begin with some rules, and for each of them. */
const WORK_OF_RULESET = 400;
const WORK_OF_RULE = 10;
/** Work to follow an automaton for one character. */
const WORK_PER_CHARACTER = 1 / 10;

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
  /** For an entry the one before it with the same pattern: while that is there, this one never wins. */
  readonly #betters: Map<number, number> = new Map();
  readonly #gone: Set<number> = new Set();
  /** Undefined where a path is compared in several forms. */
  readonly #finder: EntryFinder | undefined;
  /** For the line of a rule that cannot go a text that shows it. It may no longer do so when other rules are gone. */
  readonly #witnesses: Map<number, string> = new Map();

  /** @throws {BoundReached} if that is too much, as all that follows. */
  constructor(rules: Rules, profile: Profile, budget: Budget) {
    this.#rules = rules;
    this.#budget = budget;
    budget.spend(WORK_OF_RULESET + rules.count * WORK_OF_RULE);
    this.#patterns = SortedPatterns.from(rules);
    this.#language = new Language(profile, [this.#patterns]);
    this.#finder = profile.comparison === 'decoded' ? undefined : new EntryFinder(rules);
    this.#all = this.#language.walk(rules, this.#patterns, budget);
    const last = new Map<string, number>();
    for (let entry = 0; entry < rules.count; entry++) {
      const line = rules.line(entry);
      const own = this.#entries.get(line);
      if (own === undefined) this.#entries.set(line, [entry]);
      else own.push(entry);
      const text = toSortKey(rules.read(entry));
      const before = last.get(text);
      if (before !== undefined) {
        this.#heirs.set(before, entry);
        this.#betters.set(entry, before);
      }
      last.set(text, entry);
    }
  }

  /** Whether the rule on a line can go too. */
  canGo(line: number): boolean {
    const entries = this.#entries.get(line);
    if (entries === undefined) return true;
    if (entries.every((entry) => this.#neverWins(entry))) return true;
    const first = Math.min(...entries);
    const all = this.#all;
    const isGone = (entry: number): boolean => this.#gone.has(entry) || entries.includes(entry);
    let made: Walk | undefined;
    const makeRest = (): Walk => {
      made ??= this.#without(isGone);
      return made;
    };
    /** The winner among the rest. Where a finder can tell, no automaton is made. */
    const findAmongRest = (text: string): number => {
      const found = this.#finder?.find(text, isGone, this.#budget);
      if (found !== undefined) return found;
      const rest = makeRest();
      const [state] = this.#language.run([rest], text) as [number];
      return rest.winner(state);
    };
    // Most rules that decide something do so for the simplest paths that they match, which is soon seen.
    const witness = this.#witnesses.get(line);
    const simplest = entries.flatMap((entry) => this.#simplest(entry));
    for (const text of witness === undefined ? simplest : [witness, ...simplest]) {
      this.#budget.spend(text.length * WORK_PER_CHARACTER);
      const states = this.#language.run([all], text);
      if (states === undefined) continue;
      const winner = all.winner(states[0] as number);
      // A winner that is left still wins.
      if (winner === NONE || !isGone(winner)) continue;
      if (forbids(this.#rules, winner) !== forbids(this.#rules, findAmongRest(text))) {
        this.#witnesses.set(line, text);
        return false;
      }
    }
    const own = this.#own(entries);
    const rest = makeRest();
    const isDifferent = (a: number, b: number): boolean =>
      forbids(this.#rules, all.winner(a)) !== forbids(this.#rules, rest.winner(b));
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
      ([o = 0, a = 0, b = 0], path) => {
        if (own.winner(o) === NONE || !isDifferent(a, b)) return 'go on';
        isSame = false;
        this.#witnesses.set(line, path());
        return 'stop';
      },
    );
    return isSame;
  }

  /** Whether an entry that is left has the same pattern, and wins wherever this one would. */
  #neverWins(entry: number): boolean {
    let better = this.#betters.get(entry);
    while (better !== undefined && this.#gone.has(better)) {
      this.#budget.spend(WORK_PER_CHARACTER);
      better = this.#betters.get(better);
    }
    return better !== undefined;
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

  /**
   * Adds to `gone` the lines of the rules that decide otherwise than all rules do, where those on the lines of `gone` are left out.
   */
  addDeviating(gone: Set<number>): void {
    const entries = new Set([...gone].flatMap((line) => this.#entries.get(line) ?? []));
    if (entries.size === 0) return;
    const own = this.#own([...entries].sort((a, b) => a - b));
    const rest = this.#without((entry) => entries.has(entry));
    walkTogether(
      own,
      [this.#all, rest],
      this.#language,
      this.#budget,
      ([, a = 0, b = 0]) => {
        const verdict = this.#all.settledVerdict(a);
        return verdict !== undefined && verdict === rest.settledVerdict(b);
      },
      ([o = 0, a = 0, b = 0]) => {
        if (own.winner(o) === NONE) return 'go on';
        const winner = rest.winner(b);
        if (winner !== NONE && forbids(this.#rules, this.#all.winner(a)) !== forbids(this.#rules, winner))
          gone.add(this.#rules.line(winner));
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
    const rules = pickRules(this.#rules, entries);
    return this.#language.walk(rules, SortedPatterns.from(rules), this.#budget);
  }

  /** The automaton without some entries. */
  #without(isGone: (entry: number) => boolean): Walk {
    this.#budget.spend(this.#patterns.count * WORK_OF_PATTERN);
    const patterns = this.#patterns.withEntries((entry) => {
      let heir: number | undefined = entry;
      while (heir !== undefined && isGone(heir)) heir = this.#heirs.get(heir);
      return heir ?? NONE;
    });
    return this.#language.walk(this.#rules, patterns, this.#budget);
  }
}
