/**
 * Values that come again and again, as numbers.
 *
 * @module
 */

/** Gives the same value the same number, from 0. */
export class Interned {
  readonly values: unknown[] = [];
  readonly #numbers: Map<string, number> = new Map();

  /** @param value - can be written in JSON. */
  number(value: unknown): number {
    const text = JSON.stringify(value);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.values.length);
    return this.values.push(value) - 1;
  }
}
