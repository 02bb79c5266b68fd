/**
 * The transitions of an automaton that is made as it is walked through.
 *
 * @module
 */

/** A transition that is not known yet; known ones are a state + 1. */
const UNKNOWN = 0;
const TRANSITION_BYTES = 4;

/** For states and letters, both counted from 0, the states that follow. */
export class Transitions {
  readonly #letters: number;
  #followers: Int32Array = new Int32Array(0);

  constructor(letters: number) {
    this.#letters = letters;
  }

  /** Memory in bytes that a state takes here. */
  get bytesOfState(): number {
    return this.#letters * TRANSITION_BYTES;
  }

  /** The state that follows; negative if that is not known. */
  get(state: number, letter: number): number {
    return (this.#followers[state * this.#letters + letter] ?? UNKNOWN) - 1;
  }

  set(state: number, letter: number, next: number): void {
    const at = state * this.#letters + letter;
    if (at >= this.#followers.length) {
      const followers = new Int32Array(Math.max(2 * this.#followers.length, at + this.#letters));
      followers.set(this.#followers);
      this.#followers = followers;
    }
    this.#followers[at] = next + 1;
  }
}
