/**
 * A lazy DFA that matches all patterns of a rule table in one pass, with one table look-up per character of the path. States and
 * transitions are created by subset construction when a path first needs them. docs/matching.md contains the derivation, the proof of
 * correctness and the bounds.
 *
 * This module runs the automaton. draft-state.ts builds states, state-set.ts stores them.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import { ARRAY_BYTES, OBJECT_BYTES } from '../bytes/memory.ts';
import { DraftState } from './draft-state.ts';
import type { RuleTable } from './rule-table.ts';
import { END, SortedPatterns } from './sorted-patterns.ts';
import { StateSet } from './state-set.ts';

/** Returned by {@link Automaton.find} if a state would be too large. Use another matcher for this path. */
export const GAVE_UP = -2;

/** Number of ASCII characters. Patterns are ASCII. */
const ASCII = 128;
/** A transition that has not been computed. Other values are a state + 1, or the complement of an index into the results. */
const UNKNOWN = 0;
/** Transitions are 16-bit numbers. */
const MAX_STATES = 32_000;
/** Bytes of a transition. */
const TRANSITION_BYTES = 2;

/** Results less than or equal to this value encode the index of a tail: `FIRST_TAIL - result`. */
const FIRST_TAIL = GAVE_UP - 1;
/** The only remaining pattern, the length of its matched prefix, and the winner if the rest does not match. */
type Tail = readonly [index: number, depth: number, best: number];
/** Bytes of a tail. */
const TAIL_BYTES = 56;

/** Limit of items per state. It bounds the time of a step that creates a state. */
const MAX_ITEMS = 64;
/** The state under construction. All automata share it, because construction is synchronous. */
const draft: DraftState = /* @__PURE__ */ new DraftState(MAX_ITEMS);

/** Matches all patterns of a rule table in one pass. Its results never change; its tables grow with use. */
export class Automaton {
  /** How often the states were discarded because of the memory limit. */
  flushes = 0;
  readonly #patterns: SortedPatterns;
  /** The byte class of each ASCII character. Class 0 contains all characters that occur in no pattern. */
  readonly #classes: Uint8Array = new Uint8Array(ASCII);
  /** The character of each class; -1 for class 0. */
  readonly #characters: number[] = [-1];
  /** The transition of each state on each class. */
  #transitions: Int16Array;
  readonly #states: StateSet;
  /** Results of transitions into settled states and tails. */
  readonly #results: number[] = [GAVE_UP];
  readonly #tails: Tail[] = [];

  /** @param maxBytes - memory limit of the states in bytes. When they exceed it, they are discarded and built again. */
  constructor(table: RuleTable, maxBytes: number) {
    this.#patterns = SortedPatterns.from(table);
    for (const code of this.#patterns.characters()) {
      if (code === END || code === STAR) continue;
      this.#classes[code] = this.#characters.length;
      this.#characters.push(code);
    }
    const extraStateBytes = TRANSITION_BYTES * this.#characters.length;
    this.#states = new StateSet(this.#patterns, { maxBytes, maxStates: MAX_STATES, extraStateBytes });
    this.#transitions = new Int16Array(this.#states.capacity * this.#characters.length);
    draft.begin(this.#patterns);
    this.#intern();
  }

  /** Current number of states. */
  get size(): number {
    return this.#states.size;
  }

  /** Current memory in bytes, without the rule table. */
  get sizeInBytes(): number {
    const classes = this.#classes;
    const characters = this.#characters;
    const results = this.#results;
    const patterns = this.#patterns;
    const lists =
      8 * (characters.length + results.length) + TAIL_BYTES * this.#tails.length + classes.byteLength;
    const { byteLength } = this.#transitions;
    return (
      2 * OBJECT_BYTES +
      2 * ARRAY_BYTES +
      lists +
      byteLength +
      this.#states.sizeInBytes +
      patterns.sizeInBytes
    );
  }

  /**
   * Finds the winning entry for the path from `start` to the end of `text`.
   *
   * @returns an entry of the rule table, `NONE` if no pattern matches, or {@link GAVE_UP}.
   */
  find(text: string, start: number): number {
    const classes = this.#classes;
    const width = this.#characters.length;
    let transitions = this.#transitions;
    let state = 0;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const charClass = code < ASCII ? (classes[code] as number) : 0;
      let next = transitions[state * width + charClass] as number;
      if (next === UNKNOWN) {
        next = this.#follow(state, charClass);
        // The table may have been replaced by a larger one.
        transitions = this.#transitions;
      }
      if (next < 0) {
        const result = this.#results[~next] as number;
        return result >= GAVE_UP ? result : this.#matchTail(FIRST_TAIL - result, text, at + 1);
      }
      state = next - 1;
    }
    return this.#states.answer(state);
  }

  /** Compares the rest of the only remaining pattern, which has no star, with the rest of the path. */
  #matchTail(tail: number, text: string, start: number): number {
    const patterns = this.#patterns;
    const [index, depth, best] = this.#tails[tail] as Tail;
    const length = patterns.length(index);
    let at = start;
    for (let i = depth; i < length; i++, at++) {
      const code = patterns.at(index, i);
      if (code === END) return at === text.length ? patterns.entry(index) : best;
      if (at === text.length || text.charCodeAt(at) !== code) return best;
    }
    return patterns.entry(index);
  }

  /** Computes the transition of a state on a class, and stores it. */
  #follow(state: number, charClass: number): number {
    const { flushes } = this;
    this.#states.advance(draft, state, this.#characters[charClass] as number);
    let next: number;
    if (draft.isTooLarge) next = ~0;
    else if (draft.isSettled) next = ~this.#internResult(draft.best);
    else if (draft.isTail) next = ~this.#addTail();
    else next = this.#intern() + 1;
    // A flush has removed the state.
    if (this.flushes === flushes) this.#transitions[state * this.#characters.length + charClass] = next;
    return next;
  }

  #addTail(): number {
    // The only item contains one pattern.
    const tail: Tail = [draft.items[0] as number, draft.items[2] as number, draft.best];
    if (this.#results.length === MAX_STATES) this.#flush();
    return this.#results.push(FIRST_TAIL - (this.#tails.push(tail) - 1)) - 1;
  }

  #internResult(result: number): number {
    const index = this.#results.indexOf(result);
    if (index >= 0) return index;
    if (this.#results.length === MAX_STATES) this.#flush();
    return this.#results.push(result) - 1;
  }

  /** Returns the number of the state that equals the draft. Adds the state if it is new. */
  #intern(): number {
    const state = this.#states.intern(draft);
    if (state < 0) {
      this.#flush();
      return this.#intern();
    }
    const needed = this.#states.capacity * this.#characters.length;
    if (needed > this.#transitions.length) {
      const transitions = new Int16Array(needed);
      transitions.set(this.#transitions);
      this.#transitions = transitions;
    }
    return state;
  }

  /** Discards all states except the start state. */
  #flush(): void {
    this.flushes++;
    this.#states.clear();
    this.#transitions.fill(UNKNOWN);
    this.#results.length = 1;
    this.#tails.length = 0;
  }
}
