// The first and the last of many items.

/** Keeps a limited number of items: the first half of them, and the last ones. */
export class Examples<T> {
  readonly #half: number;
  readonly #first: T[] = [];
  readonly #last: T[] = [];
  #next = 0;

  /** @param max - an even number. */
  constructor(max: number) {
    this.#half = max / 2;
  }

  add(item: T): void {
    if (this.#first.length < this.#half) this.#first.push(item);
    else {
      this.#last[this.#next] = item;
      this.#next = (this.#next + 1) % this.#half;
    }
  }

  /** All items in their order. */
  list(): T[] {
    return [...this.#first, ...this.#last.slice(this.#next), ...this.#last.slice(0, this.#next)];
  }
}
