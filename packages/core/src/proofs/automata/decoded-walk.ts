/**
 * The automaton of a rule table under a profile that compares `decoded`: a path with a query is compared in three forms
 * (percent-encoding.ts), and the best of the winners wins. So three states of the table's automaton are one state here: after the
 * path as it is written, with the delimiters inside its query decoded, and with them encoded.
 *
 * @module
 */
import { NONE } from '../../matching/rule-table.ts';
import { BoundReached } from './budget.ts';
import type { ByteClass } from './byte-classes.ts';
import { OWN, type RuleWalk, type Walk } from './rule-walk.ts';
import { Transitions } from './transitions.ts';

/** Where a path has come to. */
const PATH = 0;
const QUERY = 1;
/** What of an encoded delimiter has been read in the query, and is not yet known to be one. */
const PENDING = ['', '', '%', '%2', '%3'] as const;
const [AFTER_PERCENT, AFTER_TWO, AFTER_THREE] = [2, 3, 4] as const;
const MODES = 8;

/** More states of the table's automaton could not be told apart. */
const MAX_STATES = 2 ** 21;

/** Three forms in step. */
export class DecodedWalk implements Walk {
  readonly #walk: RuleWalk;
  readonly #classes: readonly ByteClass[];
  /** The number of each byte class, by its character. */
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #transitions: Transitions;
  /** Of each state that of the written form, of the decoded, of the encoded one, and the mode. */
  readonly #states: number[] = [];
  /** The number of each state, by what it is made of. */
  readonly #known: Map<number, Map<number, number>> = new Map();

  constructor(walk: RuleWalk, classes: readonly ByteClass[]) {
    this.#walk = walk;
    this.#classes = classes;
    this.#numbers = new Map(classes.map(({ code }, number) => [String.fromCharCode(code), number]));
    this.#transitions = new Transitions(classes.length);
    this.#intern(0, 0, 0, PATH);
  }

  winner(state: number): number {
    const [written, decoded, encoded, mode] = this.#read(state);
    const ended = this.#feed(decoded, PENDING[mode] as string);
    return Math.min(...[written, ended, encoded].map((each) => this.#walk.winner(each)));
  }

  isSettled(state: number): boolean {
    return this.#forms(state).every((each) => this.#walk.isSettled(each));
  }

  best(state: number): number {
    return Math.min(...this.#forms(state).map((each) => this.#walk.best(each)));
  }

  sharedBest(state: number): number {
    const bests = this.#forms(state).map((each) => this.#walk.sharedBest(each));
    return bests.includes(OWN) ? OWN : Math.min(...bests, NONE);
  }

  settledVerdict(state: number): boolean | undefined {
    const [first, ...others] = this.#forms(state).map((each) => this.#walk.settledVerdict(each));
    return others.every((each) => each === first) ? first : undefined;
  }

  next(state: number, byteClass: number): number {
    const known = this.#transitions.get(state, byteClass);
    if (known >= 0) return known;
    const next = this.#follow(state, byteClass);
    this.#transitions.set(state, byteClass, next);
    return next;
  }

  #follow(state: number, byteClass: number): number {
    const [written, decoded, encoded, mode] = this.#read(state);
    const next = this.#walk.next(written, byteClass);
    const char = String.fromCharCode((this.#classes[byteClass] as ByteClass).code);
    if (mode === PATH) return this.#intern(next, next, next, char === '?' ? QUERY : PATH);
    const delimiter = char === '/' ? '%2F' : char === '?' ? '%3F' : char;
    const further = char === delimiter ? this.#walk.next(encoded, byteClass) : this.#feed(encoded, delimiter);
    if (mode === AFTER_PERCENT && char === '2') return this.#intern(next, decoded, further, AFTER_TWO);
    if (mode === AFTER_PERCENT && char === '3') return this.#intern(next, decoded, further, AFTER_THREE);
    if (mode === AFTER_TWO && char === 'F')
      return this.#intern(next, this.#feed(decoded, '/'), further, QUERY);
    if (mode === AFTER_THREE && char === 'F')
      return this.#intern(next, this.#feed(decoded, '?'), further, QUERY);
    // It was no encoded delimiter.
    const ended = this.#feed(decoded, PENDING[mode] as string);
    if (char === '%') return this.#intern(next, ended, further, AFTER_PERCENT);
    return this.#intern(next, this.#walk.next(ended, byteClass), further, QUERY);
  }

  /** The state of the table's automaton after some characters, each of which is a byte class of its own. */
  #feed(state: number, text: string): number {
    let at = state;
    for (const char of text) at = this.#walk.next(at, this.#numbers.get(char) as number);
    return at;
  }

  #forms(state: number): readonly number[] {
    return this.#read(state).slice(0, 3);
  }

  #read(state: number): readonly [number, number, number, number] {
    const at = 4 * state;
    return this.#states.slice(at, at + 4) as unknown as readonly [number, number, number, number];
  }

  #intern(written: number, decoded: number, encoded: number, mode: number): number {
    if (Math.max(written, decoded, encoded) >= MAX_STATES) throw new BoundReached();
    const key = written * MAX_STATES + decoded;
    const others = this.#known.get(key) ?? new Map<number, number>();
    this.#known.set(key, others);
    const known = others.get(encoded * MODES + mode);
    if (known !== undefined) return known;
    const state = this.#states.length / 4;
    this.#states.push(written, decoded, encoded, mode);
    others.set(encoded * MODES + mode, state);
    return state;
  }
}
