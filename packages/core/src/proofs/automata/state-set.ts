// The states of an automaton: numbered, without duplicates, in flat arrays. draft-state.ts defines what a state is.

import { type DraftState, ITEM_NUMBERS } from './draft-state.ts';
import type { SortedPatterns } from './sorted-patterns.ts';

const FIRST_CAPACITY = 8;
/** Numbers per state: start and end of its items, `best`, `winner`. */
const STATE_NUMBERS = 4;
/** Bytes per state without its items: its numbers and two hash buckets. */
const STATE_BYTES = 4 * STATE_NUMBERS + 8;

export interface StateLimits {
  /** Memory limit in bytes, including `extraStateBytes`. The first two states are exempt. */
  readonly maxBytes: number;
  readonly maxStates: number;
  /** Bytes per state that the owner of the set stores. */
  readonly extraStateBytes: number;
}

/** A set of states. State 0 is the start state. */
export class StateSet {
  size = 0;
  readonly #patterns: SortedPatterns;
  readonly #limits: StateLimits;
  #states: Int32Array = new Int32Array(FIRST_CAPACITY * STATE_NUMBERS);
  #items: Int32Array = new Int32Array(FIRST_CAPACITY * ITEM_NUMBERS);
  /** Hash table of the states with open addressing: a state + 1, or 0 for an empty bucket. */
  #buckets: Int32Array = new Int32Array(2 * FIRST_CAPACITY);

  constructor(patterns: SortedPatterns, limits: StateLimits) {
    this.#patterns = patterns;
    this.#limits = limits;
  }

  /** Number of states for which memory is allocated. */
  get #capacity(): number {
    return this.#states.length / STATE_NUMBERS;
  }

  /** Returns the winner if the path ends in a state. */
  winner(state: number): number {
    return this.#states[state * STATE_NUMBERS + 3] as number;
  }

  /** Returns the best entry that matches all paths that reach a state. */
  best(state: number): number {
    return this.#states[state * STATE_NUMBERS + 2] as number;
  }

  /** Calls `visit` with each range of patterns that can still win from a state. */
  forEachRange(state: number, visit: (low: number, high: number) => void): void {
    const to = this.#itemsEnd(state);
    for (let at = this.#itemsStart(state); at < to; at += ITEM_NUMBERS)
      visit(this.#items[at] as number, this.#items[at + 1] as number);
  }

  /** Whether the winner is the same for all continuations of the path. */
  isSettled(state: number): boolean {
    return this.#itemsStart(state) === this.#itemsEnd(state) && this.best(state) === this.winner(state);
  }

  /**
   * Builds the successor of a state.
   *
   * @param code - the character; negative for characters that occur in no pattern.
   */
  advance(draft: DraftState, state: number, code: number): void {
    const [from, to] = [this.#itemsStart(state), this.#itemsEnd(state)];
    draft.advance(this.#patterns, this.best(state), this.#items, from, to, code);
  }

  /** Returns the number of the state that equals the draft. Adds the state if it is new; returns -1 if the limits do not allow it. */
  intern(draft: DraftState): number {
    const itemNumbers = draft.count * ITEM_NUMBERS;
    const mask = this.#buckets.length - 1;
    let bucket = hash(draft.items, 0, itemNumbers, draft.best, draft.winner) & mask;
    for (; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const existing = (this.#buckets[bucket] as number) - 1;
      if (this.#equalsDraft(existing, draft)) return existing;
    }
    const itemStart = this.size === 0 ? 0 : this.#itemsEnd(this.size - 1);
    if (!this.#reserve(itemStart + itemNumbers)) return -1;
    const state = this.size++;
    this.#items.set(draft.items.subarray(0, itemNumbers), itemStart);
    const states = this.#states;
    const at = state * STATE_NUMBERS;
    states[at] = itemStart;
    states[at + 1] = itemStart + itemNumbers;
    states[at + 2] = draft.best;
    states[at + 3] = draft.winner;
    this.#addToBuckets(state);
    return state;
  }

  #itemsStart(state: number): number {
    return this.#states[state * STATE_NUMBERS] as number;
  }

  #itemsEnd(state: number): number {
    return this.#states[state * STATE_NUMBERS + 1] as number;
  }

  #equalsDraft(state: number, draft: DraftState): boolean {
    const items = this.#items;
    const start = this.#itemsStart(state);
    const length = this.#itemsEnd(state) - start;
    if (length !== draft.count * ITEM_NUMBERS) return false;
    if (this.best(state) !== draft.best || this.winner(state) !== draft.winner) return false;
    for (let i = 0; i < length; i++) if (items[start + i] !== draft.items[i]) return false;
    return true;
  }

  /** Allocates memory for one more state; returns `false` if the limits do not allow it. */
  #reserve(itemNumbers: number): boolean {
    const capacity = this.#capacity;
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
    const [from, to] = [this.#itemsStart(state), this.#itemsEnd(state)];
    const buckets = this.#buckets;
    const mask = buckets.length - 1;
    let bucket = hash(this.#items, from, to, this.best(state), this.winner(state)) & mask;
    while (buckets[bucket] !== 0) bucket = (bucket + 1) & mask;
    buckets[bucket] = state + 1;
  }
}

function enlarge(from: Int32Array, length: number): Int32Array {
  const to = new Int32Array(length);
  to.set(from);
  return to;
}

/** Hashes the content of a state (FNV-1a over 32-bit numbers). The result is not negative. */
function hash(items: Int32Array, from: number, to: number, best: number, winner: number): number {
  let value = Math.imul(Math.imul(0x811c9dc5 ^ best, 0x01000193) ^ winner, 0x01000193);
  for (let i = from; i < to; i++) value = Math.imul(value ^ (items[i] as number), 0x01000193);
  return (value ^ (value >>> 15)) >>> 1;
}
