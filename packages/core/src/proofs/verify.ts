// Proofs that all URLs that match a pattern have the same verdict.

import { addToList } from '../bytes/add-to-list.ts';
import { quoteValue } from '../bytes/check-options.ts';
import { freezeDeep } from '../bytes/freeze.ts';
import { NONE, type RuleTable } from '../matching/rule-table.ts';
import { parse } from '../model/robots-txt.ts';
import { getRuleTable, type Ruleset } from '../model/ruleset.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';
import { MAX_LINE_BYTES } from '../syntax/scanner.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { forbids } from './automata/difference.ts';
import { Language } from './automata/language.ts';
import { exploreProduct } from './automata/product.ts';
import { type Automaton, pickRules, type Rules } from './automata/rule-automaton.ts';
import { SortedPatterns } from './automata/sorted-patterns.ts';
import { decidePath } from './examples.ts';

/** The result of the proof of a claim about all URLs that match a pattern. */
export interface Proof {
  /** Whether the claim is true; `null` if the proof exceeded its budget. */
  readonly isTrue: boolean | null;
  /** A shortest path for which the claim is false, with its verdict; `null` if none was found. Under `rfc9309` it is a shortest one in decoded form. */
  readonly counterexample: { readonly path: string; readonly verdict: Allowed | Disallowed } | null;
  /** Whether the proof shows that no URL matches the pattern: then any claim about it is true. */
  readonly isVacuous: boolean;
}

/**
 * Proves that all URLs that match a pattern are allowed, or that all are disallowed. Several claims about one ruleset are proved faster by a
 * {@link VerdictProver}. If the profile always allows `/robots.txt`, this URL
 * counts only for patterns that match no other one.
 *
 * @param pattern - a path pattern as in a rule: `*` matches any characters, and `$` at the end matches the
 *   end of the URL. Without `$`, any characters may follow.
 * @param isAllowed - the claimed verdict.
 * @throws {RangeError} if `pattern` is not a valid pattern: see {@link isClaimPattern}.
 */
export function proveVerdict(
  ruleset: Ruleset,
  pattern: string,
  isAllowed: boolean,
  options: ProofOptions = {},
): Proof {
  return new VerdictProver(ruleset, [pattern], options).prove(pattern, isAllowed);
}

const FIELD = 'disallow:';

/**
 * Returns whether a text is a pattern for proofs: it begins with `/` or `*`, contains no line end, NUL or
 * `#`, and fits into a line of a file, which has at most 16,663 bytes.
 */
export function isClaimPattern(pattern: string): boolean {
  return /^[/*][^\r\n#\0]*$/.test(pattern) && FIELD.length + 3 * pattern.length <= MAX_LINE_BYTES;
}

/** @throws {RangeError} if one of them is not a pattern. */
export function requireClaimPatterns(patterns: readonly string[]): void {
  for (const pattern of patterns)
    if (!isClaimPattern(pattern)) throw new RangeError(`not a pattern: ${quoteValue(pattern)}`);
}

/** Units of work for the automata, and per rule or pattern. */
const WORK_PER_RULESET = 200;
const WORK_PER_RULE = 6;
/** Units of work per proof, to create the automaton of its pattern. */
const WORK_PER_PROOF = 100;
/** Units of work per character of a counterexample that is decided. */
const WORK_PER_CHARACTER = 2;

/** Proves claims about one ruleset. All proofs share the automaton of its rules. */
export class VerdictProver {
  readonly #ruleset: Ruleset;
  readonly #budget: Budget;
  /** Numbers of the patterns, from 1. */
  readonly #numbers: ReadonlyMap<string, number>;
  /** The automata; created for the first proof. */
  #automata: ClaimAutomata | undefined;

  /**
   * @param patterns - all patterns for {@link prove}, in the syntax of {@link proveVerdict}.
   * @param options - limits of all proofs together.
   * @throws {RangeError} if one of them is not a valid pattern.
   */
  constructor(ruleset: Ruleset, patterns: readonly string[], options: ProofOptions = {}) {
    requireClaimPatterns(patterns);
    this.#ruleset = ruleset;
    this.#budget = Budget.from('VerdictProver', options, {});
    this.#numbers = new Map([...new Set(patterns)].map((pattern, index) => [pattern, index + 1]));
  }

  /**
   * Proves that all URLs that match a pattern are allowed, or that all are disallowed.
   *
   * @param pattern - one of the patterns that the constructor received.
   * @param isAllowed - the claimed verdict.
   * @param share - share of the remaining budget for this proof, from 0 to 1. @defaultValue 1
   * @throws {RangeError} if the constructor did not receive `pattern`.
   */
  prove(pattern: string, isAllowed: boolean, share = 1): Proof {
    if (typeof isAllowed !== 'boolean')
      throw new TypeError(`the claimed verdict must be true or false, not ${quoteValue(isAllowed)}`);
    const number = this.#numbers.get(pattern);
    if (number === undefined) throw new RangeError(`unknown pattern: ${quoteValue(pattern)}`);
    const ruleset = this.#ruleset;
    const table = getRuleTable(ruleset);
    const budget = this.#budget;
    let counterexample: Proof['counterexample'] = null;
    let isVacuous = true;
    if (!budget.trySpend(WORK_PER_PROOF, share)) return UNDECIDED;
    // The share of the first proof does not pay for what all proofs use.
    this.#automata ??= budget.runWithin(
      1,
      () => new ClaimAutomata(ruleset, [...this.#numbers.keys()], budget),
    );
    const automata = this.#automata;
    if (automata === undefined) return UNDECIDED;
    const isComplete = budget.runWithin(share, () => {
      const { language, rules } = automata;
      const claim = automata.createPatternAutomaton(number);
      exploreProduct(
        claim,
        [rules],
        language,
        budget,
        () => false,
        ([claimState = 0, ruleState = 0], getPath) => {
          if (claim.getWinner(claimState) === NONE) return 'continue';
          isVacuous = false;
          if (forbids(table, rules.getWinner(ruleState)) !== isAllowed) return 'continue';
          const path = getPath();
          budget.spend(path.length * WORK_PER_CHARACTER);
          counterexample = createCounterexample(ruleset, path, isAllowed);
          return 'stop';
        },
      );
      return true;
    });
    // The language of the automata does not contain a path that the profile always allows.
    const { isRobotsTxtAllowed } = ruleset.profile;
    if (isComplete && isVacuous && isRobotsTxtAllowed && automata.matches(number, ROBOTS_TXT)) {
      isVacuous = false;
      if (!isAllowed) counterexample = createCounterexample(ruleset, ROBOTS_TXT, isAllowed);
    }
    const isTrue = counterexample === null ? (isComplete === true ? true : null) : false;
    return { isTrue, counterexample, isVacuous: isTrue === true && isVacuous };
  }
}

const UNDECIDED: Proof = /* @__PURE__ */ freezeDeep({ isTrue: null, counterexample: null, isVacuous: false });
const ROBOTS_TXT = '/robots.txt';

/** Creates a counterexample, and verifies it with the ruleset. */
function createCounterexample(ruleset: Ruleset, path: string, isAllowed: boolean): Proof['counterexample'] {
  const verdict = decidePath(ruleset, path);
  if (verdict.allowed === isAllowed) throw new Error(`internal error: ${path} is not a counterexample`);
  return { path, verdict };
}

/** The automata of a ruleset and of patterns, in one language. */
class ClaimAutomata {
  readonly language: Language;
  readonly rules: Automaton;
  readonly #table: Rules & Pick<RuleTable, 'matches'>;
  readonly #budget: Budget;
  readonly #entries: Map<number, number[]> = new Map();

  constructor(ruleset: Ruleset, patterns: readonly string[], budget: Budget) {
    const { profile } = ruleset;
    const table = getRuleTable(ruleset);
    budget.spend(WORK_PER_RULESET + (table.count + patterns.length) * WORK_PER_RULE);
    this.#budget = budget;
    const file = `user-agent: *${patterns.map((pattern) => `\n${FIELD}${pattern}`).join('')}`;
    const claims = parse(file, { profile, maxBytes: Number.POSITIVE_INFINITY }).ruleset({ tokens: ['any'] });
    this.#table = getRuleTable(claims);
    for (let entry = 0; entry < this.#table.count; entry++) {
      // Line 1 is the user-agent line.
      addToList(this.#entries, this.#table.line(entry) - 1, entry);
    }
    const sorted = SortedPatterns.from(table);
    this.language = new Language(profile, [sorted, SortedPatterns.from(this.#table)]);
    this.rules = this.language.createAutomaton(table, sorted, budget);
  }

  /** Whether the pattern with a number, from 1, matches a path. */
  matches(number: number, path: string): boolean {
    return (this.#entries.get(number) ?? []).some((entry) => this.#table.matches(entry, path, 0));
  }

  /** Creates the automaton of the pattern with a number, from 1. */
  createPatternAutomaton(number: number): Automaton {
    const entries = this.#entries.get(number) ?? [];
    const rules = pickRules(this.#table, entries);
    return this.language.createAutomaton(rules, SortedPatterns.from(rules), this.#budget);
  }
}
