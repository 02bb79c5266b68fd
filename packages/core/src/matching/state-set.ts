/**
 * The states of an automaton: numbered, kept in flat arrays, each there once. What a state is, draft-state.ts knows.
 *
 * @module
 */

import { ARRAY_BYTES, OBJECT_BYTES } from '../bytes/memory.ts';
import { type DraftState, ITEM_NUMBERS } from './draft-state.ts';
import type { SortedPatterns } from './sorted-patterns.ts';

const FIRST_CAPACITY = 8;
/** Numbers of a state: start and end of its items, best, answer if the path ends here. */
const STATE_NUMBERS = 4;
/** Bytes of a state beside its items: these numbers, and two buckets. */
const STATE_BYTES = 4 * STATE_NUMBERS + 8;

/** What a set of states may take. */
export interface StateLimits {
  /** Memory in bytes, with what is kept for each state elsewhere. A single state always finds room. */
  readonly maxBytes: number;
  readonly maxStates: number;
  /** Bytes that are kept for each state elsewhere. */
  readonly extraStateBytes: number;
}

/** The states that were met so far. */
export class StateSet {
  /** How many there are now. */
  size = 0;
  readonly #patterns: SortedPatterns;
  readonly #limits: StateLimits;
  #states: Int32Array = new Int32Array(FIRST_CAPACITY * STATE_NUMBERS);
  #items: Int32Array = new Int32Array(FIRST_CAPACITY * ITEM_NUMBERS);
  /** Hash table of the states, by their content: a state + 1 in each bucket that is taken. */
  #buckets: Int32Array = new Int32Array(2 * FIRST_CAPACITY);

  constructor(patterns: SortedPatterns, limits: StateLimits) {
    this.#patterns = patterns;
    this.#limits = limits;
  }

  /** For so many states there is room now. */
  get capacity(): number {
    return this.#states.length / STATE_NUMBERS;
  }

  /** Memory in bytes, without the patterns. */
  get sizeInBytes(): number {
    const states = this.#states;
    const items = this.#items;
    const buckets = this.#buckets;
    return OBJECT_BYTES + 3 * ARRAY_BYTES + states.byteLength + items.byteLength + buckets.byteLength;
  }

  /** The winner if the path ends in a state. */
  answer(state: number): number {
    return this.#states[state * STATE_NUMBERS + 3] as number;
  }

  /** The winner wherever a path goes on from a state, unless a better pattern comes to match. */
  best(state: number): number {
    return this.#states[state * STATE_NUMBERS + 2] as number;
  }

  /** Calls `visit` with each range of patterns that can still match and win after a state. */
  forEachRange(state: number, visit: (low: number, high: number) => void): void {
    const [from, to] = this.#read(state);
    for (let at = from; at < to; at += ITEM_NUMBERS)
      visit(this.#items[at] as number, this.#items[at + 1] as number);
  }

  /** Whether no further character can change the winner. */
  isSettled(state: number): boolean {
    const [from, to, best, answer] = this.#read(state);
    return from === to && best === answer;
  }

  /** Makes the state that follows on a character; negative for one that stands in no pattern. */
  advance(draft: DraftState, state: number, code: number): void {
    const [from, to, best] = this.#read(state);
    draft.advance(this.#patterns, best, this.#items, from, to, code);
  }

  /** The number of the state that the draft describes, which is a new one if there is none yet; -1 if it finds no room. */
  intern(draft: DraftState): number {
    const itemNumbers = draft.count * ITEM_NUMBERS;
    const mask = this.#buckets.length - 1;
    let bucket = hash(draft.items, 0, itemNumbers, draft.best, draft.answer) & mask;
    for (; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const known = (this.#buckets[bucket] as number) - 1;
      if (this.#isDraft(known, draft)) return known;
    }
    const itemStart = this.size === 0 ? 0 : (this.#states[this.size * STATE_NUMBERS - 3] as number);
    if (!this.#hasRoom(itemStart + itemNumbers)) return -1;
    const state = this.size++;
    this.#items.set(draft.items.subarray(0, itemNumbers), itemStart);
    this.#states.set([itemStart, itemStart + itemNumbers, draft.best, draft.answer], state * STATE_NUMBERS);
    this.#addToBuckets(state);
    return state;
  }

  /** Forgets all states but the first. */
  clear(): void {
    this.size = 1;
    this.#buckets.fill(0);
    this.#addToBuckets(0);
  }

  /** Start and end of a state's items, best and answer. */
  #read(state: number): readonly [number, number, number, number] {
    const states = this.#states;
    const at = state * STATE_NUMBERS;
    return [
      states[at] as number,
      states[at + 1] as number,
      states[at + 2] as number,
      states[at + 3] as number,
    ];
  }

  /** Whether the draft is the same as a state. */
  #isDraft(state: number, draft: DraftState): boolean {
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

  /** Makes room for one more state; `false` if that would be more than it may take. */
  #hasRoom(itemNumbers: number): boolean {
    const { capacity } = this;
    const { maxBytes, maxStates, extraStateBytes } = this.#limits;
    const needed = this.size < capacity ? capacity : capacity * 2;
    const neededItems =
      itemNumbers <= this.#items.length ? this.#items.length : Math.max(itemNumbers, this.#items.length * 2);
    if (needed === capacity && neededItems === this.#items.length) return true;
    const bytes = needed * (STATE_BYTES + extraStateBytes) + 4 * neededItems;
    if (this.size > 1 && (bytes > maxBytes || needed > maxStates)) return false;
    this.#items = enlarge(this.#items, neededItems);
    if (needed > capacity) {
      this.#states = enlarge(this.#states, needed * STATE_NUMBERS);
      this.#buckets = new Int32Array(2 * needed);
      for (let state = 0; state < this.size; state++) this.#addToBuckets(state);
    }
    return true;
  }

  #addToBuckets(state: number): void {
    const [from, to, best, answer] = this.#read(state);
    const buckets = this.#buckets;
    const mask = buckets.length - 1;
    let bucket = hash(this.#items, from, to, best, answer) & mask;
    while (buckets[bucket] !== 0) bucket = (bucket + 1) & mask;
    buckets[bucket] = state + 1;
  }
}

function enlarge(from: Int32Array, length: number): Int32Array {
  const to = new Int32Array(length);
  to.set(from);
  return to;
}

/** A hash of a state's content (FNV-1a, by numbers instead of bytes). Not negative. */
function hash(items: Int32Array, from: number, to: number, best: number, answer: number): number {
  let value = Math.imul(Math.imul(0x811c9dc5 ^ best, 0x01000193) ^ answer, 0x01000193);
  for (let i = from; i < to; i++) value = Math.imul(value ^ (items[i] as number), 0x01000193);
  return (value ^ (value >>> 15)) >>> 1;
}
