/**
 * The automaton: all patterns of a rule table matched at once, with one look-up for each character of the path.
 * docs/matching.md tells how it comes about, why its answer is right, and what bounds it.
 *
 * It is deterministic, and built as it is used: a transition is found out when a path first takes it. Its states are made
 * in draft-state.ts; here they are numbered, kept and walked through.
 *
 * @module
 */
import { STAR } from './ascii.ts';
import { DraftState, ITEM_NUMBERS } from './draft-state.ts';
import { ARRAY_BYTES, OBJECT_BYTES } from './memory.ts';
import type { RuleTable } from './rule-table.ts';
import { END, SortedPatterns } from './sorted-patterns.ts';

/** What {@link Automaton.find} returns where trying one rule after another costs less. */
export const GIVEN_UP = -2;

/** Characters outside ASCII stand in no pattern, like those ASCII characters that none has. */
const ASCII = 128;
/** A transition that is not known yet. Known ones are a state + 1, or the complement of an index into the answers. */
const UNKNOWN = 0;
/** Transitions are 16-bit numbers. */
const MAX_STATES = 32_000;
const FIRST_CAPACITY = 8;
/** Numbers of a state: start and end of its items, best, answer if the path ends here. */
const STATE_NUMBERS = 4;

/** Answers from here down are numbers of tails. */
const FIRST_TAIL = GIVEN_UP - 1;
/** The only pattern that is left, how much of it has matched, and the answer if the rest does not. */
type Tail = readonly [index: number, depth: number, best: number];
/** Memory of a tail in bytes. */
const TAIL_BYTES = 56;

/** The state under construction, of all automata: it is never left half-made. */
const draft: DraftState = /* @__PURE__ */ new DraftState();

/** Matches all patterns of a rule table at once. Its answers never change; its tables grow as it is used. */
export class Automaton {
  /** How often the states were thrown away because they took too much memory. */
  flushes = 0;
  /** How many states there are now. */
  size = 0;
  readonly #maxBytes: number;
  readonly #patterns: SortedPatterns;
  /** For each ASCII character its class; 0 is every character that stands in no pattern. */
  readonly #classes: Uint8Array = new Uint8Array(ASCII);
  /** A character of each class; none for class 0. */
  readonly #characters: number[] = [-1];
  /** For each state and class what follows. */
  #transitions: Int16Array;
  #states: Int32Array = new Int32Array(FIRST_CAPACITY * STATE_NUMBERS);
  #items: Int32Array = new Int32Array(FIRST_CAPACITY * ITEM_NUMBERS);
  /** Hash table of the states, by their content: a state + 1 in each bucket that is taken. */
  #buckets: Int16Array = new Int16Array(2 * FIRST_CAPACITY);
  /** Answers that no further character can change. */
  readonly #answers: number[] = [GIVEN_UP];
  /** What is left to compare where an answer says so. */
  readonly #tails: Tail[] = [];

  /**
   * @param table - a rule table (rule-table.ts).
   * @param maxBytes - how much memory the states may take before they are thrown away and built anew.
   */
  constructor(table: RuleTable, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#patterns = new SortedPatterns(table);
    for (const code of this.#patterns.characters()) {
      if (code === END || code === STAR) continue;
      this.#classes[code] = this.#characters.length;
      this.#characters.push(code);
    }
    this.#transitions = new Int16Array(FIRST_CAPACITY * this.#characters.length);
    draft.begin(this.#patterns);
    this.#intern();
  }

  /** Memory in bytes of the automaton as it is now, without the rule table. */
  get sizeInBytes(): number {
    const classes = this.#classes;
    const characters = this.#characters;
    const answers = this.#answers;
    const patterns = this.#patterns;
    const lists =
      8 * (characters.length + answers.length) + TAIL_BYTES * this.#tails.length + classes.byteLength;
    return 3 * OBJECT_BYTES + 5 * ARRAY_BYTES + lists + this.#stateBytes + patterns.sizeInBytes;
  }

  /** Bytes that the states have room in. */
  get #stateBytes(): number {
    const transitions = this.#transitions;
    const states = this.#states;
    const items = this.#items;
    const buckets = this.#buckets;
    return transitions.byteLength + states.byteLength + items.byteLength + buckets.byteLength;
  }

  /**
   * The entry of the rule table that wins for the path that starts at `start` of `text` and goes to its end.
   *
   * @returns where the entry starts in the table, `NONE`, or {@link GIVEN_UP}.
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
        return answer >= GIVEN_UP ? answer : this.#findTail(FIRST_TAIL - answer, text, at + 1);
      }
      state = next - 1;
    }
    return this.#states[state * STATE_NUMBERS + 3] as number;
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
    const states = this.#states;
    const items = this.#items;
    const at = state * STATE_NUMBERS;
    const [from, to, best] = [states[at] as number, states[at + 1] as number, states[at + 2] as number];
    draft.advance(this.#patterns, best, items, from, to, this.#characters[charClass] as number);
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
    for (
      let bucket = hash(draft.items, 0, draft.count * ITEM_NUMBERS, draft.best, draft.answer);
      ;
      bucket++
    ) {
      const known = (this.#buckets[bucket & (this.#buckets.length - 1)] as number) - 1;
      if (known < 0) break;
      if (this.#isDraft(known)) return known;
    }
    const itemStart = this.size === 0 ? 0 : (this.#states[this.size * STATE_NUMBERS - 3] as number);
    const itemNumbers = draft.count * ITEM_NUMBERS;
    if (!this.#hasRoom(itemStart + itemNumbers)) {
      this.#flush();
      return this.#intern();
    }
    const state = this.size++;
    this.#items.set(draft.items.subarray(0, itemNumbers), itemStart);
    this.#states.set([itemStart, itemStart + itemNumbers, draft.best, draft.answer], state * STATE_NUMBERS);
    this.#addToBuckets(state);
    return state;
  }

  /** Whether the draft is the same as a state. */
  #isDraft(state: number): boolean {
    const states = this.#states;
    const items = this.#items;
    const at = state * STATE_NUMBERS;
    const start = states[at] as number;
    const length = (states[at + 1] as number) - start;
    if (length !== draft.count * ITEM_NUMBERS) return false;
    if (states[at + 2] !== draft.best || states[at + 3] !== draft.answer) return false;
    for (let i = 0; i < length; i++) if (items[start + i] !== draft.items[i]) return false;
    return true;
  }

  /** Makes room for one more state; `false` if that would take too much memory. A single state always finds room. */
  #hasRoom(itemNumbers: number): boolean {
    const capacity = this.#states.length / STATE_NUMBERS;
    const needed = this.size < capacity ? capacity : capacity * 2;
    const neededItems =
      itemNumbers <= this.#items.length ? this.#items.length : Math.max(itemNumbers, this.#items.length * 2);
    if (needed === capacity && neededItems === this.#items.length) return true;
    const bytes = needed * (2 * this.#characters.length + 4 * STATE_NUMBERS + 4) + 4 * neededItems;
    if (this.size > 1 && (bytes > this.#maxBytes || needed > MAX_STATES)) return false;
    this.#items = enlarge(this.#items, new Int32Array(neededItems));
    if (needed > capacity) {
      this.#transitions = enlarge(this.#transitions, new Int16Array(needed * this.#characters.length));
      this.#states = enlarge(this.#states, new Int32Array(needed * STATE_NUMBERS));
      this.#buckets = new Int16Array(2 * needed);
      for (let state = 0; state < this.size; state++) this.#addToBuckets(state);
    }
    return true;
  }

  /** Throws away all states but the first. */
  #flush(): void {
    this.flushes++;
    this.size = 1;
    this.#transitions.fill(UNKNOWN);
    this.#buckets.fill(0);
    this.#answers.length = 1;
    this.#tails.length = 0;
    this.#addToBuckets(0);
  }

  #addToBuckets(state: number): void {
    const states = this.#states;
    const items = this.#items;
    const buckets = this.#buckets;
    const at = state * STATE_NUMBERS;
    const [from, to, best, answer] = [
      states[at],
      states[at + 1],
      states[at + 2],
      states[at + 3],
    ] as Quadruple;
    let bucket = hash(items, from, to, best, answer);
    while (buckets[bucket & (buckets.length - 1)] !== 0) bucket++;
    buckets[bucket & (buckets.length - 1)] = state + 1;
  }
}

type Quadruple = [number, number, number, number];

function enlarge<A extends Int16Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** A hash of a state's content (FNV-1a, by numbers instead of bytes). Not negative. */
function hash(items: Int32Array, from: number, to: number, best: number, answer: number): number {
  let value = Math.imul(Math.imul(0x811c9dc5 ^ best, 0x01000193) ^ answer, 0x01000193);
  for (let i = from; i < to; i++) value = Math.imul(value ^ (items[i] as number), 0x01000193);
  return (value ^ (value >>> 15)) >>> 1;
}
