/**
 * Frequent values as numbers.
 *
 * @module
 */

/** Gives equal values the same number, from 0. */
export class Interned<Value> {
  readonly values: Value[] = [];
  readonly #numbers: Map<string, number> = new Map();

  /** Returns the number of a value that JSON can represent. */
  number(value: Value): number {
    const text = JSON.stringify(value);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.values.length);
    return this.values.push(value) - 1;
  }
}
