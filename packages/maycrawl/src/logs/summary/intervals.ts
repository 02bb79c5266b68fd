// Intervals between requests, as a histogram whose bounds grow by a twentieth: any number of them takes some hundred counts.

const GROWTH: number = Math.log(1.05);

/** The number of intervals by length. */
export class Intervals {
  readonly #counts: Map<number, number> = new Map();
  #total = 0;
  #least: number | null = null;

  /** Adds an interval in milliseconds. */
  add(interval: number): void {
    const bucket = interval < 1 ? -1 : Math.floor(Math.log(interval) / GROWTH);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#total++;
    if (this.#least === null || interval < this.#least) this.#least = interval;
  }

  /** The shortest one in milliseconds; `null` if there is none. */
  get least(): number | null {
    return this.#least;
  }

  /** Returns the interval that a share of all do not exceed, in milliseconds, with an error of at most 5 %; `null` if there is none. */
  getQuantile(share: number): number | null {
    if (this.#least === null) return null;
    let left = Math.max(1, Math.ceil(share * this.#total));
    for (const [bucket, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return bucket < 0 ? 0 : Math.max(this.#least, Math.exp((bucket + 0.5) * GROWTH));
    }
    return null;
  }
}
