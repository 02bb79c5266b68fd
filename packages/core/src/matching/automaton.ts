/**
 * The automaton: all patterns of a rule table matched at once, with one look-up for each character of the path.
 * docs/matching.md tells how it comes about, why its answer is right, and what bounds it.
 *
 * It is deterministic, and built as it is used: a transition is found out when a path first takes it. Its states are made
 * in draft-state.ts and kept in state-set.ts; here they are walked through.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import { ARRAY_BYTES, OBJECT_BYTES } from '../bytes/memory.ts';
import { DraftState } from './draft-state.ts';
import type { RuleTable } from './rule-table.ts';
import { END, SortedPatterns } from './sorted-patterns.ts';
import { StateSet } from './state-set.ts';

/** What {@link Automaton.find} returns where trying one rule after another costs less. */
export const GAVE_UP = -2;

/** Characters outside ASCII stand in no pattern, like those ASCII characters that none has. */
const ASCII = 128;
/** A transition that is not known yet. Known ones are a state + 1, or the complement of an index into the answers. */
const UNKNOWN = 0;
/** Transitions are 16-bit numbers. */
const MAX_STATES = 32_000;
/** Bytes of a transition. */
const TRANSITION_BYTES = 2;

/** Answers from here down are numbers of tails. */
const FIRST_TAIL = GAVE_UP - 1;
/** The only pattern that is left, how much of it has matched, and the answer if the rest does not. */
type Tail = readonly [index: number, depth: number, best: number];
/** Memory of a tail in bytes. */
const TAIL_BYTES = 56;

/** A state with more items is too large: each step through the automaton would cost that much. */
const MAX_ITEMS = 64;
/** The state under construction, of all automata: it is never left half-made. */
const draft: DraftState = /* @__PURE__ */ new DraftState(MAX_ITEMS);

/** Matches all patterns of a rule table at once. Its answers never change; its tables grow as it is used. */
export class Automaton {
  /** How often the states were thrown away because they took too much memory. */
  flushes = 0;
  readonly #patterns: SortedPatterns;
  /** For each ASCII character its class; 0 is every character that stands in no pattern. */
  readonly #classes: Uint8Array = new Uint8Array(ASCII);
  /** A character of each class; none for class 0. */
  readonly #characters: number[] = [-1];
  /** For each state and class what follows. */
  #transitions: Int16Array;
  readonly #states: StateSet;
  /** Answers that no further character can change. */
  readonly #answers: number[] = [GAVE_UP];
  /** What is left to compare where an answer says so. */
  readonly #tails: Tail[] = [];

  /**
   * @param table - a rule table (rule-table.ts).
   * @param maxBytes - how much memory the states may take before they are thrown away and built anew.
   */
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

  /** How many states there are now. */
  get size(): number {
    return this.#states.size;
  }

  /** Memory in bytes of the automaton as it is now, without the rule table. */
  get sizeInBytes(): number {
    const classes = this.#classes;
    const characters = this.#characters;
    const answers = this.#answers;
    const patterns = this.#patterns;
    const lists =
      8 * (characters.length + answers.length) + TAIL_BYTES * this.#tails.length + classes.byteLength;
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
   * The entry of the rule table that wins for the path that starts at `start` of `text` and goes to its end.
   *
   * @returns where the entry starts in the table, `NONE`, or {@link GAVE_UP}.
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
        // The table may have grown.
        transitions = this.#transitions;
      }
      if (next < 0) {
        const answer = this.#answers[~next] as number;
        return answer >= GAVE_UP ? answer : this.#findTail(FIRST_TAIL - answer, text, at + 1);
      }
      state = next - 1;
    }
    return this.#states.answer(state);
  }

  /** Decides where only one pattern is left, which has no star to come: by comparing the rest of it. */
  #findTail(tail: number, text: string, start: number): number {
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

  /** Finds out what follows a state on a character of a class, and remembers it. */
  #follow(state: number, charClass: number): number {
    const { flushes } = this;
    this.#states.advance(draft, state, this.#characters[charClass] as number);
    let next: number;
    if (draft.isTooLarge) next = ~0;
    else if (draft.isSettled) next = ~this.#internAnswer(draft.best);
    else if (draft.isTail) next = ~this.#addTail();
    else next = this.#intern() + 1;
    // After a flush there is no state any more from which this could be remembered.
    if (this.flushes === flushes) this.#transitions[state * this.#characters.length + charClass] = next;
    return next;
  }

  #addTail(): number {
    // The only item: its patterns are one, and of its numbers the last is the depth.
    const tail: Tail = [draft.items[0] as number, draft.items[2] as number, draft.best];
    if (this.#answers.length === MAX_STATES) this.#flush();
    return this.#answers.push(FIRST_TAIL - (this.#tails.push(tail) - 1)) - 1;
  }

  #internAnswer(answer: number): number {
    const known = this.#answers.indexOf(answer);
    if (known >= 0) return known;
    if (this.#answers.length === MAX_STATES) this.#flush();
    return this.#answers.push(answer) - 1;
  }

  /** The number of the state that the draft describes; a new one if there is none yet. */
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

  /** Throws away all states but the first. */
  #flush(): void {
    this.flushes++;
    this.#states.clear();
    this.#transitions.fill(UNKNOWN);
    this.#answers.length = 1;
    this.#tails.length = 0;
  }
}
