/**
 * Batching: calls of one turn of the event loop share one statement. Of many short statements most of the time goes into sending them
 * one by one, on both sides. Knows nothing of databases.
 *
 * @module
 */

interface Call<Value, Result> {
  readonly value: Value;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects calls by key, and runs them together. */
export class Batch<Value, Result> {
  readonly #maxSize: number;
  readonly #run: (values: readonly Value[]) => Promise<readonly Result[]>;
  #calls: Map<string, Call<Value, Result>> = new Map();

  /**
   * @param maxSize - calls that run together at most.
   * @param run - does the work of some calls, no two of which have the same key. It returns one result for each value, in their order;
   *   what it throws, all of these calls throw.
   */
  constructor(maxSize: number, run: (values: readonly Value[]) => Promise<readonly Result[]>) {
    this.#maxSize = maxSize;
    this.#run = run;
  }

  /** Adds a call to the next batch. @throws what the batch throws. */
  add(key: string, value: Value): Promise<Result> {
    if (this.#calls.has(key) || this.#calls.size >= this.#maxSize) this.#start(this.#calls);
    if (this.#calls.size === 0) {
      const calls = this.#calls;
      setImmediate(() => this.#start(calls));
    }
    return new Promise((resolve, reject) => {
      this.#calls.set(key, { value, resolve, reject });
    });
  }

  #start(calls: ReadonlyMap<string, Call<Value, Result>>): void {
    // It was full before its turn came, and runs already.
    if (calls !== this.#calls) return;
    this.#calls = new Map();
    const all = [...calls.values()];
    this.#run(all.map(({ value }) => value)).then(
      (results) => {
        for (const [index, { resolve }] of all.entries()) resolve(results[index] as Result);
      },
      (error: unknown) => {
        for (const { reject } of all) reject(error);
      },
    );
  }
}
