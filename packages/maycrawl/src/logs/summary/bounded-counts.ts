// Counts by keys that logs determine.

/** A count for each of a limited number of keys, and one for all further keys. */
export class BoundedCounts<Key> {
  readonly #counts: Map<Key, number> = new Map();
  readonly #max: number;
  /** The count of all keys beyond the limit. */
  further: number = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(key: Key, count = 1): void {
    const before = this.#counts.get(key);
    if (before === undefined && this.#counts.size >= this.#max) this.further += count;
    else this.#counts.set(key, (before ?? 0) + count);
  }

  get size(): number {
    return this.#counts.size;
  }

  /** The keys with the largest counts first. */
  list(): (readonly [key: Key, count: number])[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a);
  }

  /** The keys in the order in which they came. */
  entries(): Iterable<readonly [key: Key, count: number]> {
    return this.#counts;
  }
}
