// Lists of what a page says, without repetitions and within a limit.

/** The different items of a list, up to a limit. */
export class LimitedList<T> {
  readonly items: T[] = [];
  /** Whether different items were omitted. */
  isTruncated = false;
  readonly #keys: Set<string> = new Set();
  readonly #limit: number;
  readonly #getKey: (item: T) => string;

  /** @param getKey - returns a text that is equal for equal items. */
  constructor(limit: number, getKey: (item: T) => string) {
    this.#limit = limit;
    this.#getKey = getKey;
  }

  /** Adds an item, unless it is `null` or equal to an earlier one. */
  add(item: T | null): void {
    if (item === null) return;
    const key = this.#getKey(item);
    if (this.#keys.has(key)) return;
    if (this.items.length < this.#limit) {
      this.#keys.add(key);
      this.items.push(item);
    } else this.isTruncated = true;
  }
}
