// The automaton of a rule table under a profile that compares `decoded`.
//
// Such a profile compares a path with a query in three forms (percent-encoding.ts), and the best winner
// decides. A state here is therefore a tuple of three states of the table's automaton: after the path as
// written, with the delimiters in its query decoded, and with them encoded.
import { NONE } from '../../matching/rule-table.ts';
import { BUDGET_EXCEEDED } from './budget.ts';
import type { ByteClass } from './byte-classes.ts';
import { type Automaton, type RuleAutomaton, UNSHARED } from './rule-automaton.ts';
import { Transitions } from './transitions.ts';

/**
 * Modes of a state: where the path is. Modes from 2 up are in the query, after a prefix of an encoded
 * delimiter.
 */
const PATH = 0;
const QUERY = 1;
/** The pending prefix of a possible encoded delimiter, by mode. */
const PENDING = ['', '', '%', '%2', '%3'] as const;
const [AFTER_PERCENT, AFTER_TWO, AFTER_THREE] = [2, 3, 4] as const;
const MODES = 8;

/** Limit of the packed state numbers. */
const MAX_STATES = 2 ** 21;

/** Runs the table's automaton on the three forms of a path in parallel. */
export class DecodedRuleAutomaton implements Automaton {
  readonly #automaton: RuleAutomaton;
  readonly #classes: readonly ByteClass[];
  /** Indices of the byte classes, by representative. */
  readonly #classIndices: ReadonlyMap<string, number>;
  readonly #transitions: Transitions;
  /** Four numbers per state: the states of the written, decoded and encoded form, and the mode. */
  readonly #states: number[] = [];
  /** State numbers by tuple. */
  readonly #stateNumbers: Map<number, Map<number, number>> = new Map();

  constructor(automaton: RuleAutomaton, classes: readonly ByteClass[]) {
    this.#automaton = automaton;
    this.#classes = classes;
    this.#classIndices = new Map(classes.map(({ code }, number) => [String.fromCharCode(code), number]));
    this.#transitions = new Transitions(classes.length);
    this.#intern(0, 0, 0, PATH);
  }

  getWinner(state: number): number {
    const [written, decoded, encoded, mode] = this.#read(state);
    const decodedEnd = this.#feed(decoded, PENDING[mode] as string);
    return Math.min(...[written, decodedEnd, encoded].map((each) => this.#automaton.getWinner(each)));
  }

  isSettled(state: number): boolean {
    return this.#getForms(state).every((each) => this.#automaton.isSettled(each));
  }

  getBest(state: number): number {
    return Math.min(...this.#getForms(state).map((each) => this.#automaton.getBest(each)));
  }

  getSharedBest(state: number): number {
    const bests = this.#getForms(state).map((each) => this.#automaton.getSharedBest(each));
    return bests.includes(UNSHARED) ? UNSHARED : Math.min(...bests, NONE);
  }

  getSettledVerdict(state: number): boolean | undefined {
    const [first, ...others] = this.#getForms(state).map((each) => this.#automaton.getSettledVerdict(each));
    return others.every((each) => each === first) ? first : undefined;
  }

  next(state: number, byteClass: number): number {
    const cached = this.#transitions.get(state, byteClass);
    if (cached >= 0) return cached;
    const next = this.#computeNext(state, byteClass);
    this.#transitions.set(state, byteClass, next);
    return next;
  }

  #computeNext(state: number, byteClass: number): number {
    const [written, decoded, encoded, mode] = this.#read(state);
    const next = this.#automaton.next(written, byteClass);
    const char = String.fromCharCode((this.#classes[byteClass] as ByteClass).code);
    if (mode === PATH) return this.#intern(next, next, next, char === '?' ? QUERY : PATH);
    const delimiter = char === '/' ? '%2F' : char === '?' ? '%3F' : char;
    const nextEncoded =
      char === delimiter ? this.#automaton.next(encoded, byteClass) : this.#feed(encoded, delimiter);
    if (mode === AFTER_PERCENT && char === '2') return this.#intern(next, decoded, nextEncoded, AFTER_TWO);
    if (mode === AFTER_PERCENT && char === '3') return this.#intern(next, decoded, nextEncoded, AFTER_THREE);
    if (mode === AFTER_TWO && char === 'F')
      return this.#intern(next, this.#feed(decoded, '/'), nextEncoded, QUERY);
    if (mode === AFTER_THREE && char === 'F')
      return this.#intern(next, this.#feed(decoded, '?'), nextEncoded, QUERY);
    // The pending prefix was not an encoded delimiter.
    const decodedEnd = this.#feed(decoded, PENDING[mode] as string);
    if (char === '%') return this.#intern(next, decodedEnd, nextEncoded, AFTER_PERCENT);
    return this.#intern(next, this.#automaton.next(decodedEnd, byteClass), nextEncoded, QUERY);
  }

  /** Runs the table's automaton on `text`, each character of which is a byte class of its own. */
  #feed(state: number, text: string): number {
    let at = state;
    for (const char of text) at = this.#automaton.next(at, this.#classIndices.get(char) as number);
    return at;
  }

  #getForms(state: number): readonly number[] {
    return this.#read(state).slice(0, 3);
  }

  #read(state: number): readonly [number, number, number, number] {
    const at = 4 * state;
    return this.#states.slice(at, at + 4) as unknown as readonly [number, number, number, number];
  }

  #intern(written: number, decoded: number, encoded: number, mode: number): number {
    if (Math.max(written, decoded, encoded) >= MAX_STATES) throw BUDGET_EXCEEDED;
    const key = written * MAX_STATES + decoded;
    const others = this.#stateNumbers.get(key) ?? new Map<number, number>();
    this.#stateNumbers.set(key, others);
    const existing = others.get(encoded * MODES + mode);
    if (existing !== undefined) return existing;
    const state = this.#states.length / 4;
    this.#states.push(written, decoded, encoded, mode);
    others.set(encoded * MODES + mode, state);
    return state;
  }
}
