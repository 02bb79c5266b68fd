// The transition table of a lazy DFA.

/** A transition that is not computed yet. A computed one is the target state + 1. */
const UNKNOWN = 0;
const TRANSITION_BYTES = 4;

/** Target states by state and byte class, both numbered from 0. */
export class Transitions {
  readonly #classes: number;
  #targets: Int32Array = new Int32Array(0);

  constructor(classes: number) {
    this.#classes = classes;
  }

  get bytesPerState(): number {
    return this.#classes * TRANSITION_BYTES;
  }

  /** Returns the target state; negative if it is not computed yet. */
  get(state: number, byteClass: number): number {
    return (this.#targets[state * this.#classes + byteClass] ?? UNKNOWN) - 1;
  }

  set(state: number, byteClass: number, next: number): void {
    const at = state * this.#classes + byteClass;
    if (at >= this.#targets.length) {
      const targets = new Int32Array(Math.max(2 * this.#targets.length, at + this.#classes));
      targets.set(this.#targets);
      this.#targets = targets;
    }
    this.#targets[at] = next + 1;
  }
}
