/**
 * The transitions of an automaton that is made as it is walked through.
 *
 * @module
 */

/** A transition that is not known yet; known ones are a state + 1. */
const UNKNOWN = 0;
const TRANSITION_BYTES = 4;

/** For states and classes, both counted from 0, the states that follow. */
export class Transitions {
  readonly #classes: number;
  #followers: Int32Array = new Int32Array(0);

  constructor(classes: number) {
    this.#classes = classes;
  }

  /** Memory in bytes that a state takes here. */
  get bytesOfState(): number {
    return this.#classes * TRANSITION_BYTES;
  }

  /** The state that follows; negative if that is not known. */
  get(state: number, byteClass: number): number {
    return (this.#followers[state * this.#classes + byteClass] ?? UNKNOWN) - 1;
  }

  set(state: number, byteClass: number, next: number): void {
    const at = state * this.#classes + byteClass;
    if (at >= this.#followers.length) {
      const followers = new Int32Array(Math.max(2 * this.#followers.length, at + this.#classes));
      followers.set(this.#followers);
      this.#followers = followers;
    }
    this.#followers[at] = next + 1;
  }
}
