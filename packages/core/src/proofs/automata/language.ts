// The regular language over which sets of rules are compared: the accepted paths and their alphabet. Automata
// can only be combined if they belong to the same language.
import type { Profile } from '../../crawler/profile.ts';
import type { Budget } from './budget.ts';
import { type ByteClass, findByteClasses } from './byte-classes.ts';
import { DecodedPathAutomaton } from './decoded-path-automaton.ts';
import { DecodedRuleAutomaton } from './decoded-rule-automaton.ts';
import { NO_PATH, type PathAutomaton } from './path-automaton.ts';
import { RequestPathAutomaton } from './request-path-automaton.ts';
import { type Automaton, RuleAutomaton, type Rules, type SharedEntries } from './rule-automaton.ts';
import type { SortedPatterns } from './sorted-patterns.ts';

/** The accepted paths and the byte classes of their characters. */
export class Language {
  readonly paths: PathAutomaton;
  readonly classes: readonly ByteClass[];
  /** A character that occurs in no pattern; if there is none, the first of the alphabet. */
  readonly otherCharacter: string;
  readonly #isDecoded: boolean;
  /** Indices of the byte classes, by representative. */
  readonly #classIndices: ReadonlyMap<number, number>;

  /** @param patterns - the patterns of all automata of this language. */
  constructor({ comparison, isRobotsTxtAllowed }: Profile, patterns: readonly SortedPatterns[]) {
    this.#isDecoded = comparison === 'decoded';
    this.paths = getPathAutomaton(this.#isDecoded, isRobotsTxtAllowed);
    this.classes = findByteClasses(patterns, this.paths);
    this.otherCharacter = String.fromCharCode(
      (this.classes.find(isOther) ?? (this.classes[0] as ByteClass)).code,
    );
    this.#classIndices = new Map(this.classes.map(({ code }, index) => [code, index]));
  }

  /**
   * Runs automata on a text.
   *
   * @returns the final state of each, or `undefined` if the language does not contain the text.
   */
  run(automata: readonly Automaton[], text: string): number[] | undefined {
    const states = automata.map(() => 0);
    let pathState = this.paths.start;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      pathState = this.paths.step(pathState, code);
      const byteClass = this.#classIndices.get(code);
      if (pathState === NO_PATH || byteClass === undefined) return undefined;
      for (let index = 0; index < automata.length; index++)
        states[index] = (automata[index] as Automaton).next(states[index] as number, byteClass);
    }
    return this.paths.accepts(pathState) ? states : undefined;
  }

  /**
   * Creates the automaton of a rule table.
   *
   * @param patterns - the patterns of `rules`.
   * @param shared - the rules that the other automaton of a product has too.
   */
  createAutomaton(
    rules: Rules,
    patterns: SortedPatterns,
    budget: Budget,
    shared: SharedEntries = new Map(),
  ): Automaton {
    const automaton = new RuleAutomaton(rules, patterns, shared, this.classes, budget);
    return this.#isDecoded ? new DecodedRuleAutomaton(automaton, this.classes) : automaton;
  }
}

/** Path automata are immutable, so the languages share them. */
const pathAutomata: Map<string, PathAutomaton> = /* @__PURE__ */ new Map();

function getPathAutomaton(isDecoded: boolean, isRobotsTxtAllowed: boolean): PathAutomaton {
  const key = `${isDecoded} ${isRobotsTxtAllowed}`;
  const excluded = isRobotsTxtAllowed ? '/robots.txt' : '';
  const paths =
    pathAutomata.get(key) ??
    (isDecoded ? new DecodedPathAutomaton(excluded) : new RequestPathAutomaton(excluded));
  pathAutomata.set(key, paths);
  return paths;
}

/** Returns whether a byte class occurs in no pattern and has no special meaning in paths. */
function isOther({ code, patternCode }: ByteClass): boolean {
  return patternCode < 0 && /[a-z0-9]/i.test(String.fromCharCode(code));
}
