/**
 * Whether all URLs that a pattern describes have a verdict.
 *
 * @module
 */

import { NONE } from '../matching/rule-table.ts';
import { SortedPatterns } from '../matching/sorted-patterns.ts';
import { parse } from '../model/parse.ts';
import { getCompiledRules, type Ruleset } from '../model/ruleset.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';
import { MAX_LINE_BYTES } from '../syntax/scanner.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { forbids } from './automata/difference.ts';
import { Language } from './automata/language.ts';
import { walkTogether } from './automata/product.ts';
import { pickRules, type Rules, type Walk } from './automata/rule-walk.ts';
import { getOrigin } from './compare.ts';

/** Whether a claim about all URLs that a pattern describes is true. */
export interface Proof {
  /** `null` if the proof took more than it may. */
  readonly holds: boolean | null;
  /** A shortest path of which it is not true, with its verdict. */
  readonly counterexample: { readonly path: string; readonly verdict: Allowed | Disallowed } | null;
  /** Whether any URL is described at all. */
  readonly isVacuous: boolean;
}

/**
 * Proves that all URLs that a pattern describes are allowed, or all disallowed.
 *
 * @param pattern - as in a rule: `*` stands for any characters, `$` at the end for the end, else anything may follow.
 * @throws {RangeError} if it is no pattern: see {@link isProvable}.
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
 * Whether a text can be proved about as a pattern: it begins with `/` or `*`, has no line end, NUL or `#` in it, and fits into a
 * line of a file, which has at most 16,663 bytes.
 */
export function isProvable(pattern: string): boolean {
  return /^[/*][^\r\n#\0]*$/.test(pattern) && FIELD.length + 3 * pattern.length <= MAX_LINE_BYTES;
}

/** Work to begin with some rules and patterns, and for each of them. */
const WORK_OF_RULES = 200;
const WORK_OF_RULE = 6;
/** Work to decide about a counter-example, for each of its characters. */
const WORK_PER_CHARACTER = 2;

/** Proves claims about one ruleset. The automaton of its rules is made once for all of them. */
export class VerdictProver {
  readonly #ruleset: Ruleset;
  readonly #budget: Budget;
  /** The number of each pattern, from 1. */
  readonly #numbers: ReadonlyMap<string, number>;
  /** The patterns as rules, one on each line; made for the first proof. */
  #claims: Claims | undefined;

  /**
   * @param patterns - all those about which claims are to be proved, written as in {@link proveVerdict}.
   * @throws {RangeError} if one of them is no pattern.
   */
  constructor(ruleset: Ruleset, patterns: readonly string[], options: ProofOptions = {}) {
    for (const pattern of patterns)
      if (!isProvable(pattern))
        throw new RangeError(`not a pattern: ${JSON.stringify(pattern.slice(0, 100))}`);
    this.#ruleset = ruleset;
    this.#budget = Budget.from(options);
    this.#numbers = new Map([...new Set(patterns)].map((pattern, index) => [pattern, index + 1]));
  }

  /**
   * Proves that all URLs that a pattern describes are allowed, or all disallowed.
   *
   * @param share - of what is left of the budget, how much the proof may take.
   * @throws {RangeError} if the pattern is none of those that were given before.
   */
  prove(pattern: string, isAllowed: boolean, share = 1): Proof {
    const number = this.#numbers.get(pattern);
    if (number === undefined)
      throw new RangeError(`an unknown pattern: ${JSON.stringify(pattern.slice(0, 100))}`);
    const ruleset = this.#ruleset;
    const { table } = getCompiledRules(ruleset);
    const budget = this.#budget;
    let counterexample: Proof['counterexample'] = null;
    let isVacuous = true;
    // What all proofs share is not paid from the share of the first.
    this.#claims ??= budget.within(1, () => new Claims(ruleset, [...this.#numbers.keys()], budget));
    const claims = this.#claims;
    if (claims === undefined) return { holds: null, counterexample, isVacuous };
    const isDone = budget.within(share, () => {
      const { language, walk } = claims;
      const claim = claims.walkOf(number);
      walkTogether(
        claim,
        [walk],
        language,
        budget,
        () => false,
        ([b = 0, a = 0], pathTo) => {
          if (claim.winner(b) === NONE) return 'go on';
          isVacuous = false;
          if (forbids(table, walk.winner(a)) !== isAllowed) return 'go on';
          const path = pathTo();
          budget.spend(path.length * WORK_PER_CHARACTER);
          const verdict = ruleset.decide(`${getOrigin(ruleset)}${path}`);
          if (verdict.kind === 'out-of-scope' || verdict.allowed === isAllowed)
            throw new Error(`a proof went wrong: ${path} is no counter-example`);
          counterexample = { path, verdict };
          return 'stop';
        },
      );
      return true;
    });
    const holds = counterexample === null ? (isDone === true ? true : null) : false;
    return { holds, counterexample, isVacuous };
  }
}

/** The automata of a ruleset and of patterns, in one language. */
class Claims {
  readonly language: Language;
  /** The automaton of the ruleset. */
  readonly walk: Walk;
  readonly #table: Rules;
  readonly #budget: Budget;
  /** The entries of each line. */
  readonly #entries: Map<number, number[]> = new Map();

  constructor(ruleset: Ruleset, patterns: readonly string[], budget: Budget) {
    const { profile } = ruleset;
    const { table } = getCompiledRules(ruleset);
    budget.spend(WORK_OF_RULES + (table.count + patterns.length) * WORK_OF_RULE);
    this.#budget = budget;
    const file = `user-agent: *${patterns.map((pattern) => `\n${FIELD}${pattern}`).join('')}`;
    const claims = parse(file, { profile, maxBytes: Number.POSITIVE_INFINITY }).ruleset({ tokens: ['any'] });
    this.#table = getCompiledRules(claims).table;
    for (let entry = 0; entry < this.#table.count; entry++) {
      // Line 1 has the agent.
      const line = this.#table.line(entry) - 1;
      const own = this.#entries.get(line);
      if (own === undefined) this.#entries.set(line, [entry]);
      else own.push(entry);
    }
    const sorted = SortedPatterns.from(table);
    this.language = new Language(profile, [sorted, SortedPatterns.from(this.#table)]);
    this.walk = this.language.walk(table, sorted, budget);
  }

  /** The automaton of the pattern with that number, from 1. */
  walkOf(line: number): Walk {
    const entries = this.#entries.get(line) ?? [];
    const rules = pickRules(this.#table, entries);
    return this.language.walk(rules, SortedPatterns.from(rules), this.#budget);
  }
}
