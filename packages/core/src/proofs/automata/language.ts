/**
 * The language that some sets of rules are about: which paths there are, over which alphabet. Rules that are compared are walked
 * through in one language.
 *
 * @module
 */
import type { Profile } from '../../crawler/profile.ts';
import type { SortedPatterns } from '../../matching/sorted-patterns.ts';
import type { Budget } from './budget.ts';
import { type ByteClass, findByteClasses } from './byte-classes.ts';
import { ComparedPaths } from './compared-paths.ts';
import { DecodedWalk } from './decoded-walk.ts';
import { NO_PATH, type Paths } from './paths.ts';
import { RequestPaths } from './request-paths.ts';
import { type Rules, RuleWalk, type Shared, type Walk } from './rule-walk.ts';

/** Paths, and their byte classes. */
export class Language {
  readonly paths: Paths;
  readonly classes: readonly ByteClass[];
  /** A character that stands in no pattern, if there is one for paths. */
  readonly other: string;
  readonly #isDecoded: boolean;
  /** The number of each byte class, by its character. */
  readonly #numbers: ReadonlyMap<string, number>;

  /** @param patterns - all that are walked through in this language. */
  constructor({ comparison, robotsTxtAllowed }: Profile, patterns: readonly SortedPatterns[]) {
    this.#isDecoded = comparison === 'decoded';
    this.paths = getPaths(this.#isDecoded, robotsTxtAllowed);
    this.classes = findByteClasses(patterns, this.paths);
    this.other = String.fromCharCode((this.classes.find(isOther) ?? (this.classes[0] as ByteClass)).code);
    this.#numbers = new Map(this.classes.map(({ code }, number) => [String.fromCharCode(code), number]));
  }

  /** The states that automata come to on a text; `undefined` if it is none that a path is compared in. */
  run(walks: readonly Walk[], text: string): number[] | undefined {
    const states = walks.map(() => 0);
    let place = this.paths.start;
    for (const char of text) {
      place = this.paths.step(place, char.charCodeAt(0));
      const byteClass = this.#numbers.get(char);
      if (place === NO_PATH || byteClass === undefined) return undefined;
      for (const [index, walk] of walks.entries())
        states[index] = walk.next(states[index] as number, byteClass);
    }
    return this.paths.accepts(place) ? states : undefined;
  }

  /**
   * The automaton of some rules.
   *
   * @param patterns - theirs.
   * @param shared - those that are also in other rules, walked through in step.
   */
  walk(rules: Rules, patterns: SortedPatterns, budget: Budget, shared: Shared = new Map()): Walk {
    const walk = new RuleWalk(rules, patterns, shared, this.classes, budget);
    return this.#isDecoded ? new DecodedWalk(walk, this.classes) : walk;
  }
}

/** Paths never change: those that were asked for are kept. */
const known: Map<string, Paths> = /* @__PURE__ */ new Map();

function getPaths(isDecoded: boolean, robotsTxtAllowed: boolean): Paths {
  const key = `${isDecoded} ${robotsTxtAllowed}`;
  const excepted = robotsTxtAllowed ? '/robots.txt' : '';
  const paths = known.get(key) ?? (isDecoded ? new ComparedPaths(excepted) : new RequestPaths(excepted));
  known.set(key, paths);
  return paths;
}

/** Whether a byte class stands in no pattern, and is not special in paths either. */
function isOther({ code, inPatterns }: ByteClass): boolean {
  return inPatterns < 0 && /[a-z0-9]/i.test(String.fromCharCode(code));
}
